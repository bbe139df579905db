"""The order of a season's standings and the minimum of games for a rank, chosen or automatic.

Standings are ordered by one *figure*: wins, points, points per game or money. A *tally* has the sums of one
member's games.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from games.models import SeasonOrder
from games.seasons.filters import LEAST, Filters
from games.seasons.ranking import Ranking, ranking_of
from games.seasons.standings import Tally

SHARE = 3  # points per game rank only members with at least a third of the most games anybody played


@dataclass(frozen=True)
class Ordering:
    """The order of standings: the figure `by`.

    `least` is the minimum of games for a rank, `drop` the number of each member's worst games that give no
    points.
    """

    by: SeasonOrder
    least: int
    drop: int

    def rank(self, tallies: Collection[Tally], by: SeasonOrder | None = None) -> Ranking:
        """Return the standings in this order, or by another figure with the same `least` and `drop`."""
        return ranking_of(tallies, by or self.by, least=self.least, drop=self.drop)


def ordering_of(filters: Filters, tallies: Collection[Tally]) -> Ordering:
    """Return the order of these tallies: the order in the filters or the table's choice, if there is one.

    Otherwise it is by money where somebody won or lost any, else by wins. If the filters have no minimum of
    games, it is `suggested_least` for points per game, else one game.
    """
    by = filters.by or _chosen(filters) or _suited(tallies)
    least = filters.least or (suggested_least(tallies) if by is SeasonOrder.AVERAGE else LEAST[0])
    return Ordering(by, least, filters.drop)


def suggested_least(tallies: Collection[Tally]) -> int:
    """Return the suggested minimum of games for a rank in standings by points per game.

    It is a third of the most games anybody played, rounded up.
    """
    return max(LEAST[0], -(-max((tally.games for tally in tallies), default=0) // SHARE))


def _chosen(filters: Filters) -> SeasonOrder | None:
    if filters.season is None or not filters.season.order:
        return None
    return SeasonOrder(filters.season.order)


def _suited(tallies: Collection[Tally]) -> SeasonOrder:
    return SeasonOrder.MONEY if any(tally.net for tally in tallies) else SeasonOrder.WINS
