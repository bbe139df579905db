"""The only module that stores games, records and results. Call its functions inside a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.contrib.auth.models import User
from django.utils.timezone import now

from games.common.book import contents
from games.common.locks import raise_version
from games.common.rows import PreparedRows
from games.models import EntryKind, Game, HandSource, Member, Record, Result
from games.money.debts import enter_game
from games.money.spot import MARK, mark_paid_on_the_spot
from games.play.results import REPEATED, repeat, results_of
from games.scoring.events import Event
from games.scoring.ledger import nets
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState
from games.tables.people import People


@dataclass(frozen=True)
class Batch:
    """Events recorded together under one idempotency key, after the event with the number `after`.

    `at` and `arrived_at` are the records' `recorded_at` and `arrived_at`.
    """

    after: int
    events: tuple[Event, ...]
    key: str
    at: datetime
    by: User
    arrived_at: datetime

    def records(self, game: Game) -> list[Record]:
        """Return the unsaved records of the batch. The first record has the key."""
        return [
            Record(
                game=game,
                number=number,
                kind=kind,
                data=data,
                key=self.key if number == self.after + 1 else None,
                recorded_at=self.at,
                arrived_at=self.arrived_at,
                recorded_by=self.by,
            )
            for number, (kind, data) in enumerate(contents(self.events), start=self.after + 1)
        ]


@dataclass(frozen=True)
class NewGame:
    """A whole game about to be stored: its unsaved row, all its batches of events, and its state."""

    game: Game
    batches: Sequence[Batch]
    state: GameState

    @cached_property
    def records(self) -> list[Record]:
        """The game's unsaved records. Reading this property also sets the derived fields of `game`."""
        self.game.ended_at = self.ended_at()
        repeat(self.game, self.state)
        return [record for batch in self.batches for record in batch.records(self.game)]

    def ended_at(self) -> datetime | None:
        """Return the moment at which the game ended; None if the game is not over."""
        if self.state.outcome is None:
            return None
        return next(batch.at for batch in reversed(self.batches) if batch.after < self.state.outcome.number)


class PreparedGames:
    """NewGame games of one table, prepared for insertion with their records.

    Results are included for games that are over and not discarded. `members` are the table's members by slug;
    unsaved members must be stored before these games.
    """

    def __init__(self, games: Sequence[NewGame], members: Mapping[PlayerId, Member]) -> None:
        self._records = PreparedRows(record for whole in games for record in whole.records)
        self._games = PreparedRows(whole.game for whole in games)
        counting = ((whole.game, whole.state) for whole in games if whole.game.discarded_at is None)
        self._results = _ready_results(counting, members)

    def store(self, version: int) -> None:
        """Insert the games, records and results. The records carry the table's version."""
        self._games.insert()
        self._records.insert(version=version)
        self._results.insert()


def append(game: Game, batch: Batch, sources: Iterable[HandSource] = ()) -> int:
    """Raise the table's version, insert the records of a batch with the sources of its hands, and return it.

    Raise IntegrityError if another writer has recorded an event with the same number first.
    """
    version = raise_version(game.table)
    PreparedRows(batch.records(game)).insert(version=version)
    PreparedRows(sources).insert()
    return version


def project(
    game: Game,
    state: GameState,
    *,
    version: int,
    at: datetime,
    kind: EntryKind | None = None,
    by: User | None = None,
    people: People | None = None,
) -> None:
    """Update everything that is derived from a game's state. The caller has locked the table.

    This is the game's row, its results, and the entry of what it moves. By default, `kind` says that the game
    ended, was corrected, or goes on again. `version` is the table's with this write, `people` are its members,
    if they were read.
    """
    had_ended = game.ended_at is not None
    goes_on = not had_ended and not state.is_over
    if goes_on and game.variant == state.title:
        return  # the other derived fields are only set once the game is over
    game.ended_at = game.records.get(number=state.outcome.number).recorded_at if state.outcome else None
    repeat(game, state)
    game.save(update_fields=["ended_at", *REPEATED])
    if goes_on:
        return
    if kind is None:
        kind = (
            EntryKind.ENDED if not had_ended else EntryKind.CORRECTED if state.is_over else EntryKind.REOPENED
        )
    if had_ended:
        game.results.all().delete()
    people = people or People.of(game.table)
    _ready_results([(game, state)], {member.slug: member for member in people.members}).insert()
    won = nets(state) if state.is_over else {}
    if kind is EntryKind.ENDED:
        if game.spot_nets is None and not any(won.values()):
            return
        if _is_paid_by_habit(game):
            mark_paid_on_the_spot(game, won, by=None, at=at)
            game.save(update_fields=MARK)
    enter_game(game, kind, version=version, at=at, by=by, people=people, nets=won)


def _is_paid_by_habit(game: Game) -> bool:
    """Return whether the table's habit marks this game, which ends now, as paid on the spot.

    A game that ends for the first time is marked, and one whose mark the habit set is marked anew. What
    somebody decided about an earlier end of the game stays.
    """
    if not game.table.pays_on_the_spot or game.spot_by_id is not None:
        return False
    return game.spot_nets is not None or not game.entries.exists()


def _ready_results(
    games: Iterable[tuple[Game, GameState]], members: Mapping[PlayerId, Member]
) -> PreparedRows[Result]:
    return PreparedRows(
        result for game, state in games if state.is_over for result in results_of(game, state, members)
    )


def clamped(reported: datetime, *, earliest: datetime) -> datetime:
    """Return the reported moment, limited to the time between `earliest` and now."""
    return min(max(reported, earliest), now())


def last_recorded(game: Game) -> datetime:
    """Return the moment at which the last event of a game was recorded."""
    return game.records.order_by("-number").values_list("recorded_at", flat=True)[0]
