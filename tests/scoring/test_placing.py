"""Placing cards on other players' groups: whole deals compared with RULES 5 to the letter, and examples."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from games.scoring.cards import Card
from games.scoring.effort import counting_steps
from games.scoring.replay import replay
from games.scoring.solvers.beside import REST, Beside
from games.scoring.solvers.laying import Layings, Parts, Spot
from games.scoring.solvers.leftovers import leftovers_of
from games.scoring.solvers.placing import SHOWING, TURN, place_all
from tests.benchmarks.workloads import (
    BY_NUMBER,
    FRENCH_52,
    GIN,
    SPANISH_48,
    SPANISH_50,
    TWO_SPANISH_50,
    WORKLOADS,
    deals,
)
from tests.scoring.contested import by_the_book, deal, is_contested, seeds
from tests.scoring.written import cards_of, log_of

WORKED = json.loads((Path(__file__).parent / "data" / "worked_hands.json").read_text())
CHINCHON = leftovers_of(SPANISH_48, BY_NUMBER, {})
CONGA = leftovers_of(SPANISH_50, BY_NUMBER, {Card("*"): 25})
CONTESTED = seeds()

# --- against the rules ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "deals",
    [
        pytest.param([*CONTESTED[:8], *range(15)], id="some"),
        pytest.param([*CONTESTED[8:40], *range(30, 300)], id="more", marks=pytest.mark.slow),
        pytest.param([*CONTESTED, *range(300, 5000)], id="all", marks=pytest.mark.long),
    ],
)
def test_a_deal_gives_the_points_of_the_rules(deals):
    """In a contested deal the choice between equal layings decides somebody's points; the others are any."""
    for seed in deals:
        dealt = deal(seed)
        assert by_the_book(dealt) == replay(log_of(dealt.text)).rounds[-1].points, dealt.text


@pytest.mark.long
def test_every_stored_deal_is_contested():
    assert 2000 == len(set(CONTESTED))
    assert [] == [seed for seed in CONTESTED if not is_contested(deal(seed))]


def test_the_contested_deals_have_every_kind_of_pack():
    kinds = Counter(
        (contested.options["pack"], contested.options["packs"], contested.options["wilds"])
        for contested in map(deal, CONTESTED)
    )
    packs = [("40", "none"), ("40", "ace_of_coins"), ("48", "none"), ("48", "ace_of_coins"), ("50", "jokers")]
    assert {(pack, packs, wilds) for pack, wilds in packs for packs in "12"} == set(kinds)
    assert 20 < min(kinds.values())


@pytest.mark.parametrize("worked", WORKED["placing"], ids=lambda worked: worked["hand"])
def test_a_hand_calculated_by_hand_has_the_expected_leftover_beside_shown_groups(worked):
    shown = [Spot(cards_of(group)) for group in worked["shown"]]
    pack = leftovers_of(FRENCH_52, GIN, {}).pack
    assert worked["points"] == Layings(Parts(pack, cards_of(worked["hand"])), shown).points, worked["origin"]


# --- one hand, groups on the table ------------------------------------------------------------------------------------

NEARLY_FULL = "1o 2o 3o 4o 5o 6o 7o 8o 9o 10o 11o"  # takes one card, 12o or the joker


