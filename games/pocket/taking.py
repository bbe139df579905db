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
from django.utils.timezone import now

from games.keys import KeyReused
from games.locks import StaleGame, lock
from games.models import KEY_LENGTH, NAME_LENGTH, Game, Table, What
from games.names import Alike, same_name
from games.notebook.fields import Fields, Unreadable
from games.people.access import Visitor, game_for, table_for
from games.people.members import add_member
from games.play.recording import (
    LONGEST_LOG,
    discard_game,
    record,
    restore_game,
    solve_beforehand,
    start_game,
)
from games.pocket.facts import DISCARD, GUEST, RECORD, RESTORE, START, Fact
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
    DISCARD: OF_A_GAME,
    RESTORE: OF_A_GAME,
}
Refusal = ScoringError | Unreadable | StaleGame | KeyReused | Http404 | PermissionDenied


@dataclass(frozen=True)
class Answer:
    """What became of a fact: it was done, or held for this reason, or it waits behind one that is held.

    `game` is the code by which its game goes here: the phone's own, but for one that another game had.
    """

    game: str = ""
    why: Refusal | None = None
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
    """The facts of one sending: behind which tables and games others wait, and games that go here by another code."""

    by: User
    held: set[str] = field(default_factory=set)
    codes: dict[str, str] = field(default_factory=dict)
    is_unread: bool = False

    def take(self, fact: object) -> Answer:
        """What becomes of the next fact; behind one that cannot be read all others wait."""
        if self.is_unread:
            return Answer(waits=True)
        try:
            told = _read(fact)
            kind, table = told.part("kind"), told.text("table", longest=LONGEST_CODE)
            code = "" if kind == GUEST else told.text("game", longest=LONGEST_CODE)
        except Unreadable as why:
            self.is_unread = True
            return Answer(why=why)
        game = self.codes.get(code, code)
        if {table, code} & self.held:
            return Answer(game, waits=True)
        try:
            self._do(kind, told, table, game)
        except (ScoringError, Unreadable, StaleGame, KeyReused, Http404, PermissionDenied) as why:
            self.held.add(code or table)
            return Answer(game, why)
        return Answer(self.codes.get(code, code))

    def _do(self, kind: str, told: Fields, table: str, game: str) -> None:
        visitor = Visitor(self.by)
        if kind == GUEST:
            _add_guest(table_for(visitor, table, for_writing=True)[0], told)
        elif kind == START:
            self.codes[game] = self._start(table_for(visitor, table, for_writing=True)[0], told, game).code
        else:
            found, _role = game_for(visitor, game, for_writing=True)
            at = _moment(told, earliest=_last(found))
            if kind == RECORD:
                self._record(found, told, at)
            else:
                _put(found, is_away=kind == DISCARD, at=at)

    def _start(self, table: Table, told: Fields, code: str) -> Game:
        """The game; where another one has its code it gets one of its own, under which the phone finds it by its key."""
        key, (event,) = told.text("key", longest=KEY_LENGTH), _events(told)
        if not isinstance(event, GameStarted):
            raise Unreadable(_("There is nothing to record."))
        known = table.games.filter(key=key).first()
        is_taken = Game.objects.filter(code=code).exists()
        at = _moment(told, earliest=table.created_at)
        code = known.code if known is not None else "" if is_taken else code
        return start_game(table, event, key=key, by=self.by, code=code, at=at)

    def _record(self, game: Game, told: Fields, at: datetime) -> None:
        key, events = told.text("key", longest=KEY_LENGTH), _events(told)
        after = told.whole("after", least=1, most=LONGEST_LOG)
        solve_beforehand(game, *events)
        record(game, *events, after=after, key=key, by=self.by, at=at)


@transaction.atomic
def _put(game: Game, *, is_away: bool, at: datetime) -> None:
    """Puts a game away or brings it back, unless that was said of it here since, which may have been this phone."""
    table = lock(game.table)
    said = (What.GAME_DISCARDED, What.GAME_RESTORED)
    if not table.changes.filter(game=game, what__in=said, made_at__gte=at).exists():
        (discard_game if is_away else restore_game)(game, at=at)


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
    """What a fact records in a game, nothing where it is of another kind."""
    return _events(_read(fact)) if fact["kind"] in (START, RECORD) else ()


def _events(told: Fields) -> tuple[Event, ...]:
    """The events of a fact, at least one."""
    found = [Fields(value, "kind", "data") for value in told.list_of("events", most=LONGEST_LOG)]
    if not found:
        raise Unreadable(_("There is nothing to record."))
    return tuple(from_data(one.text("kind", longest=LONGEST_WORD), one.part("data")) for one in found)


def _last(game: Game) -> datetime:
    """When what stands last in a game was recorded."""
    return game.records.order_by("-number").values_list("recorded_at", flat=True)[0]


def _moment(told: Fields, *, earliest: datetime) -> datetime:
    """When it happened by the phone's clock, but never before what came before it, nor after now."""
    return min(max(told.moment("at"), earliest), now())
