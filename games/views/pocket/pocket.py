"""The copy of the books that a phone takes along, for whoever is signed in on it, and what it brings back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods

from games.keys import KeyReused
from games.locks import StaleGame
from games.money.balances import StaleAccounts
from games.notebook.fields import Fields, Unreadable
from games.people.lending import loan_of
from games.pocket.copying import copy_for
from games.pocket.payments import Fact
from games.pocket.taking import MOST_FACTS, Answer, events_of, take
from games.scoring.admission import MOST_STEPS
from games.scoring.effort import counted
from games.scoring.errors import ScoringError
from games.scoring.events import Event
from games.scoring.words import _
from games.shown.common.sentences import translate
from games.shown.pocket.continuations import went_on
from games.views.common.context import person_of, theme
from games.views.common.opened import open_game
from games.views.common.recording import UNPROCESSABLE, refused_by

KEPT = "private, no-cache"  # by who asks, and never shown without asking again


@require_http_methods(["GET", "POST"])
@gzip_page
def pocket(request: HttpRequest) -> HttpResponseBase:
    """The copy as JSON, or what became of what the phone brings; 403 on a phone that was lent, which takes nothing of
    others along."""
    if not isinstance(request.user, User):
        return redirect("login")
    if loan_of(request) is not None:
        raise PermissionDenied
    return _taken(request, request.user) if request.method == "POST" else _copy(request, request.user)


def _copy(request: HttpRequest, user: User) -> HttpResponseBase:
    """The copy; 304 for who has it as it is."""
    text = json.dumps(copy_for(user), separators=(",", ":"))
    mark = f'"{sha256(text.encode()).hexdigest()[:32]}"'
    headers = {"ETag": mark, "Cache-Control": KEPT, "Vary": "Cookie"}
    response = HttpResponse(text, content_type="application/json", headers=headers)
    answer = get_conditional_response(request, etag=mark, response=response) or response
    answer.headers["X-Theme"] = theme(request)["theme"]  # of this phone, which tells its own pages
    answer.headers["X-Token"] = get_token(request)  # for their forms, where those go to the site after all
    return answer


def _taken(request: HttpRequest, user: User) -> HttpResponseBase:
    """What became of each fact, in order, or of the first of them; 422 with what is wrong where nothing of the kind was
    sent.

    What one person did is never taken as another's who has the phone since: 403, and it waits on.
    """
    try:
        sent = Fields(json.loads(_json(request)), "person", "facts")
        facts = sent.list_of("facts", most=MOST_FACTS)
        whose = sent.part("person")
    except (ValueError, RecursionError):
        return _unreadable(Unreadable(_("This is not a JSON file, or not a whole one.")))
    except Unreadable as wrong:
        return _unreadable(wrong)
    if whose != person_of(request):
        raise PermissionDenied
    answers = list(_within_reason(take(facts, user)))
    return JsonResponse({"answers": list(_said(request, facts[: len(answers)], answers))})


def _within_reason(taken: Iterator[Answer]) -> Iterator[Answer]:
    """As many answers as one request may work for: the phone sends the facts behind them once more."""
    with counted() as effort:
        for answer in taken:
            yield answer
            if effort.taken > MOST_STEPS:
                return


def _json(request: HttpRequest) -> bytes:
    """The body; nothing of a form, which was read before."""
    return request.body if request.content_type == "application/json" else b""


def _unreadable(wrong: Unreadable) -> HttpResponse:
    return JsonResponse({"sentences": _in_words(wrong)}, status=UNPROCESSABLE)


# --- what became of each ----------------------------------------------------------------------------------------------


def _said(request: HttpRequest, facts: Sequence[Fact], answers: Sequence[Answer]) -> Iterator[dict[str, Any]]:
    """The answers, each with why; of a game that went on in two ways with both of them."""
    for place, answer in enumerate(answers):
        said: dict[str, Any] = {"status": answer.status, "game": answer.game}
        if isinstance(answer.why, StaleGame):
            later = zip(facts[place:], answers[place:], strict=True)
            there = [event for fact, one in later if one.game == answer.game for event in events_of(fact)]
            said |= _both_ways(request, answer.game, answer.why, there)
        elif answer.why is not None:
            said["sentences"] = _in_words(answer.why)
        yield said


def _both_ways(request: HttpRequest, code: str, stale: StaleGame, there: Sequence[Event]) -> dict[str, Any]:
    """How a game went on here up to which number, and how on the phone."""
    opened = open_game(request, code, or_old_night=True)
    refused = refused_by(stale, opened)
    return {
        "title": f"{translate(opened.state.variant.name)} · {opened.table.name}",
        "now": stale.after + len(stale.since),
        "sentences": [*refused.errors.values(), *filter(None, [refused.news])],
        "here": went_on(opened.game, stale.after, stale.since) if stale.since else [],
        "there": went_on(opened.game, stale.after, there),
    }


def _in_words(why: Exception) -> list[str]:
    """Why a fact is held, where nobody else was first."""
    match why:
        case Unreadable():
            return [translate(problem) for problem in why.problems]
        case ScoringError():
            return [translate(why.text)]
        case KeyReused():
            return [gettext("This was recorded already, with something else. Look at the sheet.")]
        case StaleAccounts():
            return [gettext("Something changed meanwhile; this is how the accounts stand now.")]
        case PermissionDenied():
            return [gettext("You can watch this table, but not write")]
        case _:
            return [gettext("This game is not open to you on this phone any more.")]
