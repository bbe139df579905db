"""The default order of a season's table, and the number of games a member needs to be ranked."""

from __future__ import annotations

import pytest

from games.models import Member, Season, SeasonOrder
from games.season.filters import LEAST, Filters
from games.season.ordering import Why, ordering_of, suggested_least
from games.season.standings import Tally


def tallies(*games):
    """Return the tallies of members, each of whom won all of the given number of games."""
    return [Tally(Member(slug=f"m{number}"), "b" * count) for number, count in enumerate(games)]


@pytest.mark.parametrize(
    ("filters", "games", "expected"),
    [
        (Filters(Season()), (4, 4, 4), (SeasonOrder.WINS, 1, Why.SAME)),
        (
            Filters(Season()),
            (4, 4, 0),
            (SeasonOrder.WINS, 1, Why.SAME),
        ),  # a member with money but no games has not played
        (Filters(Season()), (), (SeasonOrder.WINS, 1, Why.SAME)),
        (Filters(Season()), (4, 3), (SeasonOrder.AVERAGE, 1, Why.DIFFERENT)),
        (Filters(None), (40, 12, 3), (SeasonOrder.AVERAGE, 10, Why.DIFFERENT)),
        (Filters(Season(order="money")), (40, 12), (SeasonOrder.MONEY, 1, Why.SEASON)),
        (Filters(Season(order="average")), (9, 9), (SeasonOrder.AVERAGE, 3, Why.SEASON)),
        (Filters(Season(order="money"), by=SeasonOrder.WINS), (40, 12), (SeasonOrder.WINS, 1, Why.ASKED)),
        (Filters(Season(), by=SeasonOrder.WINS, least=5), (40, 12), (SeasonOrder.WINS, 5, Why.ASKED)),
        (Filters(Season(), least=1), (40, 12), (SeasonOrder.AVERAGE, 1, Why.DIFFERENT)),
    ],
)
def test_the_requested_order_overrides_the_seasons_and_the_seasons_overrides_the_default(
    filters, games, expected
):
    ordering = ordering_of(filters, tallies(*games))

    assert expected == (ordering.by, ordering.least, ordering.why)


@pytest.mark.parametrize("most", range(200))
def test_the_suggested_minimum_is_the_greatest_choice_up_to_a_third_of_the_most_games_played(most):
    ordering = suggested_least(tallies(most))
    greater = [number for number in LEAST if number > ordering]

    assert ordering == 1 or 3 * ordering <= most
    assert all(3 * number > most for number in greater)
