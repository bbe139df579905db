"""The choice between layings that leave the same points: cards on others' groups, own groups, then wilds.

It follows the order in RULES 5.
"""

from __future__ import annotations

from games.scoring.cards import Card, read_card
from games.scoring.solvers.laying import Layings, Parts, Spot
from games.scoring.solvers.leftovers import leftovers_of
from tests.benchmarks.workloads import BY_NUMBER, SPANISH_50

PACK = leftovers_of(SPANISH_50, BY_NUMBER, {Card("*"): 25}).pack


def read_cards(text: str) -> tuple[Card, ...]:
    return tuple(map(read_card, text.split()))


def lay(hand: str, *shown: str) -> tuple[list[str], list[str]]:
    """Return the cards placed on each group that others have shown, and the hand's own groups."""
    spots = [Spot(read_cards(group)) for group in shown]
    laid = Layings(Parts(PACK, read_cards(hand)), spots).laid()
    return [" ".join(map(str, cards)) for cards in laid.placed], [str(group) for group in laid.groups]


def test_of_equal_layings_the_first_shown_group_with_a_difference_decides():
    """Three cards are placed either way; the layings first differ at the second group, where no card is
    preferred.
    """
    placed = (["6c", "", "6o", "1o"], ["2c 2e *"])

    assert placed == lay("* 1o 2c 6c 6o 2e", "3c 4c 5c", "3e 4e 5e", "7o 8o 9o", "2o 3o 4o")


def test_fewer_wilds_on_other_players_groups_take_precedence_over_fewer_wilds_in_own_groups():
    placed = (["", "2c 6c 7c"], ["6e * *"])

    assert placed == lay("* * 2c 6c 4b 6e 7c", "11c 11e 11o", "3c 4c 5c")


def test_the_lowest_own_set_takes_precedence_over_fewer_wilds():
    placed = (["", "8b"], ["4b * *", "7o 7c 7e"])

    assert placed == lay("* * 4b 7o 7c 7e 8b", "9o 9b 9e", "5b 6b 7b")
