"""Problem details of RFC 9457, which drf-standardized-errors does not write: a code and a translated text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from django.core import exceptions as django_exceptions
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.settings import api_settings

from games.common import amounts, db_errors, texts
from games.common.lanes import LaneFull
from games.common.locks import IdempotencyKeyReused, StaleData, StaleGame
from games.common.roles import RoleRequired
from games.models import Game
from games.scoring.errors import NotationError, RefusalCode, RuleError, ScoringError
from games.scoring.i18n import Text, _
from games.scoring.text.codec import to_data

MEDIA_TYPE = "application/problem+json"
REFERENCE = "/api/problems/"  # the page that explains each kind under its code
LONGEST_DETAIL = 500


@dataclass(frozen=True)
class ProblemType:
    """A kind of problem: its code, HTTP status and default explanation."""

    code: str
    status: int
    detail: Text


_PROBLEM_TYPES = (
    ProblemType("bad_request", 400, _("The address, a header or a field is malformed.")),
    ProblemType(
        "malformed",
        400,
        _(
            "Send one JSON value in UTF-8, not nested too deeply, without unpaired surrogates or "
            "infinite numbers."
        ),
    ),
    ProblemType("misshapen", 400, _("A part is missing, unknown or of another type; the field says which.")),
    ProblemType(
        "unauthenticated", 401, _("This needs a valid token (Authorization: Bearer) or a signed-in session.")
    ),
    ProblemType("forbidden", 403, _("Your role does not allow this. “role” names the one you need.")),
    ProblemType("read_only", 403, _("This token only reads. Nothing was recorded; use another token.")),
    ProblemType(
        "not_found", 404, _("There is nothing at this address, or you or your token can't access it.")
    ),
    ProblemType("method_not_allowed", 405, _("The header Allow lists the methods of this address.")),
    ProblemType(
        "stale",
        409,
        _(
            "Nothing was recorded, because it has changed since you read it. Read it again, "
            "then decide whether to send it."
        ),
    ),
    ProblemType(
        "key_reused",
        409,
        _("The key belongs to an earlier entry with other content. Nothing was recorded; use a new key."),
    ),
    ProblemType(
        "unusual",
        409,
        _("Nothing was recorded. To confirm, send it again with the field named in “field” set to true."),
    ),
    ProblemType(
        "here_already",
        409,
        _(
            "You have a table with games from this file: “table” has its code. Send the file to "
            "?again=true to make a second one."
        ),
    ),
    ProblemType("too_large", 413, _("Send it in smaller parts.")),
    ProblemType("address_too_long", 414, _("This address is too long.")),
    ProblemType(
        "unsupported_media_type", 415, _("Send JSON, with the header Content-Type: application/json.")
    ),
    ProblemType("unreadable", 422, _("The text is not in the notation; “line” or “field” says where.")),
    ProblemType("refused", 422, _("It is well-formed but breaks a rule; “line” or “field” says where.")),
    ProblemType("not_as_expected", 422, _("An “expect” or “refuse” in the game fails; “line” says which.")),
    ProblemType(
        "too_much", 422, _("This game is too long or has too many corrections. Use the command line.")
    ),
    ProblemType("too_many_requests", 429, _("Wait the number of seconds in the header Retry-After.")),
    ProblemType("broken", 500, _("Nothing was recorded. The error was logged.")),
    ProblemType("unavailable", 503, _("Nothing was recorded. Try again in a few seconds.")),
)
CSRF_FAILED = _("The CSRF token is missing or wrong (X-CSRFToken).")
PROBLEM_TYPES: Mapping[str, ProblemType] = {kind.code: kind for kind in _PROBLEM_TYPES}


class ApiProblem(Exception):
    """A problem with a request: its kind, an explanation of this case, and the place in the request.

    `field` names a field of the body, a parameter of the URL or a header; `pointer` is the JSON pointer to a
    part of the body; `line` is the number of a line in a game sent as text; `number` is that of an event in
    the log of the game. For a stale write, `game_version` (also called `version`) is the present one, and
    `since` are the events that the client has not seen. `role` is the role that the request lacks, `table`
    the code of a table already imported from the same file.
    """

    def __init__(
        self, code: str, detail: Text | None = None, **place: str | int | Sequence[object] | None
    ) -> None:
        self.kind = PROBLEM_TYPES[code]
        self.detail = detail or self.kind.detail
        self.place = {name: value for name, value in place.items() if value not in (None, "", ())}
        super().__init__(f"{code}: {self.detail}")

    @classmethod
    def of(cls, errors: Any, code: str = "misshapen") -> ApiProblem:
        """Return a problem for the first of a serializer's errors."""
        path: list[str] = []
        while not isinstance(errors, str):
            if isinstance(errors, dict):
                name, errors = next((name, error) for name, error in errors.items() if error)
                path.append(str(name))
            else:
                place, errors = next((place, error) for place, error in enumerate(errors) if error)
                path += [] if isinstance(errors, str) else [str(place)]
        sentence = Text("{sentence}", {"sentence": str(errors)})
        path = [step for step in path if step != api_settings.NON_FIELD_ERRORS_KEY]
        pointer = f"#/{'/'.join(path)}" if len(path) > 1 else ""
        return cls(code, sentence, field=path[0] if path else "", pointer=pointer)

    def body(self, money: Callable[[int], str] = str) -> dict[str, object]:
        """Return the problem as JSON in the active language; `money` formats amounts in the explanation."""
        detail = texts.translate(self.detail, money)
        return {
            "type": f"{REFERENCE}#{self.kind.code}",
            "status": self.kind.status,
            "detail": detail if len(detail) <= LONGEST_DETAIL else f"{detail[:LONGEST_DETAIL]}…",
            "code": self.kind.code,
            **self.place,
        }


