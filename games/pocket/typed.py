"""Typed facts: an entry of a form that waited on a phone, read as its page reads it and recorded once.

Four forms can wait: a round, a re-entry answer, a payment of the accounts and a tick at a line of a game. A fact holds the
fields as they were typed, so a form that changes later is still read by the reader it has then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.http import Http404

from games.book import Book
from games.locks import StaleGame
from games.models import KEY_LENGTH, Game, Member, Method, Table
from games.money.amendments import Words
from games.money.balances import People
from games.money.payments import note_payment
from games.money.ticks import note_tick
from games.notebook.fields import Fields, Unreadable
from games.play.recording import LONGEST_LOG, record, solve_beforehand
from games.scoring.events import (
    Corrected,
    Event,
    NightImported,
    PlayerReentered,
    PlayerStayedOut,
    RoundPlayed,
    effective,
    renamed,
)
from games.scoring.replay import replay
from games.scoring.rounds import RoundEntry
from games.scoring.state import GameState
from games.scoring.words import _

TYPED = "typed"
ROUND, REENTRY, PAYMENT, TICK = "round", "reentry", "payment", "tick"
OF_GAMES, OF_MONEY = (ROUND, REENTRY), (PAYMENT, TICK)
PARTS = ("kind", "table", "game", "at", "form", "fields", "after", "key", "corrects")
LONGEST_FIELD = 500
MOST_FIELDS = 100
ANSWERS: Mapping[str, type[PlayerReentered] | type[PlayerStayedOut]] = {
    "reenter": PlayerReentered,
    "stay_out": PlayerStayedOut,
}


class FormRefused(Exception):
    """A form that its own reader refuses, with the sentences its page would show."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(*sentences)
        self.sentences = sentences


@dataclass(frozen=True)
class Readers:
    """The readers of the forms that wait. They are the pages' own, so the layer of the views passes them in.

    `round` returns the entry and what its page would say is wrong with it. `payment` raises FormRefused. `unanswered` is
    the sentence for a round that comes before a re-entry answer.
    """

    round: Callable[[Mapping[str, str], GameState], tuple[RoundEntry, Sequence[str]]]
    payment: Callable[[Mapping[str, str], Table], tuple[Member, Member, Words]]
    unanswered: Callable[[GameState], str]


@dataclass(frozen=True)
class Typed:
    """An entry of a form: its fields, the last event its page had shown, and its key."""

    form: str
    fields: Mapping[str, str]
    after: int
    key: str
    corrects: (
        int | None
    )  # the round that this one replaces, which was recorded under the same key with other hands

    @classmethod
    def read(cls, parts: Fields) -> Typed:
        """Read the parts of a typed fact; raise Unreadable for a form that cannot wait."""
        form = form_of(parts)
        values = parts.part("fields")
        if not isinstance(values, dict) or len(values) > MOST_FIELDS:
            raise Unreadable(_("This should be an object with named parts."), field="fields")
        fields = Fields(values, *values)
        corrects = parts.whole("corrects", least=2, most=LONGEST_LOG) if parts.has("corrects") else None
        return cls(
            form,
            {name: fields.text(name, longest=LONGEST_FIELD) for name in values},
            parts.whole("after", least=0, most=LONGEST_LOG),
            parts.text("key", longest=KEY_LENGTH),
            corrects,
        )


def form_of(parts: Fields) -> str:
    """Return the form that was typed; raise Unreadable for one that cannot wait."""
    form = parts.part("form")
    if form not in (*OF_GAMES, *OF_MONEY):
        raise Unreadable(_("“{name}” is not known here.", name=str(form)[:40]), field="form")
    return str(form)


# --- rounds and re-entry answers --------------------------------------------------------------------------------------


def prepare_entry(game: Game, typed: Typed, readers: Readers) -> Event | None:
    """Return the event that the entry becomes; None where exactly that event stands in its place already.

    Call it before the table is locked: it solves the hands. Raise StaleGame where the game went on otherwise, and Http404
    for a night of an old notebook.
    """
    log = _log_of(game)
    _refuse_old_night(log)
    known = game.records.filter(key=typed.key).values_list("number", flat=True).first()
    if known is None and len(log) != typed.after:
        if stands_already(game, typed, readers):
            return None
        raise StaleGame(after=typed.after, since=game.log()[max(typed.after, 0) :])
    # An entry sent again is read as it was the first time, when others may still have been in the game.
    seen = log[: known - 1] if known is not None else log
    event = _event(typed, seen, readers, is_checked=known is None and game.discarded_at is None)
    solve_beforehand(game, event)
    return event


