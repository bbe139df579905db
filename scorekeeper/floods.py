"""The rate limit of all requests together, applied before anything reads them."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from games.common import network, rate_limits
from scorekeeper.health import ALIVE, READY

HEALTH_CHECKS = {ALIVE, READY}


class FloodMiddleware(MiddlewareMixin):
    """Middleware that counts each address's requests and bytes, and refuses a flood before Django parses it.

    Health checks are counted but never refused: a load balancer would think that the site is down.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        meta = request.META
        head = sum(len(text) for name, text in meta.items() if name.startswith("HTTP_"))
        size = head + len(meta.get("PATH_INFO", "")) + int(meta.get("CONTENT_LENGTH") or 0)
        if (
            rate_limits.FLOODS.hit(network.client_key(meta.get("REMOTE_ADDR", "")), size)
            or request.path_info in HEALTH_CHECKS
        ):
            return None
        headers = {"Retry-After": str(rate_limits.FLOODS.resets_in), "Cache-Control": "no-store"}
        return HttpResponse(
            "Too many requests\n", "text/plain; charset=utf-8", HTTPStatus.TOO_MANY_REQUESTS, headers=headers
        )
