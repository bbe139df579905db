"""The URLs of the site (pages, the API, the admin, the choice of language), and the error handlers."""

from __future__ import annotations

from django.urls import include, path

from games.admin import site

handler400 = "scorekeeper.error_handlers.bad_request"
handler404 = "scorekeeper.error_handlers.not_found"
handler500 = "scorekeeper.error_handlers.server_error"

urlpatterns = [
    path("admin/", site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/", include("games.api_urls")),
    path("", include("games.urls")),
]
