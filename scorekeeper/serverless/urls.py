"""The URLs in a serverless folder: all pages. `single_user.py` lists those that need a site."""

from __future__ import annotations

from django.urls import include, path

handler404 = "scorekeeper.error_handlers.not_found"
handler500 = "scorekeeper.error_handlers.server_error"

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("games.urls")),
]
