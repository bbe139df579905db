"""What the API answers where something is wrong: a problem (RFC 9457) in the reader's language, with a code."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core import exceptions as django_exceptions
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response

from games.faults import AGAIN_AFTER
from games.notebook.fields import Unreadable
from games.scoring.errors import NotationError, RuleError
from games.scoring.words import Text, _
from games.shown.common.sentences import translate

MEDIA_TYPE = "application/problem+json"
REFERENCE = "/api/"  # the page that explains each kind, at its code
LONGEST_DETAIL = 500


@dataclass(frozen=True)
class Kind:
    """One way of going wrong: its status, its title, and the sentence where nothing better is known."""

    code: str
    status: int
    title: Text
    detail: Text


_KINDS = (
    Kind(
        "bad_request",
        400,
        _("The request cannot be read"),
        _("An address, a header or a field of it is not as it should be."),
    ),
    Kind(
        "malformed",
        400,
        _("The body is not JSON"),
        _("Send one JSON value in UTF-8, not too deeply nested, without half letters and endless numbers."),
    ),
    Kind(
        "misshapen",
        400,
        _("The body has another form"),
        _("A part is missing, unknown or of another type; the field says which."),
    ),
    Kind(
        "forbidden",
        403,
        _("This is not yours to do"),
        _("You have no right to this, or the token against forgery is missing (X-CSRFToken)."),
    ),
    Kind("not_found", 404, _("There is nothing here"), _("Nothing answers under this address.")),
    Kind(
        "method_not_allowed",
        405,
        _("This address takes other methods"),
        _("The header Allow names the methods that this address takes."),
    ),
    Kind(
        "too_slow",
        408,
        _("The body came too slowly"),
        _("The body did not come whole in time. Send it again."),
    ),
    Kind("too_large", 413, _("The body is too large"), _("Send less at once.")),
    Kind(
        "unsupported_media_type",
        415,
        _("The body is not sent as JSON"),
        _("Send JSON, with the header Content-Type: application/json."),
    ),
    Kind(
        "unreadable",
        422,
        _("This cannot be read"),
        _("The text fits no form of the notation; the line or the field says where."),
    ),
    Kind(
        "refused",
        422,
        _("The rules do not allow this"),
        _("It can be read, but not be played; the line or the field says where."),
    ),
    Kind(
        "not_as_expected",
        422,
        _("The game did not come out as expected"),
        _("An “expect” or a “refuse” of the game does not hold; the line says which."),
    ),
    Kind(
        "too_much",
        422,
        _("This is too much to play at once"),
        _("A game this long, or with so many corrections, is left to the command line."),
    ),
    Kind(
        "too_many_requests",
        429,
        _("Too many requests"),
        _("Wait as many seconds as the header Retry-After says."),
    ),
    Kind("broken", 500, _("Something broke on our side"), _("Nothing was recorded. It has been noted here.")),
    Kind(
        "unavailable",
        503,
        _("Not available just now"),
        _("Nothing was recorded. Try again in a few seconds."),
    ),
)
KINDS: Mapping[str, Kind] = {kind.code: kind for kind in _KINDS}


class Problem(Exception):
    """What is wrong with a request: its kind, its own sentence if there is one, and where it stands.

    `field` is a part of the body or the address, `line` one of a game as text, `event` one of a game as JSON.
    """

    def __init__(
        self,
        code: str,
        detail: Text | None = None,
        *,
        field: str = "",
        line: int | None = None,
        event: int | None = None,
    ) -> None:
        self.kind = KINDS[code]
        self.detail = detail or self.kind.detail
        self.place = {"field": field or None, "line": line, "event": event}
        super().__init__(f"{code}: {self.detail}")

    @property
    def body(self) -> dict[str, object]:
        """The problem as it is sent, in the active language."""
        said = translate(self.detail)
        return {
            "type": f"{REFERENCE}#{self.kind.code}",
            "title": translate(self.kind.title),
            "status": self.kind.status,
            "detail": said if len(said) <= LONGEST_DETAIL else f"{said[:LONGEST_DETAIL]}…",
            "code": self.kind.code,
            **{name: where for name, where in self.place.items() if where is not None},
        }


@contextmanager
def found_at(field: str, *, line: int | None = None, event: int | None = None) -> Iterator[None]:
    """Makes a problem of what is unreadable or refused inside; `field` where that does not name its own."""
    try:
        yield
    except Unreadable as wrong:
        raise Problem("misshapen", wrong.problems[0], field=field, event=event) from None
    except NotationError as wrong:
        raise Problem("unreadable", wrong.text, field=field, line=line, event=event) from None
    except RuleError as refusal:
        event = event or (refusal.number if line is None else None)
        raise Problem("refused", refusal.text, field=refusal.field or field, line=line, event=event) from None


def answer(raised: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer to whatever an endpoint raised; None for a fault of ours, which the site itself answers."""
    problem = _problem_of(raised)
    if problem is None:
        return None
    headers = {}
    wait = getattr(raised, "wait", None)  # of Throttled, where it is known
    if wait is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    elif problem.kind.code == "unavailable":
        headers["Retry-After"] = str(AGAIN_AFTER)
    return Response(problem.body, status=problem.kind.status, content_type=MEDIA_TYPE, headers=headers)


_CODES: Mapping[type[Exception], str] = {
    exceptions.ParseError: "malformed",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "too_many_requests",
    exceptions.NotAuthenticated: "forbidden",
    exceptions.AuthenticationFailed: "forbidden",
    exceptions.PermissionDenied: "forbidden",
    django_exceptions.PermissionDenied: "forbidden",
    exceptions.NotFound: "not_found",
    Http404: "not_found",
    django_exceptions.BadRequest: "bad_request",
    django_exceptions.SuspiciousOperation: "bad_request",
}


def _problem_of(raised: Exception) -> Problem | None:
    if isinstance(raised, Problem):
        return raised
    return next((Problem(code) for known, code in _CODES.items() if isinstance(raised, known)), None)


def answer_beside(request: HttpRequest, status: int) -> HttpResponse:
    """The problem for what went wrong before or beside an endpoint; `status` says which."""
    kind = next(kind for kind in KINDS.values() if kind.status == status)
    headers = {"Retry-After": str(AGAIN_AFTER)} if status == KINDS["unavailable"].status else None
    body = Problem(kind.code).body
    return JsonResponse(
        body,
        status=status,
        content_type=MEDIA_TYPE,
        headers=headers,
        json_dumps_params={"ensure_ascii": False},
    )
