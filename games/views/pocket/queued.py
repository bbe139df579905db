"""The addresses to which scripts of older releases send entries, from a tab left open during an upgrade.

Such a script posts the fields of one form. It expects the key of the recorded entry, or error messages.
The entry is recorded as a fact (an unsent change), like the facts in `pocket.py`. Without these
addresses the entry would wait until the tab is reloaded.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.timezone import now
from django.views.decorators.http import require_POST

from games.keys import KeyReused
from games.locks import StaleGame
from games.models import Game
from games.money.ticks import seen_at
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
    Http404: MISSING,
    StaleGame: CONFLICT,
    KeyReused: CONFLICT,
    PermissionDenied: FORBIDDEN,
    Broken: BROKEN,
}
OF_THE_ANSWER = ("sentences", "numbers", "recorded", "spent")
OF_THE_WIRE = ("after", "key", "person", "csrfmiddlewaretoken")


@require_POST
def queued(request: HttpRequest, code: str) -> HttpResponse:
    """Record a round, or the answer of a bust player."""
    return _record(request, REENTRY if "answer" in request.POST else ROUND, game=code)


@require_POST
def queued_dues(request: HttpRequest, code: str) -> HttpResponse:
    """Record that a payment owed for a game was made."""
    return _record(request, TICK, game=code)


@require_POST
def queued_payment(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a payment in the accounts."""
    return _record(request, PAYMENT, table=table_code)


def _record(request: HttpRequest, form: str, *, table: str = "", game: str = "") -> HttpResponse:
    """Record the posted entry like a fact that a phone sends, and return the answer that older scripts expect.

    `form` is the kind of entry, `game` or `table` the code of its game or table. An entry that somebody else
    made on this phone, i.e. not the signed-in user, is refused and waits there. The status is then 403, or 404
    if the signed-in user has no access to the table.
    """
    if request.POST.get("person", "") != person_of(request) or not request.user.is_authenticated:
        (open_to if game else table_open_to)(request, game or table)
        raise PermissionDenied
    key = request.POST.get("key", "")
    fields = {name: text for name, text in request.POST.items() if name not in OF_THE_WIRE}
    fact = {
        **{"kind": TYPED, "table": table, "game": game, "at": _at(request, form, game), "form": form},
        **{"fields": fields, "after": sent_after(request), "key": key},
    }
    (outcome,) = take([fact], user_of(request), READERS)
    (answer,) = answers_for(request, [fact], [outcome])
    wanted = {name: answer[name] for name in OF_THE_ANSWER if name in answer}
    if "here" in answer:  # an older script shows these events and takes `seen` as the last one it knows
        wanted |= {"sentences": [*answer["sentences"], *answer["here"][:-1]], "seen": answer["now"]}
    if outcome.why is None:
        return JsonResponse({**wanted, "key": key})
    statuses = (status for kind, status in STATUSES.items() if isinstance(outcome.why, kind))
    return JsonResponse(wanted, status=next(statuses, UNPROCESSABLE))


def _at(request: HttpRequest, form: str, code: str) -> str:
    """Return the time of the entry in ISO format: the present moment, because an older script sends no time.

    For a due (a payment owed for a game) that was ticked off as paid, return the moment of the last event
    that the phone had seen. An equal payment recorded after that moment may be the same one.
    """
    game = Game.objects.filter(code=code).first() if form == TICK else None
    return (seen_at(game, sent_after(request)) if game else now()).isoformat()
