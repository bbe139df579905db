"""The door, the first middleware: it refuses what is too long before anything reads, compares or logs it.

What a request may cost is bounded by raw lengths. The limits of single texts stand beside their fields
(`games/scoring/one_line.py`); these are for what no field asked for.
"""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext, override

from games.common.bounds import largest_body_of
from games.common.regions import reader_language

API = "/api/"
TEXT = "text/plain; charset=utf-8"
LONGEST_ADDRESS = 2000  # bytes of a path, decoded, with its query
LONGEST_HEADERS = {"HTTP_HOST": 255, "HTTP_ORIGIN": 2000, "HTTP_REFERER": 2000}
LONGEST_LENGTH = 12  # digits of a Content-Length


class DoorMiddleware(MiddlewareMixin):
    """Refuses an address, a header or the body of a form that is longer than any real one."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        sent = request.META
        address = len(sent.get("PATH_INFO", "")) + len(sent.get("QUERY_STRING", ""))
        if address > LONGEST_ADDRESS:
            return refused(request, HTTPStatus.REQUEST_URI_TOO_LONG)
        if any(len(sent.get(name, "")) > most for name, most in LONGEST_HEADERS.items()):
            return refused(request, HTTPStatus.BAD_REQUEST)
        return None

    def process_view(self, request: HttpRequest, view: object, *_arguments: object) -> HttpResponse | None:
        """Refuse a body that is too large for this view, before another middleware reads it.

        The API has limits of its own (`games/common/api/bodies.py`).
        """
        if request.method != "POST" or hasattr(getattr(view, "cls", None), "throttle_classes"):
            return None
        length = request.META.get("CONTENT_LENGTH") or "0"
        if len(length) > LONGEST_LENGTH or not length.isdigit() or int(length) > largest_body_of(view):
            return refused(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return None


def refused(request: HttpRequest, status: HTTPStatus, longest: int = 0) -> HttpResponse:
    """Return the refusal with this status; `longest` is the limit of a field. It repeats nothing that was sent."""
    if request.path.startswith(API):
        from games.common.api.problems import answer_beside  # a folder without a site has no API

        return answer_beside(request, status)
    with override(reader_language(request)):  # the language may not be set yet
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
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return gettext("This is too much at once.")
        case _:
            return gettext("This browser sent something that no form here has.")
