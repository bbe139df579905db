"""The API for other programs under `/api/`, over the same services as the pages.

Nothing below this package knows of Django REST framework.
"""
