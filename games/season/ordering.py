"""The order of a season's standings and the minimum of games for a rank, chosen by a user or automatic.

Standings are ordered by one *figure*: wins, points, points per game or money. A *tally* has the sums of one
member's games.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum, auto

from games.models import SeasonOrder
from games.season.filters import LEAST, Filters
from games.season.ranking import Ranking, ranking_of
from games.season.standings import Tally

SHARE = 3  # points per game rank only members with at least a third of the most games anybody played


class Why(Enum):
    """The reason for the order: a query parameter, the owners' choice for the season, or automatic.

    The automatic order is by wins if all members have played the same number of games (`SAME`), else by
    points per game.
    """

    ASKED = auto()
    SEASON = auto()
    SAME = auto()
    DIFFERENT = auto()


@dataclass(frozen=True)
class Ordering:
    """The order of standings: the figure `by`, and the reason for it.

    `least` is the minimum of games for a rank, `drop` the number of each member's worst games that give no
    points.
    """

    by: SeasonOrder
    least: int
    drop: int
    why: Why

    def rank(self, tallies: Collection[Tally], by: SeasonOrder | None = None) -> Ranking:
        """Return the standings in this order, or by another figure with the same `least` and `drop`."""
        return ranking_of(tallies, by or self.by, least=self.least, drop=self.drop)


def ordering_of(filters: Filters, tallies: Collection[Tally]) -> Ordering:
    """Return the order of these tallies: the order in the filters or the owners' choice, if there is one.

    Otherwise it is by points per game if the members played different numbers of games, else by wins. If the
    filters have no minimum of games, it is `suggested_least` for points per game, else one game.
    """
    by, why = _by(filters, tallies)
    least = filters.least or (suggested_least(tallies) if by is SeasonOrder.AVERAGE else LEAST[0])
    return Ordering(by, least, filters.drop, why)


def suggested_least(tallies: Collection[Tally]) -> int:
    """Return the suggested minimum of games for a rank in standings by points per game.

    Of the numbers that the page offers (`LEAST`), it is the greatest that is at most a third of the most
    games anybody played. If none is, it is the smallest number.
    """
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
