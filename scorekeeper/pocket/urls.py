"""The addresses a phone knows: those of the pages, which may lead to what only the network has."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("games.urls")),
]
