"""The sync of a phone that was offline: its facts (unsent changes) are recorded one by one, in order.

They are recorded by the same functions that pages and the API use. Each fact is recorded once: a repeated
fact is recognized by its key or by rows that exist already. If a fact cannot be recorded, later facts about
the same game wait; if it is about a new member, later facts of the whole table wait. Other facts are
recorded. An event is never recorded after events that the phone had not seen.

A *typed* fact is an entry of an HTML form that waited on the phone. A *brought* fact comes from another
person's phone, in a file. A *tick* is a payment that marks a line of who pays whom as paid. A game's *log* is
the list of its events. `parts` are the fields of a fact.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404

from games.faults import is_database_fault
from games.keys import KeyReused
from games.locks import StaleGame, hold, lock
from games.models import KEY_LENGTH, NAME_LENGTH, Change, ChangeKind, Game, Table
from games.money.balances import StaleAccounts
from games.money.closings import after_closings
from games.names import Alike, same_name
from games.notebook import discarding
from games.notebook.fields import Fields, Unreadable
from games.people.access import Visitor, accounts_for, game_for, table_for
from games.people.members import add_member
from games.play.moments import clamped, last_recorded
from games.play.recording import (
    LONGEST_LOG,
    record,
    solve_beforehand,
    start_game,
)
from games.pocket import typed as forms
from games.pocket.facts import DISCARD, GUEST, RECORD, RESTORE, START
from games.pocket.identity import note_taken
from games.pocket.opening import OF_A_TABLE, OPENED, OpenedElsewhere, open_once, read_opening
from games.pocket.payments import HIGHEST, PAID, TURNED, WORDS, Booking, Fact, check_money_fact, claiming
from games.pocket.recorded import is_recorded
from games.pocket.typed import OF_MONEY, TICK, TYPED, FormRefused, Readers, Typed
from games.scoring.errors import ScoringError
from games.scoring.events import Event, GameStarted
from games.scoring.text.codec import from_data
from games.scoring.words import _

MOST_FACTS = 200  # facts in one request; a phone sends further facts in the next request
DONE, HELD, WAITS = "done", "held", "waits"
LONGEST_CODE, LONGEST_WORD = 16, 40
# The names of the fields of each kind of fact.
OF_A_GAME = ("kind", "table", "game", "at")
PARTS: Mapping[str, Sequence[str]] = {
    OPENED: ("kind", "table", "key", *OF_A_TABLE, "at"),
    GUEST: ("kind", "table", "slug", "name", "is_apart", "key"),
    START: (*OF_A_GAME, "key", "events"),
    RECORD: (*OF_A_GAME, "key", "events", "after"),
    DISCARD: (*OF_A_GAME, "seen"),
    RESTORE: (*OF_A_GAME, "seen"),
    PAID: (*OF_A_GAME, "key", "payer", "payee", *WORDS, "night", "is_along_the_plan", "after"),
    TURNED: ("kind", "table", "payment", "key", "turn", "text", "words", "after", "at"),
    TYPED: forms.PARTS,
}
BROUGHT = "brought"  # true if the fact was brought from another person's phone, in a file
# The exceptions for which a fact is held back, for a person to decide.
REFUSALS = (
    *(ScoringError, Unreadable, StaleGame, StaleAccounts, KeyReused, Http404, PermissionDenied),
    *(FormRefused, OpenedElsewhere),
)

logger = logging.getLogger(__name__)


class Broken(Exception):
    """The reason for a fact that could not be recorded because of an unexpected error of the app.

    Retrying would fail again, so the fact is held back for a person to see.
    """


@dataclass(frozen=True)
class Answer:
    """The outcome of a fact: done, held back for the reason `why`, or waiting behind another fact.

    `game` is the code of the fact's game at the site. It differs from the code on the phone if another game
    at the site already had that code. `table` is likewise the code at the site of a table that the fact
    opened.
    """

    game: str = ""
    why: Exception | None = None
    waits: bool = False
    table: str = ""

    @property
    def status(self) -> str:
        """The outcome as one word: DONE, HELD or WAITS."""
        return WAITS if self.waits else DONE if self.why is None else HELD


def take(facts: Iterable[object], by: User, readers: Readers) -> Iterator[Answer]:
    """Record each of these facts with the rights that this user has now, and yield the fact's outcome.

    `readers` are the functions that read the forms of typed facts.
    """
    sync = _Sync(by, readers)
    return map(sync.take, facts)


@dataclass
class _Sync:
    """The sync of one request.

    `held` identifies the games, tables and payments whose later facts must wait. `codes` maps the code that a game has on the
    phone to its code at the site. `tables` does the same for tables that were opened on the phone.
    `is_unread` is True after a fact that could not be read.
    """

    by: User
    readers: Readers
    held: set[str] = field(default_factory=set)
    codes: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    is_unread: bool = False

    def __post_init__(self) -> None:
        self._visitor, self._booking = Visitor(self.by), Booking(self.by)

    def take(self, fact: object) -> Answer:
        """Record the next fact and return its outcome. After an unreadable fact, all later facts wait."""
        if self.is_unread:
            return Answer(waits=True)
        try:
            parts = _read(fact)
            kind, table = str(parts.part("kind")), parts.text("table", longest=LONGEST_CODE)
            code = parts.text("game", longest=LONGEST_CODE) if parts.has("game") else ""
            waits_with = self._waits_with(kind, parts, table, code)
        except Unreadable as why:
            self.is_unread = True
            return Answer(why=why)
        game = self.codes.get(code, code)
        if waits_with & self.held:
            return Answer(game, waits=True)
        there = self.tables.get(table, table)
        try:
            self._do(kind, parts, there, game)
        except REFUSALS as refusal:
            if isinstance(refusal, (Http404, PermissionDenied)) and self._was_brought(
                kind, parts, there, code
            ):
                return Answer(self.codes.get(code, code))
            self.held |= self._holds(kind, parts, table, code)
            return Answer(game, refusal)
        except Exception as fault:
            if is_database_fault(fault):
                raise  # the fault is temporary: the phone will send everything again
            logger.exception("A fact of the kind %s could not be recorded", kind)
            self.held |= self._holds(kind, parts, table, code)
            return Answer(game, Broken())
        return Answer(self.codes.get(code, code), table=self.tables[table] if kind == OPENED else "")

    def _waits_with(self, kind: str, parts: Fields, table: str, code: str) -> set[str]:
        """Return the codes and keys of the table, game and payment that a fact is about.

        The fact must wait if one of these is held back. The set is empty for a typed fact of a payment or
        tick, which never waits.
        """
        if kind == TYPED and forms.form_of(parts) in OF_MONEY:
            return set()
        return {table, code, *self._payment_of(kind, parts)} - {""}

    def _payment_of(self, kind: str, parts: Fields) -> Iterable[str]:
        """Yield what identifies the payment that a fact is about: its key and its id at the site.

        If it has no key or no id there, yield "" instead. For a fact about anything else, yield nothing.
        """
        if kind in (PAID, TURNED):
            yield parts.text("key", longest=KEY_LENGTH)
        if kind == TURNED:
            number = parts.whole_or_none("payment", least=1, most=HIGHEST)
            yield "" if number is None else f"payment {number}"

    def _was_brought(self, kind: str, parts: Fields, table: str, code: str) -> bool:
        """Return whether a refused fact is recorded already, because another phone brought it.

        Call this if the user may not record the fact (any more). The answer reveals nothing: only a user who
        had the fact knows its key.
        """
        try:
            is_done = is_recorded(kind, parts, table, self.codes.get(code, code))
        except Unreadable:
            return False
        if is_done and kind == START:
            self.codes[code] = Game.objects.get(table__code=table, key=parts.part("key")).code
        return is_done

    def _holds(self, kind: str, parts: Fields, table: str, code: str) -> set[str]:
        """Return the codes and keys of what a refused fact holds back: later facts about it must wait.

        The fact of a new member or of the table itself holds back the whole table. The fact of a payment or
        of its step holds back that payment, but a typed fact of a payment or tick holds back nothing. Any
        other fact holds back its game.
        """
        if kind in (OPENED, GUEST):
            return {table}
        if kind in (PAID, TURNED):
            return set(self._payment_of(kind, parts)) - {""}
        is_payment = kind == TYPED and forms.form_of(parts) in OF_MONEY
        return set() if is_payment else {code}

    def _do(self, kind: str, parts: Fields, table: str, game: str) -> None:
        """Record a fact. `table` and `game` are the codes at the site, or the phone's codes for new ones."""
        if kind == TYPED:
            self._take_typed(Typed.read(parts), parts, table, game)
        elif kind == OPENED:
            self._open(table, parts)
        elif kind in (PAID, TURNED):
            self._book(kind, parts, table, game)
        elif kind == GUEST:
            _add_guest(table_for(self._visitor, table, for_writing=True)[0], parts)
        elif kind == START:
            opened_table, _role = table_for(self._visitor, table, for_writing=True)
            self.codes[game] = self._start(opened_table, parts, game).code
        else:
            self._play(kind, parts, game_for(self._visitor, game, for_writing=True)[0])

    def _open(self, code: str, parts: Fields) -> None:
        """Open the table that has this code on the phone, unless this fact was recorded before.

        Raise OpenedElsewhere if this user has no access to the table that the fact opened before. For a
        brought fact that is no error: the fact is recorded, because another phone brought it before.
        """
        table = open_once(code, parts, by=self.by, is_brought=is_brought(parts))
        self.tables[code] = table.code
        try:
            table_for(self._visitor, table.code)
        except Http404:
            if not is_brought(parts):
                raise OpenedElsewhere from None

    def _play(self, kind: str, parts: Fields, game: Game) -> None:
        """Record events of a game, or discard or restore it."""
        events = _events(parts) if kind == RECORD else ()
        after = parts.whole("after", least=1, most=LONGEST_LOG) if kind == RECORD else 0
        key = parts.text("key", longest=KEY_LENGTH) if kind == RECORD else ""
        if kind == RECORD and not _is_stale(game, after=after, key=key):
            solve_beforehand(game, *events)
        with transaction.atomic():
            at = clamped(parts.moment("at"), earliest=after_closings(hold(game), last_recorded(game)))
            if kind == RECORD:
                record(game, *events, after=after, key=key, by=self.by, at=at)
            else:
                _put(game, is_away=kind == DISCARD, by=self.by, parts=parts, at=at)

    @transaction.atomic
    def _book(self, kind: str, parts: Fields, code: str, game_code: str) -> None:
        """Record a payment or a step of a payment."""
        table, role = accounts_for(self._visitor, code)
        lock(table)
        at = clamped(parts.moment("at"), earliest=after_closings(table, table.created_at))
        if kind == TURNED:
            self._booking.turn(table, role, parts, is_brought=is_brought(parts), at=at)
            return
        game = game_for(self._visitor, game_code, for_writing=True)[0] if game_code else None
        self._booking.pay(table, role, parts, game=game, is_brought=is_brought(parts), at=at)

    def _take_typed(self, typed: Typed, parts: Fields, table: str, code: str) -> None:
        """Record an entry of an HTML form that waited on the phone."""
        if typed.form in OF_MONEY:
            self._take_typed_payment(typed, parts, table, code)
            return
        game, _role = game_for(self._visitor, code, for_writing=True)
        event = forms.prepare_entry(game, typed, self.readers)
        if event is None:
            return
        with transaction.atomic():
            at = clamped(parts.moment("at"), earliest=after_closings(hold(game), last_recorded(game)))
            forms.record_entry(game, typed, event, self.readers, by=self.by, at=at)

    def _take_typed_payment(self, typed: Typed, parts: Fields, code: str, game_code: str) -> None:
        """Record a payment or a tick from an HTML form that waited on the phone."""
        game = game_for(self._visitor, game_code, for_writing=True)[0] if typed.form == TICK else None
        code = game.table.code if game else code
        table, role = accounts_for(self._visitor, code, for_writing=typed.form == TICK or typed.is_of_night)
        if game:
            forms.record_tick(game, typed, self.readers, by=self.by, ticked_at=parts.moment("at"))
        elif typed.is_of_night:
            forms.record_night_tick(table, typed, self.readers, by=self.by, ticked_at=parts.moment("at"))
        else:
            how = claiming(role, is_brought=is_brought(parts))
            forms.record_payment(table, typed, self.readers, by=self.by, **how)

    @transaction.atomic
    def _start(self, table: Table, parts: Fields, code: str) -> Game:
        """Start a game, or return the game that was started with the same key.

        If another game at the site has the code that the game has on the phone, the game gets a new code.
        """
        key, (event, *others) = parts.text("key", longest=KEY_LENGTH), _events(parts)
        if others or not isinstance(event, GameStarted):
            raise Unreadable(_("There is nothing to record."))
        lock(table)
        known = table.games.filter(key=key).first()
        is_taken = Game.objects.filter(code=code).exists()
        at = clamped(parts.moment("at"), earliest=after_closings(table, table.created_at))
        code = known.code if known is not None else "" if is_taken else code
        return start_game(table, event, key=key, by=self.by, code=code, at=at)