@pytest.mark.parametrize(
    ("hand", "shown", "groups", "placed", "left"),
    [
        # a run can be extended at both ends, a set by cards of its rank
        ("7o 8o 3o 12b 1c", ["4o 5o 6o", "12o 12c 12e"], [], ["3o 7o 8o", "12b"], "1c"),
        # an own group is split if its cards are better placed
        (
            "8o 8c 8e 9o 1b",
            ["5o 6o 7o", "9c 10c 11c", "9e 10e 11e"],
            [],
            ["8o 9o", "8c", "8e"],
            "1b",
        ),
        # a joker may bridge a gap; a shown joker moves to the end
        ("8o *", ["4o 5o 6o"], [], ["8o *"], ""),
        ("5o 8o", ["4o * 6o"], [], ["5o 8o"], ""),
        # of equal layings: the fewest placed cards, and these on the groups shown last
        ("7o 8o 9o", ["4o 5o 6o"], ["7o 8o 9o"], [""], ""),
        ("9b 1c", ["9o 9c 9e", "6b 7b 8b"], [], ["", "9b"], "1c"),
        ("9b 1c", ["6b 7b 8b", "9o 9c 9e"], [], ["", "9b"], "1c"),
        # of two groups with equally many cards in either, the next group decides; so does the wild
        ("4o 8o *", ["5o 6o 7o", "6o 7o 8o", "10o 11o 12o"], [], ["4o", "", "8o *"], ""),
        ("4o 8o *", ["=5o 6o 7o", "=6o 7o 8o", "=10o 11o 12o"], [], ["4o", "", "8o *"], ""),
        ("12o *", ["12c 12e 12b", NEARLY_FULL], [], ["12o", "*"], ""),
        ("12o *", ["=12c 12e 12b", f"={NEARLY_FULL}"], [], ["12o", "*"], ""),
        # no card is preferred where the layings first differ
        (
            "* 1o 2c 6c 6o 2e",
            ["3c 4c 5c", "3e 4e 5e", "7o 8o 9o", "2o 3o 4o"],
            ["2c 2e *"],
            ["6c", "", "6o", "1o"],
            "",
        ),
        # fewer wilds on others' groups come before fewer wilds in own ones
        ("* * 2c 6c 4b 6e 7c", ["11c 11e 11o", "3c 4c 5c"], ["6e * *"], ["", "2c 6c 7c"], "4b"),
        # the lowest own set comes before fewer wilds
        (
            "* * 4b 7o 7c 7e 8b",
            ["9o 9b 9e", "5b 6b 7b"],
            ["4b * *", "7o 7c 7e"],
            ["", "8b"],
            "",
        ),
        # a card on a group that the player has shown ("=") does not count as placed
        ("9b 1c", ["=9o 9c 9e", "6b 7b 8b"], [], ["9b", ""], "1c"),
        ("9b 1c", ["9o 9c 9e", "=6b 7b 8b"], [], ["", "9b"], "1c"),
        ("9b 1c", ["=9o 9c 9e", "=6b 7b 8b"], [], ["", "9b"], "1c"),
        # new own groups come before cards in shared groups
        ("7o 8o 9o 9b", ["=9c 9e 9b", "=4o 5o 6o"], ["7o 8o 9o"], ["9b", ""], ""),
        # sets before runs, and the lowest rank gets the most cards; runs suit by suit, the longest first
        ("5o 5c 5e 5b 6b 7b *", [], ["5o 5c 5e 5b", "6b 7b *"], [], ""),
        ("5o 5c 5e 6o 6c 6e *", [], ["5o 5c 5e *", "6o 6c 6e"], [], ""),
        ("10b 11b 12b 10e 11e 12e *", [], ["* 10e 11e 12e", "10b 11b 12b"], [], ""),
        # if only wilds can change places, the first group gets the fewest
        ("* * 5c 5e 5o 6c 7c", [], ["5o 5c 5e *", "6c 7c *"], [], ""),
    ],
)
def test_a_hand_is_laid_beside_groups_as_in_the_example(hand, shown, groups, placed, left):
    spots = [Spot(cards_of(group.removeprefix("=")), shown=group.startswith("=")) for group in shown]
    laid = Layings(Parts(CONGA.pack, cards_of(hand)), spots).laid()
    on_them = [" ".join(map(str, cards)) for cards in laid.placed]
    assert (groups, placed, left) == ([*map(str, laid.groups)], on_them, " ".join(map(str, laid.left)))


