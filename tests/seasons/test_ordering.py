"""The default order of a season's table, and the number of games a member needs to be ranked."""

from __future__ import annotations

import pytest

from games.models import Member, Season, SeasonOrder
from games.seasons.ranking import Filters, ordering_of
from games.seasons.standings import Tally


def tallies(*games, net=0):
    """Return the tallies of members, each of whom won all of the given number of games and this money."""
    return [Tally(Member(slug=f"m{number}"), "b" * count, net) for number, count in enumerate(games)]


@pytest.mark.parametrize(
    ("filters", "games", "expected"),
    [
        (Filters(Season()), tallies(4, 4), (SeasonOrder.WINS, 1)),
        (Filters(Season()), tallies(), (SeasonOrder.WINS, 1)),
        (Filters(Season()), tallies(4, 3), (SeasonOrder.WINS, 1)),
        (Filters(Season()), tallies(4, 3, net=100), (SeasonOrder.MONEY, 1)),
        (Filters(None), tallies(40, 12, 3, net=-100), (SeasonOrder.MONEY, 1)),
        (Filters(Season(order="points")), tallies(40, 12, net=100), (SeasonOrder.POINTS, 1)),
        (Filters(Season(order="average")), tallies(9, 9), (SeasonOrder.AVERAGE, 3)),
        (Filters(Season(order="money"), by=SeasonOrder.WINS), tallies(40, 12), (SeasonOrder.WINS, 1)),
        (Filters(Season(), by=SeasonOrder.WINS), tallies(40, 12), (SeasonOrder.WINS, 1)),
    ],
)
def test_the_requested_order_overrides_the_tables_and_the_tables_overrides_the_default(
    filters, games, expected
):
    ordering = ordering_of(filters, games)

    assert expected == (ordering.by, ordering.least)
