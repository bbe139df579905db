"""Rounds of Loba de Menos: the points of hands, and doubts, which are shown but never refused (RULES 1.4)."""

from __future__ import annotations

import pytest

from games.scoring.counting.held import doubts, hand_points, least_points, most_points, round_points
from games.scoring.errors import RuleError
from games.scoring.kinds import Rules, Value
from games.scoring.rounds import Deal, RoundEntry, field_of
from games.scoring.text.notation import read_hand
from games.scoring.variants import find_variant

DEAL = Deal(
    names={"ana": "Ana", "beto": "Beto", "caro": "Caro"},
    totals={"ana": 0, "beto": 0, "caro": 0},
    turn=("ana", "beto", "caro"),
)


def rules(**chosen: Value) -> Rules:
    variant = find_variant("loba_menos")
    return variant.build(variant.house(chosen))


def an_entry(closer: str | None, closing: str = "out", **hands: str) -> RoundEntry:
    return RoundEntry(closer, closing, tuple((player, read_hand(hand)) for player, hand in hands.items()))


@pytest.mark.parametrize(
    ("hand", "points"),
    [("[A]", 10), ("[2]", 2), ("[10]", 10), ("[J Q K]", 30), ("[*]", 10), ("[]", 0), ("90", 90), ("0", 0)],
)
def test_cards_in_hand_count_their_values(hand: str, points: int):
    assert points == hand_points(rules(), read_hand(hand))


@pytest.mark.parametrize(
    "hand", ["-1", "100001", "{K K K}", "{K K K}[4]", "{}", "5+1", "[K]+1", "[*=7]", "[12]"]
)
def test_a_hand_that_is_invalid_in_this_game_is_refused_at_its_input(hand: str):
    with pytest.raises(RuleError) as refusal:
        hand_points(rules(), read_hand(hand), field=field_of("beto"))
    assert "hand-beto" == refusal.value.field


def test_the_closer_gets_0_or_the_bonus_and_the_others_count_their_cards():
    out = round_points(rules(), an_entry("ana", beto="5", caro="[K 3]"), DEAL)
    at_once = round_points(rules(in_one_go=-20), an_entry("ana", "in_one_go", beto="5", caro="[K 3]"), DEAL)
    assert ({"ana": 0, "beto": 5, "caro": 13}, {"ana": -20, "beto": 5, "caro": 13}) == (out, at_once)


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


@pytest.mark.parametrize(
    ("hand", "doubtful"),
    [
        ("0", True),
        ("[]", True),
        ("1", True),
        ("2", False),
        ("90", False),
        ("91", True),
        ("[2 2 3 3 4 4 5 5 6]", False),
        ("[2 2 3 3 4 4 5 5 6 6]", True),
    ],
)
def test_an_unlikely_hand_is_doubted(hand: str, doubtful: bool):
    entry = an_entry("ana", beto=hand, caro="10")
    raised = doubts(rules(), entry, DEAL, round_points(rules(), entry, DEAL))
    assert (["beto"] if doubtful else []) == [doubt.player for doubt in raised]
