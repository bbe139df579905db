"""Placing cards on other players' groups: whole deals compared with RULES 5 to the letter, and examples."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from games.scoring.cards import Card
from games.scoring.replay import replay
from games.scoring.solvers.fast_placing import REST_STEPS, FastPlacingSolver
from games.scoring.solvers.hand_parts import HandParts, Spot
from games.scoring.solvers.laying import LayingSearch
from games.scoring.solvers.leftovers import get_leftover_solver
from games.scoring.solvers.placing import SHOW_STEPS, TURN_STEPS, place_hands
from games.scoring.step_budget import count_steps
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
from tests.scoring.contested_deals import build_deal, is_contested, leftovers_by_rules, stored_seeds
from tests.scoring.example_files import examples, read_cards, read_log

WORKED = json.loads((Path(__file__).parent / "data" / "worked_hands.json").read_text())
CHINCHON = get_leftover_solver(SPANISH_48, BY_NUMBER, {})
CONGA = get_leftover_solver(SPANISH_50, BY_NUMBER, {Card("*"): 25})
CONTESTED = stored_seeds()

# --- against the rules ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "deals",
    [
        pytest.param([*CONTESTED[:8], *range(15)], id="some"),
        pytest.param([*CONTESTED, *range(15, 5000)], id="all", marks=pytest.mark.long),
    ],
)
def test_a_deal_gives_the_points_of_the_rules(deals):
    """In a contested deal the choice between equal layings decides somebody's points. Others are random."""
    for seed in deals:
        dealt = build_deal(seed)
        assert leftovers_by_rules(dealt) == replay(read_log(dealt.text)).rounds[-1].points, dealt.text


@pytest.mark.long
def test_every_stored_deal_is_contested():
    assert 2000 == len(set(CONTESTED))
    assert [] == [seed for seed in CONTESTED if not is_contested(build_deal(seed))]


@pytest.mark.parametrize("worked", WORKED["placing"], ids=lambda worked: worked["hand"])
def test_a_hand_calculated_by_hand_has_the_expected_leftover_beside_shown_groups(worked):
    spots = [Spot(read_cards(group)) for group in worked["shown"]]
    pack = get_leftover_solver(FRENCH_52, GIN, {}).pack
    assert worked["points"] == LayingSearch(HandParts(pack, read_cards(worked["hand"])), spots).points, (
        worked["origin"]
    )


# --- one hand, groups on the table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", examples("laid.txt"))
def test_a_hand_is_laid_beside_groups_as_in_the_example(example):
    given = dict(re.findall(r"(?m)^(\w+): (.*)$", example))
    group_texts = given["shown"].split(" | ") if "shown" in given else []
    spots = [
        Spot(read_cards(group.removeprefix("=")), is_owner=group.startswith("=")) for group in group_texts
    ]
    laying = LayingSearch(HandParts(CONGA.pack, read_cards(given["hand"])), spots).best_laying()
    placements = [" ".join(map(str, cards)) or "-" for cards in laying.spot_cards]
    assert given.get("groups", "") == " | ".join(map(str, laying.groups))
    assert given.get("placed", "") == " | ".join(placements)
    assert given.get("left", "") == " ".join(map(str, laying.remaining))


# --- the whole table --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", examples("deals.txt"), ids=lambda text: text.partition("\n")[0])
def test_a_deal_is_laid_as_in_the_example(example):
    rows = [row.split(":") for row in example.strip().split("\n")[1:]]
    hands = {player: read_cards(row[0]) for player, row in zip("abc", rows, strict=False)}
    table = place_hands(CHINCHON, hands)
    expected = [(points.strip(), groups.strip()) for _hand, points, groups in rows]
    assert expected == [
        (f"{CHINCHON.points(hands[player])} {result.points}", " | ".join(map(str, result.groups)))
        for player, result in table.items()
    ]


def test_each_card_on_a_group_of_another_is_listed_with_its_owner():
    hands = {"ana": "4o 5o 6o 12c 12e 12b 1o", "beto": "7o 8o 12o 2c 2e 2b 11e"}
    table = place_hands(CHINCHON, {player: read_cards(hand) for player, hand in hands.items()})
    assert [
        ("12o", "ana", "12o 12c 12e 12b"),
        ("7o 8o", "ana", "4o 5o 6o 7o 8o"),
    ] == [
        (" ".join(map(str, added.cards)), added.owner, str(added.group)) for added in table["beto"].additions
    ]
    assert {read_cards("11e"), read_cards("1o")} == {result.remaining for result in table.values()}


def test_the_order_of_cards_does_not_change_the_result():
    random = Random(1)
    for dealt in deals("dense", SPANISH_48, 4, 20):
        hands = dict(zip("abcd", dealt, strict=True))
        shuffled = {player: tuple(random.sample(hand, len(hand))) for player, hand in hands.items()}
        first, second = (
            [(result.points, result.groups) for result in place_hands(CHINCHON, arrangement).values()]
            for arrangement in (hands, shuffled)
        )
        assert first == second


# --- the fast solver --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("deck", [SPANISH_48, SPANISH_50, TWO_SPANISH_50], ids=["48", "50", "two packs"])
def test_the_fast_solver_gives_the_result_of_the_search(deck, workload, monkeypatch):
    solver = get_leftover_solver(deck, BY_NUMBER, {Card("*"): 25} if deck.jokers else {})
    dealt = [dict(zip("abcd", hands, strict=True)) for hands in deals(workload, deck, 4, 20, deck.jokers)]
    quick = [place_hands(solver, hands) for hands in dealt]
    monkeypatch.setattr(FastPlacingSolver, "mask_table", lambda *_arguments: None)
    assert [place_hands(solver, hands) for hands in dealt] == quick


def test_a_turn_without_an_improvement_takes_few_steps():
    hands = {"a": read_cards("1o 2o 3o 4c 6e 8b 10c"), "b": read_cards("12o 10e 7c 7b 5e 3c 1b")}
    with count_steps() as effort:
        place_hands(CHINCHON, hands)
    assert 2 * SHOW_STEPS + 2 * (TURN_STEPS + REST_STEPS) == effort.used
