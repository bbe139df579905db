"""The answers of the server to each fact (an unsent change made on a phone).

An answer has the outcome, the reason if the fact is held (not recorded yet), and the present state of its
game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.translation import gettext

from games.keys import KeyReused
from games.locks import StaleGame
from games.money.balances import StaleAccounts
from games.money.booking import TakenBack
from games.notebook.fields import Unreadable
from games.people.access import Visitor, game_for, table_for
from games.pocket.payments import PAID, TURNED, Fact
from games.pocket.taking import Answer, Broken, events_of
from games.pocket.typed import OF_GAMES, OF_MONEY, TYPED, FormRefused
from games.scoring.errors import ScoringError
from games.scoring.events import Event, RoundPlayed, effective
from games.shown.common.amounts import money_of
from games.shown.common.sentences import translate
from games.shown.play.numbers import numbers_of
from games.shown.pocket.continuations import went_on
from games.views.common.opened import OpenGame, open_game
from games.views.common.recording import number_under, refused_by
from games.views.pocket.typed import READERS


def answers_for(
    request: HttpRequest, facts: Sequence[Fact], outcomes: Sequence[Answer]
) -> Iterator[dict[str, Any]]:
    """Yield the answer to each fact.

    The answer to a conflict has the game's events on the server and on the phone.
    """
    sent = list(enumerate(zip(facts, outcomes, strict=True)))
    last_entries = {outcome.game: place for place, (fact, outcome) in sent if _is_typed(fact, OF_GAMES)}
    for place, (_fact, outcome) in sent:
        answer: dict[str, Any] = {"status": outcome.status, "game": outcome.game}
        if outcome.why is not None:
            answer |= _held(request, facts[place:], outcomes[place:])
        is_open = not isinstance(outcome.why, (Http404, PermissionDenied, Broken))
        if is_open and last_entries.get(outcome.game) == place:
            page = open_game(request, outcome.game)
            answer["numbers"] = numbers_of(page.state, len(page.log))
        yield answer


def _is_typed(fact: object, forms: Sequence[str]) -> bool:
    return isinstance(fact, dict) and fact.get("kind") == TYPED and fact.get("form") in forms


def _held(request: HttpRequest, facts: Sequence[Fact], outcomes: Sequence[Answer]) -> dict[str, Any]:
    """Return the reason why the first of these facts (unsent changes) is held, which means not recorded.

    The other facts were sent after the first one.
    """
    (fact, *_others), (outcome, *_later) = facts, outcomes
    why = outcome.why
    if isinstance(why, StaleGame):
        behind = [one for one, other in zip(facts, outcomes, strict=True) if other.game == outcome.game]
        return _both_ways(request, outcome.game, why, behind)
    if isinstance(why, KeyReused) and _is_typed(fact, OF_GAMES):
        return _other_hands(request, fact, outcome.game)
    is_spent = {"spent": True} if isinstance(why, TakenBack) else {}
    is_broken = {"broken": True} if isinstance(why, Broken) else {}
    return {"sentences": _sentences(request, fact, why), **is_spent, **is_broken}


def _both_ways(request: HttpRequest, code: str, stale: StaleGame, facts: Sequence[Fact]) -> dict[str, Any]:
    """Return the answer to a conflict: the later events of the game on the server and on the phone.

    `now` is the number of the last event on the server.
    """
    page = open_game(request, code, or_old_night=True)
    refused = refused_by(stale, page)
    return {
        "title": _title(page),
        "now": stale.after + len(stale.since),
        "sentences": [*refused.errors.values(), *filter(None, [refused.news])],
        "here": went_on(page.game, stale.after, stale.since) if stale.since else [],
        "there": went_on(page.game, stale.after, _on_phone(page.game.log()[: stale.after], facts)),
    }


def _other_hands(request: HttpRequest, fact: Fact, code: str) -> dict[str, Any]:
    """Return both versions of an entry that was edited after the answer to its first version was lost.

    Both versions have the same key, so the server refuses the second one.
    """
    page = open_game(request, code)
    answer: dict[str, Any] = {"title": _title(page), "sentences": _sentences(request, fact, KeyReused())}
    number = number_under(str(fact.get("key")), page)
    standing = dict(effective(page.log)).get(number) if number else None
    if number is None or not isinstance(standing, RoundPlayed):
        return answer  # the first version was undone meanwhile: there is nothing to correct
    before = page.log[: number - 1]
    return {
        **answer,
        "recorded": number,
        "now": len(page.log),
        "here": went_on(page.game, number - 1, [standing]),
        "there": went_on(page.game, number - 1, _on_phone(before, [fact])),
    }


def _on_phone(log: Sequence[Event], facts: Sequence[Fact]) -> list[Event]:
    """Return the events of the facts (unsent changes), as they would be recorded after this log."""
    events: list[Event] = []
    for fact in facts:
        events += events_of(fact, (*log, *events), READERS)
    return events


def _title(page: OpenGame) -> str:
    return f"{translate(page.state.variant.name)} · {page.table.name}"


def _sentences(request: HttpRequest, fact: Fact, why: Exception | None) -> list[str]:
    """Return the messages that explain why a fact (an unsent change) is held, apart from conflicts."""
    match why:
        case Unreadable():
            return [translate(problem) for problem in why.problems]
        case FormRefused():
            return list(why.sentences)
        case ScoringError():
            return [translate(why.text, _money(request, fact))]
        case KeyReused() if _is_about_money(fact):
            return [gettext("This was recorded already, with something else. Look at the payments.")]
        case KeyReused():
            return [gettext("This was recorded already, with something else. Look at the sheet.")]
        case StaleAccounts():
            return [gettext("Something changed meanwhile; this is how the accounts stand now.")]
        case PermissionDenied():
            return [gettext("You can watch this table, but not write")]
        case Broken():
            return [gettext("Something broke on our side, and it was not recorded.")]
        case Http404() if not fact.get("game"):
            return [gettext("This table is not open to you on this phone any more.")]
        case _:
            return [gettext("This game is not open to you on this phone any more.")]


def _is_about_money(fact: Fact) -> bool:
    return fact.get("kind") in (PAID, TURNED) or _is_typed(fact, OF_MONEY)


def _money(request: HttpRequest, fact: Fact) -> Any:
    """Return the function that formats amounts of the fact's table.

    Return `str` if the user has no access to the table.
    """
    visitor = Visitor(request.user)
    try:
        game = fact.get("game")
        table = game_for(visitor, game)[0].table if game else table_for(visitor, str(fact.get("table")))[0]
    except (Http404, PermissionDenied):
        return str
    return money_of(table)
