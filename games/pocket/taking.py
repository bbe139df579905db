"""What a phone did without a network, done here: fact by fact, in order, by the services that pages and the API ask.

Each fact is done once, known by its key or by what stands already. One that cannot be done holds back the later ones of
its game, or of its table where it is about somebody new; all others go on. Nothing is put behind what the phone has not
seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404

from games.keys import KeyReused
from games.locks import StaleGame, hold, lock
from games.models import KEY_LENGTH, NAME_LENGTH, Change, Game, Table, What
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
from games.pocket.facts import DISCARD, GUEST, RECORD, RESTORE, START
from games.pocket.payments import HIGHEST, PAID, TURNED, WORDS, Booking, Fact
from games.scoring.errors import ScoringError
from games.scoring.events import Event, GameStarted
from games.scoring.text.codec import from_data
from games.scoring.words import _

MOST_FACTS = 200  # taken in one go; a phone with more sends the others behind them
DONE, HELD, WAITS = "done", "held", "waits"
LONGEST_CODE, LONGEST_WORD = 16, 40
OF_A_GAME = ("kind", "table", "game", "at")
PARTS: Mapping[str, Sequence[str]] = {
    GUEST: ("kind", "table", "slug", "name", "is_apart"),
    START: (*OF_A_GAME, "key", "events"),
    RECORD: (*OF_A_GAME, "key", "events", "after"),
    DISCARD: (*OF_A_GAME, "seen"),
    RESTORE: (*OF_A_GAME, "seen"),
    PAID: (*OF_A_GAME, "key", "payer", "payee", *WORDS, "is_along_the_plan", "after"),
    TURNED: ("kind", "table", "payment", "key", "turn", "text", "words", "after", "at"),
}
REFUSALS = (ScoringError, Unreadable, StaleGame, StaleAccounts, KeyReused, Http404, PermissionDenied)


@dataclass(frozen=True)
class Answer:
    """What became of a fact: it was done, or held for this reason, or it waits behind one that is held.

    `game` is the code by which its game goes here: the phone's own, but for one that another game had.
    """

    game: str = ""
    why: Exception | None = None
    waits: bool = False

    @property
    def status(self) -> str:
        """What it is, in a word."""
        return WAITS if self.waits else DONE if self.why is None else HELD


def take(facts: Iterable[object], by: User) -> Iterator[Answer]:
    """What becomes of each of these facts of this user's phone, done as he may do it now."""
    taking = _Taking(by)
    return map(taking.take, facts)


