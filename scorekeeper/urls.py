"""The URLs of the site (pages, the API, the desk, reports, choice of language), and the error handlers."""

from __future__ import annotations

from django.urls import include, path

handler400 = "scorekeeper.faults.bad_request"
handler404 = "scorekeeper.faults.not_found"
handler500 = "scorekeeper.faults.broken"

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/", include("games.api.urls")),
    path("operator/", include("games.desk.urls")),
    path("report/", include("games.desk.report_urls")),
    path("", include("games.urls")),
]