def events_of(typed: Typed, log: Sequence[Event], readers: Readers) -> tuple[Event, ...]:
    """Return the event that the entry would be after this log; none for a payment."""
    return (_event(typed, log, readers, is_checked=True),) if typed.form in OF_GAMES else ()


def _event(typed: Typed, log: Sequence[Event], readers: Readers, *, is_checked: bool) -> Event:
    """Return the entry as an event after this log; raise FormRefused if it `is_checked` and incomplete."""
    state = replay(tuple(log if typed.corrects is None else log[: typed.corrects - 1]))
    if typed.form == REENTRY:
        return _answer(typed, state, readers)
    entry, problems = readers.round(typed.fields, state)
    if is_checked and not state.is_over:
        if state.pending:
            raise FormRefused(readers.unanswered(state))
        if problems:
            raise FormRefused(*problems)
    played = RoundPlayed(entry)
    return played if typed.corrects is None else Corrected(typed.corrects, played)


def _answer(typed: Typed, state: GameState, readers: Readers) -> Event:
    answer = ANSWERS.get(typed.fields.get("answer", ""))
    if answer is None and state.pending:
        raise FormRefused(readers.unanswered(state))
    return (answer or PlayerStayedOut)(typed.fields.get("player", ""))


def stands_already(game: Game, typed: Typed, readers: Readers) -> bool:
    """Return whether the event after the last one the person had seen is the entry itself, recorded by another phone.

    Only that event counts: a round later in the game with the same hands is another round.
    """
    log = _log_of(game)
    standing = dict(effective(log)).get(typed.after + 1)
    if typed.form == REENTRY:
        answer = ANSWERS.get(typed.fields.get("answer", ""))
        return answer is not None and standing == answer(typed.fields.get("player", ""))
    if not isinstance(standing, RoundPlayed) or typed.corrects is not None:
        return False
    entry, problems = readers.round(typed.fields, replay(log[: typed.after]))
    return not problems and entry.is_same_as(standing.entry)


def record_entry(game: Game, typed: Typed, event: Event, readers: Readers, *, by: User, at: datetime) -> None:
    """Record the prepared event, once. Another phone may have recorded just that since it was prepared."""
    try:
        record(game, event, after=typed.after, key=typed.key, by=by, at=at)
    except StaleGame:
        if not stands_already(game, typed, readers):
            raise


def _refuse_old_night(log: Sequence[Event]) -> None:
    """Raise Http404 for a night of an old notebook, which has neither rounds nor lines to tick."""
    if isinstance(log[0], NightImported):
        raise Http404


def _log_of(game: Game) -> tuple[Event, ...]:
    """Return the log with the names that people have today, which is how pages speak of them."""
    names = {member.slug: member.name for member in People.of(game.table).members}
    return renamed(Book.read(game).log, names)


# --- payments and ticks -----------------------------------------------------------------------------------------------


# They get the time of the sync, not of the entry: duplicates of other phones are looked for among the payments that the
# site has recorded since, and one dated back would be overlooked.


def record_payment(table: Table, typed: Typed, readers: Readers, *, by: User, is_claimed: bool) -> None:
    """Record a payment of the accounts as it was entered, without asking for confirmation."""
    payer, payee, words = readers.payment(typed.fields, table)
    game = table.games.filter(code=typed.fields.get("game", "")).first()
    note_payment(
        table, payer, payee, words.amount, method=words.method, note=words.note, day=words.day,
        key=typed.key, by=by, on_result_of=game, is_claimed=is_claimed,
    )  # fmt: skip


def record_tick(game: Game, typed: Typed, readers: Readers, *, by: User) -> None:
    """Record the tick at a line of a game, with the pair and the amount as they stood on the phone."""
    _refuse_old_night(_log_of(game))
    fields = {**typed.fields, "method": Method.CASH.value}
    payer, payee, words = readers.payment(fields, game.table)
    note_tick(game, payer, payee, words.amount, after=typed.after, key=typed.key, by=by)
