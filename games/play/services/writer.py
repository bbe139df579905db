"""The only module that stores records and results. Call its functions inside a transaction.

`recording.py` creates, discards and restores a game's own row; rows of imported games are created here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.timezone import now

from games.common import event_store, locks
from games.common.bulk import BulkRows
from games.models import EntryKind, Game, HandSource, Member, Record, Result
from games.money.services import cash_settlement
from games.money.services.ledgers import Ledger
from games.play.services import game_results
from games.scoring.events import Event
from games.scoring.ledger import nets
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState
from games.tables.services.roster import People


@dataclass(frozen=True)
class Batch:
    """Events recorded together under one idempotency key, after the event with the number `after`.

    `at` and `arrived_at` become the records' `recorded_at` and `arrived_at`.
    """

    after: int
    events: tuple[Event, ...]
    key: str
    at: datetime
    by: User
    arrived_at: datetime

    def records(self, game: Game) -> list[Record]:
        """Return the unsaved records of the batch. Only the first has the key."""
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
            for number, (kind, data) in enumerate(
                event_store.event_contents(self.events), start=self.after + 1
            )
        ]


@dataclass(frozen=True)
class NewGame:
    """A game about to be stored: its row, the batches of events to add, and its state after them."""

    game: Game
    batches: Sequence[Batch]
    state: GameState

    @cached_property
    def records(self) -> list[Record]:
        """The unsaved records. Reading this property also sets the end and the derived fields of `game`."""
        self.game.ended_at = self.ended_at()
        game_results.set_derived_fields(self.game, self.state)
        return [record for batch in self.batches for record in batch.records(self.game)]

    def ended_at(self) -> datetime | None:
        """Return when these batches ended the game; None if it is not over, or was over before them."""
        if self.state.outcome is None:
            return None
        ends = (batch.at for batch in reversed(self.batches) if batch.after < self.state.outcome.number)
        return next(ends, None)


class PreparedGames:
    """New games of one table, prepared for insertion with their records.

    Games that are over and not discarded also get results. `members` are the table's members by slug; unsaved
    members must be stored before these games.
    """

    def __init__(self, games: Sequence[NewGame], members: Mapping[PlayerId, Member]) -> None:
        self._records = BulkRows(record for whole in games for record in whole.records)
        self._games = BulkRows(whole.game for whole in games)
        counting = ((whole.game, whole.state) for whole in games if whole.game.discarded_at is None)
        self._results = _build_results(counting, members)

    def store(self, version: int) -> None:
        """Insert the games, records and results. The records carry the table's version."""
        self._games.insert()
        self._records.insert(version=version)
        self._results.insert()


class ContinuedGames:
    """Stored games of one table that go on, prepared with their new batches and all data derived from them.

    Their states are those after the batches; `members` are the table's members by slug. The games' ledger
    entries are added to `ledger`, which must have read their earlier ones.
    """

    def __init__(self, games: Sequence[NewGame], members: Mapping[PlayerId, Member], ledger: Ledger) -> None:
        self._records = BulkRows(
            record for whole in games for batch in whole.batches for record in batch.records(whole.game)
        )
        recorded_at = _end_times(games)
        self._changed_games: list[Game] = []
        counting: list[tuple[Game, GameState]] = []
        for whole in games:
            game, state = whole.game, whole.state
            if _goes_on_unchanged(game, state):
                continue
            self._changed_games.append(game)
            kind = set_end(game, state, whole.ended_at() or recorded_at.get(game.pk))
            if kind is not None:
                counting.append((game, state))
                post(game, kind, state, ledger)
        self._results = _build_results(counting, members)
        self._without_results = [game.pk for game, _state in counting]

    def store(self, version: int) -> None:
        """Insert the records and results, and update the games' rows. The caller stores the ledger."""
        self._records.insert(version=version)
        Game.objects.bulk_create(
            self._changed_games,
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["ended_at", *game_results.DERIVED_FIELDS, *cash_settlement.MARK_FIELDS],
        )
        Result.objects.filter(game__in=self._without_results).delete()
        self._results.insert()


def _end_times(games: Iterable[NewGame]) -> Mapping[int, datetime]:
    """Return when each game ended, by the game's id, for those that ended before their new batches."""
    numbers = {whole.game.pk: whole.state.outcome.number for whole in games if whole.state.outcome}
    rows = Record.objects.filter(game__in=numbers, number__in=set(numbers.values()))
    return {
        game: recorded_at
        for game, number, recorded_at in rows.values_list("game", "number", "recorded_at")
        if number == numbers[game]
    }


