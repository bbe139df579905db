"""Queued entries: HTML forms that waited on a phone. They are read like the form and recorded once.

Five forms can be queued: a round, the answer to a re-entry, a payment, a tick, which says that a whole debt
was paid, and a player's own hand, sent to the scorer.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404

from games.common import db_errors, event_sentences
from games.common.event_store import EventLog
from games.common.json_reader import InvalidFile, JsonObjectReader
from games.common.locks import IdempotencyKeyReused, StaleGame
from games.models import KEY_LENGTH, Game, Member, Role, Table
from games.money import forms
from games.money.forms import PaymentForm
from games.money.services import payments
from games.money.services.accounting import StaleAccounts
from games.money.services.payments import PaymentQuestion
from games.play.presenters import offered_hands, round_form
from games.play.services import hand_offers, recording, writer
from games.play.services.hand_offers import RoundOver
from games.play.services.snapshots import Snapshot
from games.scoring import corrections
from games.scoring.errors import ScoringError
from games.scoring.events import Event, NightImported, PlayerStayedOut, RoundPlayed, with_names
from games.scoring.i18n import _
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.tables.services import authorization
from games.tables.services.authorization import Visitor
from games.tables.services.roster import People

ROUND, REENTRY, PAYMENT, TICK, OWN_HAND = "round", "reentry", "payment", "tick", "hand"
GAME_FORMS, MONEY_FORMS = (ROUND, REENTRY), (PAYMENT, TICK)
ENTRY_KEYS = frozenset(("form", "table", "game", "fields", "after", "key", "at"))
LONGEST_CODE = 16
LONGEST_FIELD = 500
MOST_FIELDS = 100


class InvalidEntry(Exception):
    """The entry is invalid; `sentences` are the error messages that the form's page would show."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(*sentences)
        self.sentences = sentences


class StaleDebt(StaleAccounts):
    """The debt between these two members has changed since the phone showed it."""

    def __init__(self, table: Table, payer: Member, payee: Member) -> None:
        super().__init__()
        self.table, self.payer, self.payee = table, payer, payee


@dataclass(frozen=True)
class QueuedEntry:
    """A queued form: its fields as they were filled in, its idempotency key, and the time of the entry.

    `table` is "" for a round, an answer or an own hand, and `game` is "" for a payment or a tick.
    """

    form: str
    table: str
    game: str
    fields: Mapping[str, str]
    after: int
    key: str
    at: datetime

    @classmethod
    def parse(cls, value: object) -> QueuedEntry:
        """Return the entry that a phone sent. Raise InvalidFile if it is malformed or cannot be queued."""
        parts = JsonObjectReader(value, ENTRY_KEYS)
        form, values = parts.part("form"), parts.part("fields")
        if not isinstance(form, str) or form not in RECORDERS:
            raise InvalidFile(_("“{name}” is unknown here.", name=str(form)[:40]))
        if not isinstance(values, dict) or len(values) > MOST_FIELDS:
            raise InvalidFile(_("This must be an object."))
        fields = JsonObjectReader(values)
        return cls(
            form,
            parts.text("table", longest=LONGEST_CODE),
            parts.text("game", longest=LONGEST_CODE),
            {name: fields.text(name, longest=LONGEST_FIELD) for name in values},
            parts.whole("after", least=0, most=recording.LONGEST_LOG),
            parts.text("key", longest=KEY_LENGTH),
            parts.moment("at"),
        )


# --- rounds and re-entry answers ----------------------------------------------------------------------------


