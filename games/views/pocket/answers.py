"""The answers of the server to each fact (an unsent change made on a phone).

An answer is sent as JSON. It has the outcome, the reason if the fact is held (not recorded yet), and values
of its game's present state. In the functions, `why` is the exception that held the fact, and `page` its game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.timezone import now
from django.utils.translation import gettext

from games.keys import KeyReused
from games.locks import StaleGame
from games.models import TABLE_NAME_LENGTH, Table
from games.money.balances import People, StaleAccounts
from games.money.booking import TakenBack
from games.notebook.fields import Fields, Unreadable
from games.people.access import Visitor, game_for, table_for
from games.people.tables import TooManyTables
from games.play.moments import SeasonClosed
from games.pocket.opening import OPENED, OpenedElsewhere
from games.pocket.payments import PAID, TURNED, Fact, meant_payment
from games.pocket.taking import BROUGHT, Answer, Broken, check_fact, events_of
from games.pocket.typed import OF_GAMES, OF_MONEY, TYPED, FormRefused
from games.scoring.effort import spend
from games.scoring.errors import ScoringError
from games.scoring.events import Event, RoundPlayed, effective
from games.shown.common.amounts import money, money_of
from games.shown.common.continuations import went_on
from games.shown.common.sentences import translate
from games.shown.money.accounts import payment_in_words as shown_payment
from games.shown.play.numbers import numbers_of
from games.shown.pocket.rescued import is_payment, payment_in_words
from games.views.common.opened import OpenGame, open_game
from games.views.common.recording import meanwhile, number_under
from games.views.pocket.typed import READERS, read_paid

CONFLICT = 40_000  # computing steps charged for both versions of a game in words: a few milliseconds


def answers_for(
    request: HttpRequest, facts: Sequence[Fact], outcomes: Iterable[Answer]
) -> Iterator[dict[str, Any]]:
    """Yield the answer to each fact, as soon as its outcome is known.

    The answer to a conflict has the game's events on the server and on the phone.
    """
    last_entries = {_game_of(fact): place for place, fact in enumerate(facts) if _is_typed(fact, OF_GAMES)}
    for place, outcome in enumerate(outcomes):
        answer: dict[str, Any] = {"status": outcome.status, "game": outcome.game}
        if outcome.table:
            answer["table"] = outcome.table
        if outcome.why is not None:
            answer |= _held(request, facts[place:], outcome)
        if outcome.game and last_entries.get(_game_of(facts[place])) == place:
            answer |= _numbers(request, outcome)
        yield answer


def _numbers(request: HttpRequest, outcome: Answer) -> dict[str, Any]:
    """Return the values with which a phone without a network computes the next round of the fact's game.

    They are under the name `numbers`, e.g. the points of each card and the price of a re-entry. Return {} if
    the user cannot open the game.
    """
    if isinstance(outcome.why, (Http404, PermissionDenied, Broken)):
        return {}
    try:
        page = open_game(request, outcome.game)
    except Http404:
        return {}  # no such game: the fact waits behind a refused one, or came from another phone
    return {"numbers": numbers_of(page.state, len(page.log))}


def _game_of(fact: object) -> str:
    """Return the code of the fact's game on the phone; "" if there is none, or if it cannot be read."""
    game = fact.get("game") if isinstance(fact, dict) else None
    return game if isinstance(game, str) else ""


def _is_typed(fact: object, forms: Sequence[str]) -> bool:
    return isinstance(fact, dict) and fact.get("kind") == TYPED and fact.get("form") in forms


def _held(request: HttpRequest, facts: Sequence[Fact], outcome: Answer) -> dict[str, Any]:
    """Return the part of the answer that says why a fact (an unsent change) is held (not recorded).

    The held fact is the first of `facts`. The others were sent after it; in a conflict, the answer also shows
    those of the same game.
    """
    fact, why = facts[0], outcome.why
    if isinstance(why, StaleGame):
        spend(CONFLICT)
        behind = [one for one in facts if _game_of(one) == _game_of(fact)]
        return _conflict(open_game(request, outcome.game, or_old_night=True), why, behind)
    if isinstance(why, KeyReused) and _is_typed(fact, OF_GAMES):
        spend(CONFLICT)
        return _edited_entry(request, fact, outcome.game)
    is_spent = {"spent": True} if isinstance(why, TakenBack) else {}
    is_broken = {"broken": True} if isinstance(why, Broken) else {}
    is_late = {"late": True} if isinstance(why, SeasonClosed) else {}
    answer = {"sentences": _sentences(request, fact, why), **is_spent, **is_broken, **is_late}
    if isinstance(fact, dict) and fact.get("kind") == OPENED:
        return {**answer, **_not_opened(fact, why)}
    if _is_brought(fact):
        return {**answer, "title": _title_of_brought(request, fact)}
    return {**answer, "gone": True} if isinstance(why, (Http404, PermissionDenied)) else answer


def _is_brought(fact: object) -> bool:
    return isinstance(fact, dict) and fact.get(BROUGHT) is True