def append_batch(game: Game, batch: Batch, sources: Iterable[HandSource] = ()) -> int:
    """Insert the records of a batch and the sources of its hands, and return the table's new version.

    Raise IntegrityError if another writer has already recorded an event with the same number.
    """
    version = locks.bump_version(game.table)
    BulkRows(batch.records(game)).insert(version=version)
    BulkRows(sources).insert()
    return version


def update_derived_data(
    game: Game,
    state: GameState,
    *,
    version: int,
    at: datetime,
    kind: EntryKind | None = None,
    by: User | None = None,
    people: People | None = None,
) -> None:
    """Update everything derived from a game's state: its row, its results, and its ledger entry.

    The caller has locked the table. By default, `kind` says that the game ended, was corrected, or goes on
    again. `version` is the table's with this write; `people` are its members, if they were read already.
    """
    if _goes_on_unchanged(game, state):
        return  # the other derived fields are set only once the game is over
    had_ended = game.ended_at is not None
    ended_at = game.records.get(number=state.outcome.number).recorded_at if state.outcome else None
    derived = set_end(game, state, ended_at)
    if derived is not None:
        if had_ended:
            game.results.all().delete()
        people = people or People.of(game.table)
        _build_results([(game, state)], {member.slug: member for member in people.members}).insert()
        post_separately(game, kind or derived, state, version=version, at=at, by=by, people=people)
    game.save(update_fields=["ended_at", *game_results.DERIVED_FIELDS, *cash_settlement.MARK_FIELDS])


def _goes_on_unchanged(game: Game, state: GameState) -> bool:
    return game.ended_at is None and not state.is_over and game.variant == state.title


def set_end(game: Game, state: GameState, ended_at: datetime | None) -> EntryKind | None:
    """Set the end and the derived fields of a game's row, which the caller saves.

    `ended_at` is None if the game is not over. Return the kind of its ledger entry: it ended, was corrected,
    or goes on again. Return None for a game that was not over and is not over now.
    """
    had_ended = game.ended_at is not None
    game.ended_at = ended_at
    game_results.set_derived_fields(game, state)
    if not had_ended:
        return EntryKind.ENDED if state.is_over else None
    return EntryKind.CORRECTED if state.is_over else EntryKind.REOPENED


def post_separately(
    game: Game,
    kind: EntryKind,
    state: GameState,
    *,
    version: int,
    at: datetime,
    by: User | None,
    people: People,
) -> None:
    """Enter the money that the game moves now in a ledger of its own, and store that ledger."""
    if not _moves_nothing(game, kind, state):
        ledger = Ledger(game.table, at=at, by=by, people=people, causes=Q(game=game))
        post(game, kind, state, ledger)
        ledger.store(version)


def post(game: Game, kind: EntryKind, state: GameState, ledger: Ledger) -> None:
    """Enter the money that the game moves now; the caller stores the ledger.

    A game that ends may be marked as paid on the spot, by the table's habit.
    """
    if _moves_nothing(game, kind, state):
        return
    won = nets(state) if state.is_over else {}
    if kind is EntryKind.ENDED and _is_paid_by_habit(game, has_entries=ledger.has_entries(game)):
        cash_settlement.set_mark(game, won, by=None, at=ledger.at)
    ledger.change_game(game, kind, won)


def _moves_nothing(game: Game, kind: EntryKind, state: GameState) -> bool:
    return kind is EntryKind.ENDED and game.spot_nets is None and not any(nets(state).values())


def _is_paid_by_habit(game: Game, *, has_entries: bool) -> bool:
    """Return whether the table's habit marks this game, which ends now, as paid on the spot.

    A game that ends for the first time is marked, and a mark that the habit set is set again. A decision by
    somebody about an earlier end of the game stays.
    """
    if not game.table.pays_on_the_spot or game.spot_by_id is not None:
        return False
    return game.spot_nets is not None or not has_entries


def _build_results(
    games: Iterable[tuple[Game, GameState]], members: Mapping[PlayerId, Member]
) -> BulkRows[Result]:
    return BulkRows(
        result
        for game, state in games
        if state.is_over
        for result in game_results.build(game, state, members)
    )


def clamp_time(reported: datetime, *, earliest: datetime) -> datetime:
    """Return the reported time, limited to the range from `earliest` to now."""
    return min(max(reported, earliest), now())


def last_recorded_at(game: Game) -> datetime:
    return game.records.order_by("-number").values_list("recorded_at", flat=True)[0]
