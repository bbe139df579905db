"""The HTTP API for other programs, under `/api/`. It uses the same services as the pages.

The layers below this package do not import Django REST framework.
"""
