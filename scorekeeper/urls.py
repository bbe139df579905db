"""The addresses of the whole site: the pages, the choice of a language, and what answers where something broke."""

from __future__ import annotations

from django.urls import include, path

handler500 = "games.views.common.faults.broken"

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("games.urls")),
]
