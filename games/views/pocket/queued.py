"""The addresses that scripts of older releases send an entry to, from a tab that stays open across an upgrade.

Such a script posts the fields of one form and knows two answers: the key of what was recorded, or sentences. The entry is
recorded as a typed fact, like all others (`pocket.py`). Without an answer it would wait until that tab is loaded anew.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.timezone import now
from django.views.decorators.http import require_POST

from games.keys import KeyReused
from games.locks import StaleGame
from games.people.access import open_to, table_open_to
from games.pocket.taking import Broken, take
from games.pocket.typed import PAYMENT, REENTRY, ROUND, TICK, TYPED
from games.views.common.context import person_of
from games.views.common.opened import user_of
from games.views.common.recording import CONFLICT, FORBIDDEN, MISSING, UNPROCESSABLE, sent_after
from games.views.pocket.answers import answers_for
from games.views.pocket.typed import READERS

BROKEN = 500
STATUSES = {
    StaleGame: CONFLICT,
    KeyReused: CONFLICT,
    PermissionDenied: FORBIDDEN,
    Broken: BROKEN,
}
OF_THE_ANSWER = ("sentences", "numbers", "recorded", "spent")
OF_THE_WIRE = ("after", "key", "person", "csrfmiddlewaretoken")


@require_POST
def queued(request: HttpRequest, code: str) -> HttpResponse:
    """Record a round or a re-entry answer."""
    return _record(request, REENTRY if "answer" in request.POST else ROUND, game=code)


@require_POST
def queued_dues(request: HttpRequest, code: str) -> HttpResponse:
    """Record the tick at a line of a game."""
    return _record(request, TICK, game=code)


@require_POST
def queued_payment(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a payment of the accounts."""
    return _record(request, PAYMENT, table=table_code)


def _record(request: HttpRequest, form: str, *, table: str = "", game: str = "") -> HttpResponse:
    """Record the posted entry as a fact. What another person entered waits on: 403, or 404 to one without a grant."""
    if request.POST.get("person", "") != person_of(request) or not request.user.is_authenticated:
        (open_to if game else table_open_to)(request, game or table)
        raise PermissionDenied
    key = request.POST.get("key", "")
    fields = {name: text for name, text in request.POST.items() if name not in OF_THE_WIRE}
    fact = {
        **{"kind": TYPED, "table": table, "game": game, "at": now().isoformat(), "form": form},
        **{"fields": fields, "after": sent_after(request), "key": key},
    }
    (outcome,) = take([fact], user_of(request), READERS)
    (answer,) = answers_for(request, [fact], [outcome])
    wanted = {name: answer[name] for name in OF_THE_ANSWER if name in answer}
    if "here" in answer:  # such a script shows what was recorded meanwhile, and counts on from there
        wanted |= {"sentences": [*answer["sentences"], *answer["here"][:-1]], "seen": answer["now"]}
    if outcome.why is None:
        return JsonResponse({**wanted, "key": key})
    status = MISSING if isinstance(outcome.why, Http404) else STATUSES.get(type(outcome.why), UNPROCESSABLE)
    return JsonResponse(wanted, status=status)
