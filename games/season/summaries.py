"""The history of a table, the champions of a season, and the changes of a game that alter one.

`seasons` are always all seasons of the table, oldest first.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Max, Min

from games.models import Game, Season, Table
from games.money.balances import People
from games.scoring.ledger import nets, places
from games.scoring.state import GameState
from games.season.filters import Filters
from games.season.ordering import ordering_of
from games.season.ranking import Ranked, Ranking
from games.season.standings import Scope, standings_of


@dataclass(frozen=True)
class History:
    """The variants that a table ever played, the most played first, and its first and last night."""

    variants: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None

    @property
    def years(self) -> range:
        """The years from the first finished game to the last."""
        return range(self.first.year, self.last.year + 1) if self.first and self.last else range(0)


def history_of(table: Table, people: People) -> History:
    """Return what the table ever played, in one query."""
    games = Scope(table, people).games().values("variant")
    counted = games.annotate(times=Count("pk"), first=Min("night_number"), last=Max("night_number"))
    rows = list(counted.order_by("-times", "variant"))
    if not rows:
        return History()
    first, last = min(row["first"] for row in rows), max(row["last"] for row in rows)
    variants = tuple(row["variant"] for row in rows)
    return History(variants, date.fromordinal(first), date.fromordinal(last))


def champions_of(ranking: Ranking) -> tuple[Ranked, ...]:
    """Return the lines in first place: several if they are tied, none if no game counts."""
    return tuple(line for line in ranking.lines if line.rank == 1)


def past_champions(
    table: Table, people: People, season: Season, seasons: Sequence[Season]
) -> tuple[Ranked, ...]:
    """Return the champions of a season of which nothing else is read."""
    filters = Filters(season)
    tallies = standings_of(filters.scope(table, people, seasons)).tallies.values()
    return champions_of(ordering_of(filters, tallies).rank(tallies))


def altered_season(game: Game, before: GameState, after: GameState | None) -> Season | None:
    """Return the season of the game if this change alters its standings; else None.

    `before` and `after` are the states of the game before and after the change; `after` is None if the game
    is discarded or removed.
    """
    return None if _counted(before) == _counted(after) else game.season


def _counted(state: GameState | None) -> object:
    """Return a tuple of all values in a game that standings add up, to compare two states of the game.

    Return None if the game does not count: it is unfinished, or `state` is None because the game is discarded
    or cannot be read.
    """
    if state is None or state.outcome is None:
        return None
    players = [(player.id, player.total, player.reentries) for player in state.players]
    return (
        nets(state),
        places(state),
        state.outcome.winners,
        state.outcome.refunded,
        state.outcome.agreed,
        players,
        len(state.rounds),
    )
