"""The API: what other programs ask of the site under `/api/`, over the same services as the pages.

Nothing below this package knows of Django REST framework.
"""