def _is_stale(game: Game, *, after: int, key: str) -> bool:
    """Return whether recording a fact will raise StaleGame, because others recorded events meanwhile.

    Then the game need not be replayed. `after` is the number of the last event that the phone had seen. A
    fact that was recorded before, under this key, is not stale.
    """
    return after != game.records.count() and not game.records.filter(key=key).exists()


def _put(game: Game, *, is_away: bool, by: User, parts: Fields, at: datetime) -> None:
    """Discard a game if `is_away`, else restore it. Do nothing if this fact was recorded before.

    Do nothing either if the game was discarded or restored at the site later than on the phone.
    """
    if not note_taken(game.table, parts, game):
        return
    changes = {"what__in": (ChangeKind.GAME_DISCARDED, ChangeKind.GAME_RESTORED)}
    since = {"number__gt": parts.whole("seen", least=0, most=HIGHEST), "made_at__gte": parts.moment("at")}
    if Change.objects.filter(table=game.table, game=game, **changes, **since).exists():
        return
    put = discarding.discard if is_away else discarding.restore
    put(game, game.state(), by=by, at=at)


@transaction.atomic
def _add_guest(table: Table, parts: Fields) -> None:
    """Add a member who was added on the phone, with the slug that the phone's games use.

    If a member has this name and slug already, it is the same person: do nothing. Raise Alike if the slug
    belongs to another name, or if the name differs from a member's only by accents: then a person has to
    decide.
    """
    slug, name = parts.name("slug", longest=LONGEST_WORD), parts.name("name", longest=NAME_LENGTH)
    lock(table)
    member = table.members.filter(slug=slug).first()
    if member is None:
        member = add_member(table, name, apart=[name] if parts.truth("is_apart") else ())
    if member.slug != slug or not same_name(member.name, name):
        raise Alike(name, member.name)