def prepare_entry(game: Game, entry: QueuedEntry) -> Event | None:
    """Return the event to record for this entry; None if another phone has already recorded the same event.

    Raise StaleGame if other events were recorded since `entry.after`, InvalidEntry if the entry is invalid,
    and Http404 for a night of an old notebook. Call this before the table is locked, because computing the
    melds of the hands may take long.
    """
    log = _load_log(game)
    if isinstance(log[0], NightImported):
        raise Http404
    known = game.records.filter(key=entry.key).values_list("number", flat=True).first()
    if known is None and len(log) != entry.after:
        if is_already_recorded(game, entry):
            return None
        raise StaleGame(after=entry.after, since=game.log()[max(entry.after, 0) :])
    # A repeated entry is read with the log as it was the first time, when there may have been other players.
    seen = log[: max(known - 1, 1)] if known is not None else log
    event = _build_event(entry, seen, is_checked=known is None and game.discarded_at is None)
    recording.presolve(game, event)
    return event


def _build_event(entry: QueuedEntry, log: Sequence[Event], *, is_checked: bool) -> Event:
    """Return the entry as an event after this log. With `is_checked`, raise InvalidEntry if it is invalid."""
    state = replay(tuple(log))
    if entry.form == REENTRY:
        return _build_answer(entry, state)
    form = round_form.parse_round(entry.fields, state)
    if is_checked and not state.is_over:
        if state.pending:
            raise InvalidEntry(event_sentences.reentry_question(state.pending[0].name))
        if form.errors:
            raise InvalidEntry(*form.errors.values())
    return RoundPlayed(form.entry)


def _build_answer(entry: QueuedEntry, state: GameState) -> Event:
    answer = round_form.REENTRY_EVENTS.get(entry.fields.get("answer", ""))
    if answer is None and state.pending:
        raise InvalidEntry(event_sentences.reentry_question(state.pending[0].name))
    return (answer or PlayerStayedOut)(entry.fields.get("player", ""))


def is_already_recorded(game: Game, entry: QueuedEntry) -> bool:
    """Return whether another phone recorded the same entry as the next event: later ones are other rounds."""
    log = _load_log(game)
    next_event = dict(corrections.effective_events(log)).get(entry.after + 1)
    if entry.form == REENTRY:
        answer = round_form.REENTRY_EVENTS.get(entry.fields.get("answer", ""))
        return answer is not None and next_event == answer(entry.fields.get("player", ""))
    if not isinstance(next_event, RoundPlayed):
        return False
    form = round_form.parse_round(entry.fields, replay(log[: entry.after]))
    return not form.errors and form.entry.is_same_as(next_event.entry)


def _load_log(game: Game) -> tuple[Event, ...]:
    """Return the game's log with the members' current names, as pages show them."""
    names = {member.slug: member.name for member in People.of(game.table).members}
    return with_names(EventLog.load(game).log, names)


# --- payments and ticks -------------------------------------------------------------------------------------


def record_payment(table: Table, entry: QueuedEntry, *, by: User, role: Role, at: datetime) -> None:
    """Record a payment, once for its key. Raise InvalidEntry if its form is invalid.

    Raise MoreThanOwed if the amount exceeds the debt and the form does not confirm that.
    """
    form = PaymentForm(table, People.of(table), entry.fields)
    if not form.is_valid():
        raise InvalidEntry(*form.sentences)
    payments.create(table, **form.payment_data, key=entry.key, by=by, role=role, at=at)


def settle_debt(table: Table, entry: QueuedEntry, *, by: User, role: Role, at: datetime) -> None:
    """Record that the debt that the phone showed was paid. Raise StaleDebt if it has changed since.

    If the tick would confirm a payment of more than is owed, raise MoreThanOwed like `record_payment`; if the
    debt went to somebody else since, DebtReplaced.
    """
    people = People.of(table)
    payer, payee = (_get_member(entry, field, people) for field in ("payer", "payee"))
    try:
        forms.settle_debt(table, payer, payee, entry.fields, by=by, role=role, at=at)
    except StaleAccounts as stale:
        raise StaleDebt(table, payer, payee) from stale


def _get_member(entry: QueuedEntry, field: str, people: People) -> Member:
    member = people.by_slug.get(entry.fields.get(field, ""))
    if member is None:
        raise InvalidFile(_("“{name}” is unknown here.", name=entry.fields.get(field, "")[:40]))
    return member


