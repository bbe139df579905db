"""Rounds of Loba de Menos: the points of hands, and doubts, which are shown but never refused (RULES 1.4)."""

from __future__ import annotations

import pytest

from games.scoring.counting.held import hand_points, least_points, most_points
from games.scoring.errors import RuleError
from games.scoring.kinds import Rules, Value
from games.scoring.rounds import field_of
from games.scoring.text.notation import read_hand
from games.scoring.variants import find_variant


def rules(**chosen: Value) -> Rules:
    variant = find_variant("loba_menos")
    return variant.build(variant.house(chosen))


@pytest.mark.parametrize(
    "hand", ["-1", "100001", "{K K K}", "{K K K}[4]", "{}", "5+1", "[K]+1", "[*=7]", "[12]"]
)
def test_a_hand_that_is_invalid_in_this_game_is_refused_at_its_input(hand: str):
    with pytest.raises(RuleError) as refusal:
        hand_points(rules(), read_hand(hand), field=field_of("beto"))
    assert "hand-beto" == refusal.value.field


@pytest.mark.parametrize(
    ("chosen", "least", "most"),
    [
        ({}, 2, 90),
        ({"ace": 1}, 1, 90),
        ({"ace": 15, "joker": 25}, 2, 4 * 25 + 5 * 15),
        ({"joker": 50}, 2, 4 * 50 + 5 * 10),
        ({"joker": 1}, 1, 90),
    ],
)
def test_the_least_and_the_most_points_of_a_hand_depend_on_the_card_values(
    chosen: dict[str, Value], least: int, most: int
):
    assert (least, most) == (least_points(rules(**chosen)), most_points(rules(**chosen), 9))