@dataclass
class _Taking:
    """The facts of one sending: behind what others wait, and games that go here by another code."""

    by: User
    held: set[str] = field(default_factory=set)
    codes: dict[str, str] = field(default_factory=dict)
    is_unread: bool = False

    def __post_init__(self) -> None:
        self._visitor, self._booking = Visitor(self.by), Booking(self.by)

    def take(self, fact: object) -> Answer:
        """What becomes of the next fact; behind one that cannot be read all others wait."""
        if self.is_unread:
            return Answer(waits=True)
        try:
            told = _read(fact)
            kind, table = str(told.part("kind")), told.text("table", longest=LONGEST_CODE)
            code = told.text("game", longest=LONGEST_CODE) if told.has("game") else ""
            waits_with = {table, code, *self._payment_of(kind, told)} - {""}
        except Unreadable as why:
            self.is_unread = True
            return Answer(why=why)
        if waits_with & self.held:
            return Answer(self.codes.get(code, code), waits=True)
        try:
            self._do(kind, told, table, self.codes.get(code, code))
        except REFUSALS as why:
            self.held |= self._holds(kind, told, table, code)
            return Answer(self.codes.get(code, code), why)
        return Answer(self.codes.get(code, code))

    def _payment_of(self, kind: str, told: Fields) -> Iterable[str]:
        """The payment a fact is about, by its key or its number."""
        if kind in (PAID, TURNED):
            yield told.text("key", longest=KEY_LENGTH)
        if kind == TURNED:
            number = told.whole_or_none("payment", least=1, most=HIGHEST)
            yield "" if number is None else f"payment {number}"

    def _holds(self, kind: str, told: Fields, table: str, code: str) -> set[str]:
        """What is held where this could not be done: the table of somebody new, a payment, or a game."""
        if kind == GUEST:
            return {table}
        return set(self._payment_of(kind, told)) - {""} if kind in (PAID, TURNED) else {code}

    def _do(self, kind: str, told: Fields, table: str, game: str) -> None:
        if kind in (PAID, TURNED):
            self._book(kind, told, table, game)
        elif kind == GUEST:
            _add_guest(table_for(self._visitor, table, for_writing=True)[0], told)
        elif kind == START:
            found, _role = table_for(self._visitor, table, for_writing=True)
            self.codes[game] = self._start(found, told, game).code
        else:
            self._play(kind, told, game_for(self._visitor, game, for_writing=True)[0])

    def _play(self, kind: str, told: Fields, game: Game) -> None:
        """What happened in a game, or with it."""
        events = _events(told) if kind == RECORD else ()
        if kind == RECORD:
            solve_beforehand(game, *events)
        with transaction.atomic():
            table = hold(game)
            at = clamped(told.moment("at"), earliest=after_closings(table, last_recorded(game)))
            if kind == RECORD:
                after = told.whole("after", least=1, most=LONGEST_LOG)
                key = told.text("key", longest=KEY_LENGTH)
                record(game, *events, after=after, key=key, by=self.by, at=at)
            else:
                _put(game, is_away=kind == DISCARD, by=self.by, told=told, at=at)

    @transaction.atomic
    def _book(self, kind: str, told: Fields, code: str, of: str) -> None:
        """A payment, or what became of one."""
        table, role = accounts_for(self._visitor, code)
        lock(table)
        at = clamped(told.moment("at"), earliest=after_closings(table, table.created_at))
        if kind == TURNED:
            self._booking.turn(table, role, told, at=at)
            return
        game = game_for(self._visitor, of, for_writing=True)[0] if of else None
        self._booking.pay(table, role, told, game=game, at=at)

    @transaction.atomic
    def _start(self, table: Table, told: Fields, code: str) -> Game:
        """The game; where another one has its code it gets one of its own, under which the phone finds it by its key."""
        key, (event, *others) = told.text("key", longest=KEY_LENGTH), _events(told)
        if others or not isinstance(event, GameStarted):
            raise Unreadable(_("There is nothing to record."))
        lock(table)
        known = table.games.filter(key=key).first()
        is_taken = Game.objects.filter(code=code).exists()
        at = clamped(told.moment("at"), earliest=after_closings(table, table.created_at))
        code = known.code if known is not None else "" if is_taken else code
        return start_game(table, event, key=key, by=self.by, code=code, at=at)


def _put(game: Game, *, is_away: bool, by: User, told: Fields, at: datetime) -> None:
    """Puts a game away or brings it back, unless something was said of that here which the phone had not seen, and
    later: that may have been its own word."""
    words = {"what__in": (What.GAME_DISCARDED, What.GAME_RESTORED)}
    since = {"number__gt": told.whole("seen", least=0, most=HIGHEST), "made_at__gte": told.moment("at")}
    if Change.objects.filter(table=game.table, game=game, **words, **since).exists():
        return
    put = discarding.discard if is_away else discarding.restore
    put(game, game.state(), by=by, at=at)


@transaction.atomic
def _add_guest(table: Table, told: Fields) -> None:
    """Adds who was new at the phone's table, under the id that stands in the phone's games.

    Somebody of that name and id is the same: nobody else could be called so at the table. Alike where the id is
    another's, or accents alone tell the name from another's: people say who that is.
    """
    slug, name = told.name("slug", longest=LONGEST_WORD), told.name("name", longest=NAME_LENGTH)
    lock(table)
    member = table.members.filter(slug=slug).first()
    if member is None:
        member = add_member(table, name, apart=[name] if told.truth("is_apart") else ())
    if member.slug != slug or not same_name(member.name, name):
        raise Alike(name, member.name)


def _read(fact: object) -> Fields:
    """The parts of a fact; Unreadable for none that there is."""
    kind = fact.get("kind") if isinstance(fact, dict) else None
    if not isinstance(kind, str) or kind not in PARTS:
        raise Unreadable(_("“{name}” is not known here.", name=str(kind)[:LONGEST_WORD]))
    return Fields(fact, *PARTS[kind])


def events_of(fact: Fact) -> tuple[Event, ...]:
    """What a fact records in a game; nothing where it is of another kind, or cannot be read."""
    try:
        return _events(_read(fact)) if fact["kind"] in (START, RECORD) else ()
    except (ScoringError, Unreadable):
        return ()


def _events(told: Fields) -> tuple[Event, ...]:
    """The events of a fact, at least one."""
    found = [Fields(value, "kind", "data") for value in told.list_of("events", most=LONGEST_LOG)]
    if not found:
        raise Unreadable(_("There is nothing to record."))
    return tuple(from_data(one.text("kind", longest=LONGEST_WORD), one.part("data")) for one in found)