# --- the whole table --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "alone", "points", "groups"),
    [
        # cards are placed on groups of others
        (
            ["4o 5o 6o 12c 12e 12b 1o", "7o 8o 12o 2c 2e 2b 11e"],
            [1, 38],
            [1, 11],
            [["12o 12c 12e 12b", "4o 5o 6o 7o 8o"], ["2c 2e 2b"]],
        ),
        # also by the player who cut
        (
            ["4o 5o 6o 12c 12e 12b 2o", "2c 2e 2b 11e 9o 9c 7b"],
            [2, 36],
            [0, 36],
            [["12c 12e 12b", "4o 5o 6o"], ["2o 2c 2e 2b"]],
        ),
        # and beside a card that another player placed
        (
            ["4o 5o 6o 12c 12e 12b 1c", "7o 2c 2e 2b 9e 11c 3b", "8o 3c 3e 1b 9c 11b 10e"],
            [1, 30, 45],
            [1, 23, 37],
            [["12c 12e 12b", "4o 5o 6o 7o 8o"], ["2c 2e 2b"], []],
        ),
        # until no player can improve
        (
            ["4o 5o 6o 12c 12e 12b 8o", "7o 2c 2e 2b 9e 11c 4b"],
            [8, 31],
            [0, 24],
            [["4o 5o 6o 7o 8o", "12c 12e 12b"], ["2c 2e 2b"]],
        ),
        # a card may be taken back unless a card of another player depends on it
        (
            ["4o 5o 6o 4c 4e 10b 1c", "7o 2c 2e 2b 9e 11c 12e"],
            [19, 39],
            [11, 32],
            [["5o 6o 7o", "4o 4c 4e"], ["2c 2e 2b"]],
        ),
        (
            ["4o 5o 6o 4c 4e 10b 1c", "3o 2c 2e 2b 9e 11c 12e"],
            [19, 35],
            [19, 32],
            [["3o 4o 5o 6o"], ["2c 2e 2b"]],
        ),
    ],
)
def test_a_deal_is_laid_as_in_the_example(hands, alone, points, groups):
    table = place_all(CHINCHON, dict(zip("abc", map(cards_of, hands), strict=False)))
    assert (alone, points) == ([one.alone for one in table.values()], [one.points for one in table.values()])
    assert groups == [[*map(str, one.groups)] for one in table.values()]


def test_each_card_on_a_group_of_another_is_listed_with_its_owner():
    hands = {"ana": "4o 5o 6o 12c 12e 12b 1o", "beto": "7o 8o 12o 2c 2e 2b 11e"}
    table = place_all(CHINCHON, {player: cards_of(hand) for player, hand in hands.items()})
    assert [
        ("12o", "ana", "12o 12c 12e 12b"),
        ("7o 8o", "ana", "4o 5o 6o 7o 8o"),
    ] == [
        (" ".join(map(str, added.cards)), added.owner, str(added.group)) for added in table["beto"].additions
    ]
    assert {cards_of("11e"), cards_of("1o")} == {one.left for one in table.values()}


def test_the_order_of_cards_does_not_change_the_result():
    random = Random(1)
    for dealt in deals("dense", SPANISH_48, 4, 20):
        hands = dict(zip("abcd", dealt, strict=True))
        shuffled = {player: tuple(random.sample(hand, len(hand))) for player, hand in hands.items()}
        first, second = (
            [(one.points, one.groups) for one in place_all(CHINCHON, laid).values()]
            for laid in (hands, shuffled)
        )
        assert first == second


# --- single cards, laid from tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("deck", [SPANISH_48, SPANISH_50, TWO_SPANISH_50], ids=["48", "50", "two packs"])
def test_the_shortcut_for_single_cards_gives_the_result_of_the_search(deck, workload, monkeypatch):
    solver = leftovers_of(deck, BY_NUMBER, {Card("*"): 25} if deck.jokers else {})
    dealt = [dict(zip("abcd", hands, strict=True)) for hands in deals(workload, deck, 4, 20, deck.jokers)]
    quick = [place_all(solver, hands) for hands in dealt]
    monkeypatch.setattr(Beside, "view", lambda *_arguments: None)
    assert [place_all(solver, hands) for hands in dealt] == quick


def test_a_turn_without_an_improvement_takes_few_steps():
    hands = {"a": cards_of("1o 2o 3o 4c 6e 8b 10c"), "b": cards_of("12o 10e 7c 7b 5e 3c 1b")}
    with counting_steps() as effort:
        place_all(CHINCHON, hands)
    assert 2 * SHOWING + 2 * (TURN + REST) == effort.taken
