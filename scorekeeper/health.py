"""Health checks like django-health-check's, but answered before host, HTTPS and session are looked at.

One is for a live server, one for a server that is ready. A load balancer reads them.
"""

from __future__ import annotations

import time
from http import HTTPStatus

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from games.common import db_errors
from games.management import schema, site_folder

ALIVE, READY = "/healthz", "/readyz"
LEAST_SPACE = 64 * 1024 * 1024  # free bytes on the disk: enough for some thousand nights
CACHE_SECONDS = 2  # a response is cached that long, because anybody may send these requests


class HealthMiddleware(MiddlewareMixin):
    """Middleware that answers health checks before the host name, HTTPS or the session is checked."""

    _missing, _state = "", ""
    _until = 0.0

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if request.path_info == ALIVE:
            return _text_response("", f"alive: {settings.RELEASE}")
        if request.path_info == READY:
            return self._readiness()
        return None

    def _readiness(self) -> HttpResponse:
        if time.monotonic() >= self._until:
            self._missing = readiness_problem()
            self._state = "ready" if has_cache() else "ready, without its cache"
            self._until = time.monotonic() + CACHE_SECONDS
        return _text_response(self._missing, self._state)


def readiness_problem() -> str:
    """Return the reason why this server is not ready; "" if it is ready."""
    try:
        connection.ensure_connection()  # a lost database does not answer
        if not schema.is_up_to_date():
            return "the database waits for migrations"
    except (DatabaseError, InterfaceError):
        return "the database does not answer"
    if connection.vendor == "sqlite" and site_folder.free_space(settings.DATA_DIR) < LEAST_SPACE:
        return "the disk is full"
    return ""


def has_cache() -> bool:
    """Return whether the shared cache responds. Without it, pages work, but signing in and the API do not."""
    try:
        cache.get("ready")
    except Exception as fault:
        if not db_errors.is_database_failure(fault):
            raise
        return False
    return True


def _text_response(missing: str, healthy: str) -> HttpResponse:
    status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
    text = f"{missing or healthy}\n"
    return HttpResponse(text, status=status, content_type="text/plain", headers={"Cache-Control": "no-store"})
