"""What a season's table is sorted by, and how many games it asks for: as asked, as its owners chose, or as suits it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum, auto

from games.models import SeasonOrder
from games.season.filters import LEAST, Filters
from games.season.ranking import Ranking, ranking_of
from games.season.standings import Tally

SHARE = 3  # whoever played less than a third of the most anybody played is not ranked by a figure a game


class Why(Enum):
    """The reason why a table is sorted as it is."""

    ASKED = auto()
    SEASON = auto()
    SAME = auto()
    DIFFERENT = auto()


@dataclass(frozen=True)
class Ordering:
    """The figure, the least number of games a line takes, how many of the worst give no points, and why this figure."""

    by: SeasonOrder
    least: int
    drop: int
    why: Why

    def rank(self, tallies: Collection[Tally], by: SeasonOrder | None = None) -> Ranking:
        """Return the table in this order, or by another figure under the same conditions."""
        return ranking_of(tallies, by or self.by, least=self.least, drop=self.drop)


def ordering_of(filters: Filters, tallies: Collection[Tally]) -> Ordering:
    """Return the order of these tallies: points per game if people played different numbers of games, else
    wins.

    An order that somebody chose comes first. If no minimum of games was chosen, a table by points per game
    asks for about
    a third of the most games anybody played.
    """
    by, why = _by(filters, tallies)
    least = filters.least or (suggested_least(tallies) if by is SeasonOrder.AVERAGE else LEAST[0])
    return Ordering(by, least, filters.drop, why)


def suggested_least(tallies: Collection[Tally]) -> int:
    """Return the greatest minimum on offer that is at most a third of the most games anybody played."""
    most = max((tally.games for tally in tallies), default=0)
    return max((number for number in LEAST if number * SHARE <= most), default=LEAST[0])


def _by(filters: Filters, tallies: Collection[Tally]) -> tuple[SeasonOrder, Why]:
    if filters.by is not None:
        return filters.by, Why.ASKED
    if filters.season is not None and filters.season.order:
        return SeasonOrder(filters.season.order), Why.SEASON
    if len({tally.games for tally in tallies if tally.games}) > 1:
        return SeasonOrder.AVERAGE, Why.DIFFERENT
    return SeasonOrder.WINS, Why.SAME
