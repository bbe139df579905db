"""Limits on the raw lengths of a request, checked before anything reads, compares or logs it.

They bound the cost of a request. Limits of single texts are beside their fields
(`games/scoring/text_line.py`), those of a head in `games/common/request_head.py`; these are for everything
that no field asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext, override

from games.common import body_limits, regions, request_head, site_header
from games.common.request_head import MalformedHead

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

API = "/api/"
TEXT = "text/plain; charset=utf-8"
UNPREFIXED_KEYS = ("CONTENT_TYPE", "CONTENT_LENGTH")  # keys of the WSGI environment without HTTP_


class BoundedHeads:
    """A WSGI application that checks the head's fields, and refuses some, before another one sees them."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        keys = {
            key.removeprefix("HTTP_"): key
            for key in environ
            if key.startswith("HTTP_") or key in UNPREFIXED_KEYS
        }
        try:
            fields = request_head.clean_fields({name: environ[key] for name, key in keys.items()})
        except MalformedHead:
            return _refuse_head(environ, start_response)
        for name, key in keys.items():
            if name in fields:
                environ[key] = fields[name]
            else:
                del environ[key]
        return self._application(environ, start_response)


def _refuse_head(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    status = HTTPStatus.BAD_REQUEST
    line = f"{status.phrase}\n".encode()
    fields = [("Content-Type", TEXT), ("Content-Length", str(len(line))), site_header.field()]
    start_response(f"{status} {status.phrase}", fields)
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [line]


class RequestSizeMiddleware(MiddlewareMixin):
    """Middleware that refuses a URL or the body of a form that is longer than any real one."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        meta = request.META
        address = len(meta.get("PATH_INFO", "")) + len(meta.get("QUERY_STRING", ""))
        if address > body_limits.LONGEST_ADDRESS:
            return refusal_response(request, HTTPStatus.REQUEST_URI_TOO_LONG)
        return None

    def process_view(self, request: HttpRequest, view: object, *_arguments: object) -> HttpResponse | None:
        """Refuse a body that is too large for this view, before other middleware reads it.

        The API has limits of its own (`games/common/api/parsers.py`).
        """
        if request.method != "POST" or hasattr(getattr(view, "cls", None), "throttle_classes"):
            return None
        if int(request.META.get("CONTENT_LENGTH") or 0) > body_limits.max_body(view):
            return refusal_response(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return None


def refusal_response(request: HttpRequest, status: HTTPStatus, longest: int = 0) -> HttpResponse:
    """Return the refusal with this status, which repeats nothing that was sent.

    `longest` is the limit of a field.
    """
    if request.path.startswith(API):
        from games.common.api import problems  # a serverless folder has no API

        return problems.problem_response(request, status)
    with override(regions.reader_language(request)):  # the language may not be set yet
        sentence = _sentence(status, longest)
        if request.headers.get("HX-Request"):
            return HttpResponse(sentence, TEXT, status, headers={"HX-Reswap": "none"})
        # Rendered without the request, whose context processors would query the user from the database.
        return HttpResponse(render_to_string("too_long.html", {"sentence": sentence}), status=status)


def _sentence(status: HTTPStatus, longest: int) -> str:
    match status:
        case HTTPStatus.REQUEST_URI_TOO_LONG:
            return gettext("This address is too long.")
        case HTTPStatus.UNPROCESSABLE_ENTITY:
            return gettext("At most {longest} characters fit here.").format(longest=longest)
        case _:
            return gettext("This is too much at one time.")
