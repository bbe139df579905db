"""The proof of a game: compute its row and results from its records, and compare them with the stored ones.

A record is a stored event of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from games.common import bulk, days
from games.models import Game, Member, Record, Result, Season, Table
from games.play.services import game_results
from games.scoring.errors import ScoringError
from games.scoring.ledger import nets
from games.scoring.money import pot_amount
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.text.codec import from_data
from games.tables.services.roster import People

BATCH_SIZE = 500
COLUMNS = (*game_results.DERIVED_FIELDS, "ended_at", "season_id")
FIGURES = tuple(
    column.attname
    for column in Result._meta.concrete_fields
    if column.attname not in ("id", "game_id", "member_id")
)


@dataclass(frozen=True)
class StoredGame:
    """A game as it is stored: its row, its records and its results."""

    game: Game
    records: Sequence[Record]
    results: Sequence[Result]


@dataclass(frozen=True)
class RecomputedGame:
    """The derived columns of a game's row and the game's results, both computed from the records."""

    columns: Mapping[str, object]
    results: Sequence[Result]


class InconsistentRecords(Exception):
    """The records do not fit together, so nothing can be computed from them."""


class TableBooks:
    """The games of a table, with the members and seasons that they may refer to."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def members(self) -> Mapping[str, Member]:
        """All members by slug, including retired and merged ones."""
        return {member.slug: member for member in self.table.members.all()}

    @cached_property
    def people(self) -> People:
        """The members; a merged one is resolved to the present member."""
        return People(tuple(self.members.values()))

    @cached_property
    def seasons(self) -> Sequence[Season]:
        return list(self.table.seasons.all())

    def games(self) -> Iterator[StoredGame]:
        """Yield every game as it is stored now, read in batches."""
        pks = list(self.table.games.order_by("pk").values_list("pk", flat=True))
        for first in range(0, len(pks), BATCH_SIZE):
            yield from self.load_games(pks[first : first + BATCH_SIZE])

    def load_games(self, pks: Sequence[int]) -> Iterator[StoredGame]:
        """Yield the games with these ids. All are read at once, so pass at most BATCH_SIZE ids."""
        records = Record.objects.filter(game__in=pks).order_by("game", "number")
        results = Result.objects.filter(game__in=pks).order_by("game", "pk")
        records_by_game = bulk.group_values((record.game_id, record) for record in records)
        results_by_game = bulk.group_values((result.game_id, result) for result in results)
        for game in Game.objects.filter(pk__in=pks).order_by("pk"):
            game.table = self.table
            yield StoredGame(game, records_by_game.get(game.pk, []), results_by_game.get(game.pk, []))

    def recompute(self, stored_game: StoredGame) -> RecomputedGame:
        """Return the game's row and results, computed from its records.

        Raise InconsistentRecords if the records are damaged.
        """
        state = self._replay(stored_game)
        night = date.fromordinal(stored_game.game.night_number)
        computed_game = Game(
            table=self.table,
            season=days.season_among(self.seasons, night),
            started_at=stored_game.game.started_at,
            night_number=night.toordinal(),
            ended_at=stored_game.records[state.outcome.number - 1].recorded_at if state.outcome else None,
        )
        game_results.set_derived_fields(computed_game, state)
        counts = state.is_over and stored_game.game.discarded_at is None
        return RecomputedGame(
            columns={name: getattr(computed_game, name) for name in COLUMNS},
            results=game_results.build(computed_game, state, self.members) if counts else [],
        )

    def _replay(self, stored_game: StoredGame) -> GameState:
        if [record.number for record in stored_game.records] != list(range(1, len(stored_game.records) + 1)):
            raise InconsistentRecords("an event is missing")
        try:
            state = replay([from_data(record.kind, record.data) for record in stored_game.records])
        except ScoringError as error:
            number = "" if error.number is None else f"event {error.number}: "
            raise InconsistentRecords(f"the records do not replay: {number}{error}") from error
        strangers = {player for step in state.steps for player in step.seats} - set(self.members)
        if strangers:
            raise InconsistentRecords(f"no members of the table: {', '.join(sorted(strangers))}")
        slugs = [player.id for player in state.players]
        if len({self.people.by_slug[slug].pk for slug in slugs}) < len(slugs):
            raise InconsistentRecords("two of its players are one member")
        pot = pot_amount(state)
        if sum(nets(state).values()) + pot or (pot and state.is_over):
            raise InconsistentRecords(f"the money does not add up to zero, with {pot} in the pot")
        return state

    def list_differences(self, stored_game: StoredGame) -> list[str]:
        try:
            recomputed_game = self.recompute(stored_game)
        except InconsistentRecords as problem:
            return [str(problem)]
        was = {name: getattr(stored_game.game, name) for name in COLUMNS}
        return [
            *_value_differences(was, recomputed_game.columns),
            *self._result_differences(stored_game.results, recomputed_game.results),
        ]

    def _result_differences(
        self, stored_results: Iterable[Result], expected_results: Iterable[Result]
    ) -> Iterator[str]:
        slugs = {member.pk: slug for slug, member in self.members.items()}
        was = {result.member_id: result for result in stored_results}
        should_be = {result.member_id: result for result in expected_results}
        for member in dict.fromkeys((*should_be, *was)):
            name = slugs.get(member, "somebody of another table")
            if member not in was:
                yield f"{name} has no result"
            elif member not in should_be:
                yield f"{name} has a result that should not be there"
            else:
                for wrong in _value_differences(_figures(was[member]), _figures(should_be[member])):
                    yield f"{name}: {wrong}"


def _figures(result: Result) -> dict[str, object]:
    return {name: getattr(result, name) for name in FIGURES}


def _value_differences(was: Mapping[str, object], should_be: Mapping[str, object]) -> list[str]:
    return [
        f"{name} is {was[name]}, and should be {expected}"
        for name, expected in should_be.items()
        if was[name] != expected
    ]