def _read(fact: object) -> Fields:
    """Return a reader of the fact's fields. Raise Unreadable if the fact's kind is unknown."""
    kind = fact.get("kind") if isinstance(fact, dict) else None
    if not isinstance(kind, str) or kind not in PARTS:
        raise Unreadable(_("“{name}” is unknown here.", name=str(kind)[:LONGEST_WORD]))
    return Fields(fact, *PARTS[kind], BROUGHT)


def is_brought(parts: Fields) -> bool:
    """Return whether the fact was brought from another person's phone."""
    return parts.has(BROUGHT) and parts.truth(BROUGHT)


def check_fact(fact: object) -> Fields:
    """Return a reader of the fact's fields. Raise Unreadable or ScoringError if a field is unreadable."""
    parts = _read(fact)
    kind, names = parts.part("kind"), PARTS[str(parts.part("kind"))]
    for name in {"table", "game", "at"} & {*names}:
        parts.moment(name) if name == "at" else parts.text(name, longest=LONGEST_CODE)
    if "key" in names and (kind != GUEST or parts.has("key")):
        parts.text("key", longest=KEY_LENGTH)
    if kind == TYPED:
        Typed.read(parts)
    elif kind in (START, RECORD):
        _events(parts)
    elif kind == GUEST:
        parts.name("slug", longest=LONGEST_WORD)
        parts.name("name", longest=NAME_LENGTH)
    elif kind == OPENED:
        read_opening(parts)
    elif kind in (PAID, TURNED):
        check_money_fact(parts)
    else:
        parts.whole("seen", least=0, most=HIGHEST)
    return parts


def events_of(fact: Fact, log: Sequence[Event], readers: Readers) -> tuple[Event, ...]:
    """Return the events that a fact would record in a game with this log.

    Return () if the fact records no events or cannot be read.
    """
    try:
        return read_events(fact, log, readers)
    except (ScoringError, Unreadable, FormRefused):
        return ()


def read_events(fact: object, log: Sequence[Event], readers: Readers) -> tuple[Event, ...]:
    """Return the events that a fact would record in a game with this log; () for a fact without events.

    Raise Unreadable, FormRefused or ScoringError if the fact cannot be read.
    """
    parts = _read(fact)
    kind = parts.part("kind")
    if kind == TYPED:
        return forms.events_of(Typed.read(parts), log, readers)
    return _events(parts) if kind in (START, RECORD) else ()


def _events(parts: Fields) -> tuple[Event, ...]:
    """Return the events of a fact. Raise Unreadable if its list is empty."""
    values = [Fields(value, "kind", "data") for value in parts.list_of("events", most=LONGEST_LOG)]
    if not values:
        raise Unreadable(_("There is nothing to record."))
    return tuple(from_data(value.text("kind", longest=LONGEST_WORD), value.part("data")) for value in values)