@contextmanager
def as_problem(field: str, *, pointer: str = "") -> Iterator[None]:
    """Turn a refusal raised inside the `with` block into an ApiProblem about this place.

    `pointer` is the JSON pointer to a part of the body. A refusal that names a field itself keeps it.
    """
    try:
        yield
    except ScoringError as refusal:
        known = problem_for(refusal)
        assert known is not None
        place = {**known.place, "field": getattr(refusal, "field", "") or field, "pointer": pointer}
        raise ApiProblem(known.kind.code, known.detail, **place) from None


def problem_code(refusal: RuleError) -> str:
    """Return the problem code of a refusal: "too_much" for too many calculation steps, or "refused"."""
    return "too_much" if refusal.code is RefusalCode.TOO_MUCH else "refused"


def exception_handler(raised: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the response to an exception of an endpoint; Django REST framework calls this.

    `context` has the endpoint as `view`. For an unexpected exception return None: Django then answers with
    its usual error page.
    """
    table, game = (getattr(context["view"], name, None) for name in ("table", "game"))
    problem = _stale(raised, game) if isinstance(raised, StaleGame) and game else problem_for(raised)
    if problem is None:
        return None
    headers = {}
    wait = getattr(raised, "wait", None)  # seconds; only rate limits and a full lane have it
    if wait is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    elif problem.kind.code == "unavailable":
        headers["Retry-After"] = str(db_errors.RETRY_AFTER)
    elif problem.kind.code == "unauthenticated":
        headers["WWW-Authenticate"] = str(getattr(raised, "auth_header", ""))
    body = problem.body(str if table is None else amounts.money_formatter(table))
    return Response(body, status=problem.kind.status, content_type=MEDIA_TYPE, headers=headers)


@singledispatch
def problem_for(raised: Exception) -> ApiProblem | None:
    """Return the problem for an exception; None for an unexpected one. Packages register their own."""
    match raised:
        case ApiProblem():
            return raised
        case LaneFull():
            return ApiProblem("too_many_requests")
        case serializers.ValidationError():
            return ApiProblem.of(raised.detail)
        case NotationError():
            return ApiProblem("unreadable", raised.text, field=raised.field)
        case RuleError():
            return ApiProblem(problem_code(raised), raised.text, field=raised.field, number=raised.number)
        case StaleData():
            return ApiProblem("stale")
        case IdempotencyKeyReused():
            return ApiProblem("key_reused")
        case RoleRequired():
            return ApiProblem("forbidden", _role_needed(raised), role=raised.needed)
        case exceptions.PermissionDenied() if str(raised.detail).startswith("CSRF"):
            return ApiProblem("forbidden", CSRF_FAILED)
        case django_exceptions.PermissionDenied() if str(raised):
            return ApiProblem("forbidden", Text("{sentence}", {"sentence": str(raised)}))
        case exceptions.ParseError():
            return ApiProblem("malformed")
        case exceptions.APIException():
            return ApiProblem(_error_code(raised.status_code))
        case Http404():
            return ApiProblem("not_found")
        case django_exceptions.PermissionDenied():
            return ApiProblem("forbidden")
        case django_exceptions.BadRequest() | django_exceptions.SuspiciousOperation():
            return ApiProblem("bad_request")
        case _:
            return None


def question_problem(question: str, *, field: str = "sure") -> ApiProblem:
    """Return the problem that asks to confirm something unusual by sending it again with this field."""
    return ApiProblem("unusual", Text("{sentence}", {"sentence": question}), field=field)


def _error_code(status: int) -> str:
    """Return the code of the first kind of problem with this HTTP status."""
    return next(kind.code for kind in PROBLEM_TYPES.values() if kind.status == status)


def _role_needed(missing: RoleRequired) -> Text:
    """Return the exception's own sentence or, if it has none, a sentence that names the missing role."""
    if str(missing):
        return Text("{sentence}", {"sentence": str(missing)})
    return _("This needs the role “{role}” at the table, for you and your token.", role=missing.needed)


def _stale(raised: StaleGame, game: Game) -> ApiProblem:
    """Return the problem for a client that has not seen the game's last events, with those events."""
    since = [
        {"number": number, "kind": event.kind, "data": to_data(event)}
        for number, event in enumerate(raised.since, start=max(raised.after, 0) + 1)
    ]
    version = game.records.count()
    ahead = _("The last event is number {number}.", number=version) if raised.after > version else None
    return ApiProblem("stale", ahead, game_version=version, version=version, since=since or None)


def problem_response(request: HttpRequest, status: int) -> HttpResponse:
    """Return a response with the problem for this HTTP status, for an error raised outside an endpoint."""
    headers = (
        {"Retry-After": str(db_errors.RETRY_AFTER)} if status == PROBLEM_TYPES["unavailable"].status else None
    )
    return JsonResponse(
        ApiProblem(_error_code(status)).body(),
        status=status,
        content_type=MEDIA_TYPE,
        headers=headers,
        json_dumps_params={"ensure_ascii": False},
    )