def _title_of_brought(request: HttpRequest, fact: Fact) -> str:
    """Return the title with which a page lists a fact that came in another phone's file of unsent entries.

    It is the payment in words, else the name of the table. The phone has no title of its own for the fact,
    because it was not entered there. Return "" if the user may not open the table, or if the fact cannot be
    read.
    """
    try:
        check_fact(fact)
    except (Unreadable, ScoringError):
        return ""
    table = _table_of(request, fact)
    if table is None:
        return ""
    people = People.of(table)
    if is_payment(fact):
        return payment_in_words(fact, table, people, read_paid)
    if fact["kind"] == TURNED:
        payment = meant_payment(table, Fields(fact, *fact))
        if payment is not None:
            return f"{shown_payment(payment, people)}: {money(payment.amount, table)}"
    return table.name


def _not_opened(fact: Fact, why: Exception | None) -> dict[str, Any]:
    """Return what the answer adds about a fact that should open a new table but was refused.

    It has the table's name as `title`. It may also have messages (`sentences`), `gone` (the user has no
    access to the table) and `wait` (the number of seconds until the phone may send the fact again).
    """
    about: dict[str, Any] = {"title": str(fact.get("name", ""))[:TABLE_NAME_LENGTH]}
    if isinstance(why, OpenedElsewhere):
        sentence = gettext(
            "The site has this table already, but you have no access to it. Ask an owner for an invitation, "
            "then send it again."
        )
        return {**about, "sentences": [sentence], "gone": True}
    if isinstance(why, TooManyTables):
        sentence = gettext("This one stays on this phone, and is sent once it can be opened.")
        wait = (why.free_at - now()).total_seconds()
        return {**about, "sentences": [translate(why.text), sentence], "wait": max(ceil(wait), 1)}
    return about


def _conflict(page: OpenGame, stale: StaleGame, facts: Sequence[Fact]) -> dict[str, Any]:
    """Return the answer to a conflict: what happened since the last event that the phone had seen.

    The answer has sentences about the events of the server as `here`, and about those of the phone as
    `there`. `now` is the number of the last event on the server.
    """
    seen = page.log[: max(stale.after, 0)]
    return {
        "title": _title(page),
        "now": stale.after + len(stale.since),
        "sentences": [meanwhile(stale)],
        "here": _went_on(page, seen, stale.since) if stale.since else [],
        "there": _went_on(page, seen, _on_phone(seen, facts)),
    }


def _edited_entry(request: HttpRequest, fact: Fact, code: str) -> dict[str, Any]:
    """Return the answer about an entry that the user edited after the reply to its first version was lost.

    Both versions have the same key, so the server refuses the second one. The answer has both in words, the
    server's as `here` and the phone's as `there`. If the first version was undone meanwhile, it has neither.
    `code` is the code of the game.
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
        "here": _went_on(page, before, [standing]),
        "there": _went_on(page, before, _on_phone(before, [fact])),
    }


def _went_on(page: OpenGame, log: Sequence[Event], events: Sequence[Event]) -> list[str]:
    return went_on(log, events, people=page.people, table=page.table)


def _on_phone(log: Sequence[Event], facts: Sequence[Fact]) -> list[Event]:
    """Return the events of the facts (unsent changes), as they would be recorded after this log."""
    events: list[Event] = []
    for fact in facts:
        events += events_of(fact, (*log, *events), READERS)
    return events


def _title(page: OpenGame) -> str:
    return f"{translate(page.state.variant.name)} · {page.table.name}"


def _sentences(request: HttpRequest, fact: Fact, why: Exception | None) -> list[str]:
    """Return the messages that explain why a fact (an unsent change) is held.

    `_conflict` explains a conflict instead.
    """
    match why:
        case Unreadable():
            return [translate(problem) for problem in why.problems]
        case FormRefused():
            return list(why.sentences)
        case ScoringError():
            return [translate(why.text, _money(request, fact))]
        case KeyReused() if _is_about_money(fact):
            return [gettext("This form already recorded another payment. Check the payments.")]
        case KeyReused():
            return [gettext("This form already recorded another entry. Check the sheet.")]
        case StaleAccounts():
            return [gettext("Not recorded: the accounts have changed. These are the balances now.")]
        case PermissionDenied():
            return [gettext("You can watch this table, but not record")]
        case Broken():
            return [gettext("An error on our side. It was not recorded.")]
        case Http404() if not fact.get("game"):
            return [gettext("This phone no longer has access to this table.")]
        case _:
            return [gettext("This phone no longer has access to this game.")]


def _is_about_money(fact: Fact) -> bool:
    return fact.get("kind") in (PAID, TURNED) or _is_typed(fact, OF_MONEY)


def _money(request: HttpRequest, fact: Fact) -> Any:
    """Return the function that formats amounts of the fact's table.

    Return `str` if the user has no access to the table.
    """
    table = _table_of(request, fact)
    return str if table is None else money_of(table)


def _table_of(request: HttpRequest, fact: Fact) -> Table | None:
    """Return the table of a fact; None if the user has no access to it."""
    visitor = Visitor(request.user)
    try:
        game = fact.get("game")
        return game_for(visitor, game)[0].table if game else table_for(visitor, str(fact.get("table")))[0]
    except (Http404, PermissionDenied):
        return None