MOST_ENTRIES = 200  # entries in one request; a phone sends the rest in the next one
DONE, REFUSED, WAITS = "done", "refused", "waits"
# After these exceptions, an entry stays on its phone until a person decides about it.
REFUSALS = (
    ScoringError,
    InvalidFile,
    StaleGame,
    StaleAccounts,
    PaymentQuestion,
    IdempotencyKeyReused,
    Http404,
    PermissionDenied,
    InvalidEntry,
    RoundOver,
)

logger = logging.getLogger(__name__)


class InternalFailure(Exception):
    """The app failed unexpectedly, and would fail again if the entry were sent again."""


@dataclass(frozen=True)
class QueueResult:
    """The outcome of an entry: DONE, REFUSED for the reason `error`, or WAITS behind a refused one.

    `entry` is None if it is unreadable or waits.
    """

    status: str
    entry: QueuedEntry | None = None
    error: Exception | None = None


def record_all(entries: Iterable[object], by: User) -> Iterator[QueueResult]:
    """Record each entry of a phone of this user, and yield its outcome.

    Entries of a game wait once a round or re-entry answer of the game was refused. A database failure is
    raised, so that the phone sends everything again.
    """
    blocked_games: set[str] = set()  # games with a refused entry
    for value in entries:
        game = value.get("game") if isinstance(value, dict) else None
        if isinstance(game, str) and game in blocked_games:
            yield QueueResult(WAITS)
            continue
        outcome = _record_entry(value, by)
        stops = outcome.entry is None or outcome.entry.form in GAME_FORMS  # other forms block no game
        if outcome.error is not None and isinstance(game, str) and stops:
            blocked_games.add(game)
        yield outcome


def _record_entry(value: object, by: User) -> QueueResult:
    entry = None
    try:
        entry = QueuedEntry.parse(value)
        RECORDERS[entry.form](entry, by)
    except REFUSALS as refusal:
        return QueueResult(REFUSED, entry, refusal)
    except Exception as fault:
        if db_errors.is_database_failure(fault):
            raise  # the failure is temporary: the phone sends everything again
        logger.exception("An entry that waited could not be recorded")
        return QueueResult(REFUSED, entry, InternalFailure())
    return QueueResult(DONE, entry)


def _record_in_game(entry: QueuedEntry, by: User) -> None:
    """Record a round or the answer to a re-entry, at the time when it was entered."""
    game, _role = authorization.get_game(Visitor(by), entry.game, for_recording=True)
    event = prepare_entry(game, entry)
    if event is None:
        return
    try:
        recording.record(
            game,
            event,
            after=entry.after,
            key=entry.key,
            by=by,
            at=lambda: writer.clamp_time(entry.at, earliest=writer.last_recorded_at(game)),
        )
    except StaleGame:  # another phone may have recorded the same entry since it was prepared
        if not is_already_recorded(game, entry):
            raise


def _record_payment(entry: QueuedEntry, by: User) -> None:
    """Record a payment or a tick, at the time when it was entered."""
    table, role = authorization.get_accounts(Visitor(by), entry.table)
    at = writer.clamp_time(entry.at, earliest=table.created_at)
    if entry.form == TICK:
        settle_debt(table, entry, by=by, role=role, at=at)
    else:
        record_payment(table, entry, by=by, role=role, at=at)


def _submit_hand(entry: QueuedEntry, by: User) -> None:
    """Send the user's own hand to the scorer. Raise RoundOver if its round is over."""
    game, _role = authorization.get_game(Visitor(by), entry.game)
    player = hand_offers.find_player_for_user(game, Snapshot.load(game), by) or ""
    hand_offers.submit(game, offered_hands.parse_hand(entry.fields, player, entry.after), by=by)


RECORDERS = {
    **dict.fromkeys(GAME_FORMS, _record_in_game),
    **dict.fromkeys(MONEY_FORMS, _record_payment),
    OWN_HAND: _submit_hand,
}
