"""Like django-cors-headers, but opens by path and method: other sites' pages may read the API, and score.

Scoring stores nothing. Credentials are never allowed: such a page is anonymous, or sends a token of its own.
It cannot record.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase

READ_METHODS = ("GET", "HEAD")
COMPUTE_PATHS = re.compile(r"/api/v1/(score|hand|games/[^/]+/preview)/")
READABLE_STATUSES = (401, 403, 404, 422, 429, 503)  # refusals that say what to do
ANY_ORIGIN = {"Access-Control-Allow-Origin": "*"}
RESPONSE_HEADERS = {**ANY_ORIGIN, "Access-Control-Expose-Headers": "ETag, Retry-After"}
ALLOWED_HEADERS = {
    "Access-Control-Allow-Headers": "Authorization, If-None-Match, Accept-Language, Content-Type"
}
# In seconds. Without it, each poll of a screen would be two requests.
PREFLIGHT_LIFETIME = {"Access-Control-Max-Age": "7200"}


class CorsMiddleware:
    """Middleware that lets pages of any origin read responses of the API, and answers their preflights.

    A preflight needs no user and is not counted: its path and method alone decide the response.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith("/api/v1/"):
            return self.get_response(request)
        method = request.headers.get("Access-Control-Request-Method", "")
        if request.method == "OPTIONS" and method:
            if not _is_open(method, request.path_info):
                return HttpResponse(status=403)
            allowed = {
                **ANY_ORIGIN,
                "Access-Control-Allow-Methods": method,
                **ALLOWED_HEADERS,
                **PREFLIGHT_LIFETIME,
            }
            return HttpResponse(status=204, headers=allowed)
        response = self.get_response(request)
        if _is_open(request.method or "", request.path_info) or response.status_code in READABLE_STATUSES:
            for name, value in RESPONSE_HEADERS.items():
                response.headers[name] = value
        return response


def _is_open(method: str, path: str) -> bool:
    return method in READ_METHODS or (method == "POST" and COMPUTE_PATHS.fullmatch(path) is not None)
