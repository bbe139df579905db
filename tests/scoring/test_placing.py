"""Placing cards on other players' groups, compared with a search over every order turn by turn, and
examples.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, product
from pathlib import Path
from random import Random

import pytest

from games.scoring.cards import Card, Deck
from games.scoring.effort import counting_steps
from games.scoring.solvers.beside import REST, Beside
from games.scoring.solvers.groups import Group, without
from games.scoring.solvers.laying import Layings, Parts, Spot
from games.scoring.solvers.leftovers import Leftovers, leftovers_of
from games.scoring.solvers.placing import SHOWING, TURN, Placed, Table, place_all, tables
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
from tests.examples import in_a_twentieth_and_in_all
from tests.scoring.brute_force import Cards, Rules, is_laid, least_left, least_left_on
from tests.scoring.written import cards_of

WORKED = json.loads((Path(__file__).parent / "data" / "worked_hands.json").read_text())
JOKERS: Mapping[Card, int] = {Card("*"): 25}
CHINCHON = leftovers_of(SPANISH_48, BY_NUMBER, {})
CONGA = leftovers_of(SPANISH_50, BY_NUMBER, JOKERS)


def lay(solver: Leftovers, hand: Cards, shown: Sequence[Group]) -> Layings:
    """Return the solver's layings of a hand when cards may also go on these groups."""
    return Layings(Parts(solver.pack, hand), [Spot(group.cards) for group in shown])


# --- one hand, groups shown -------------------------------------------------------------------------------------------

# (deck, wilds, number of hands of each workload in a long run)
KINDS: Mapping[str, tuple[Deck, Mapping[Card, int], int]] = {
    "48": (SPANISH_48, {}, 10_000),
    "50, jokers": (SPANISH_50, JOKERS, 10_000),
    "two packs": (TWO_SPANISH_50, {}, 10_000),
    "two packs, jokers": (TWO_SPANISH_50, JOKERS, 10_000),
}


def check_placing(kind: str, workload: str, count: int) -> None:
    deck, wilds, _most = KINDS[kind]
    solver, rules = leftovers_of(deck, BY_NUMBER, wilds), Rules(deck.ranks, BY_NUMBER, wilds)
    jokers = deck.jokers if wilds else 0
    for cutter, hand in deals(workload, deck, 2, count, jokers):
        shown = solver.best(cutter).groups
        expected = least_left_on(rules, hand, [group.cards for group in shown])
        layings = lay(solver, hand, shown)
        laid = layings.laid()
        assert (expected, expected) == (layings.points, laid.points), (hand, shown)
        assert expected == rules.points(laid.left), (hand, shown)
        kept = (*laid.left, *chain.from_iterable(laid.placed))
        assert is_laid(rules, hand, [group.cards for group in laid.groups], kept), (hand, shown)
        for group, placed in zip(shown, laid.placed, strict=True):
            assert rules.is_group((*group.cards, *placed)), (hand, shown)


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_order_of_placing_leaves_fewer_points(kind, workload):
    check_placing(kind, workload, 40)


@in_a_twentieth_and_in_all
@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_order_of_placing_leaves_fewer_points_in_thousands_of_hands(kind, workload, share):
    count = KINDS[kind][-1] // share
    check_placing(kind, workload, count)
    print(f"\nplacing, {kind}, {workload}: {count} hands, 0 differences")


@pytest.mark.parametrize("worked", WORKED["placing"], ids=lambda worked: worked["hand"])
def test_a_hand_calculated_by_hand_has_the_expected_leftover_beside_shown_groups(worked):
    shown = [Group(cards_of(group)) for group in worked["shown"]]
    solver = leftovers_of(FRENCH_52, GIN, {})
    assert worked["points"] == lay(solver, cards_of(worked["hand"]), shown).points, worked["origin"]


def on(hand: str, *shown: str) -> tuple[int, list[str], list[str], str]:
    laid = lay(CONGA, cards_of(hand), [Group(cards_of(group)) for group in shown]).laid()
    placed = [" ".join(map(str, on_it)) for on_it in laid.placed]
    return laid.points, [str(group) for group in laid.groups], placed, " ".join(map(str, laid.left))


def test_a_run_can_be_extended_at_both_ends_and_a_set_by_cards_of_its_rank():
    assert (1, [], ["3o 7o 8o", "12b"], "1c") == on("7o 8o 3o 12b 1c", "4o 5o 6o", "12o 12c 12e")


def test_an_own_group_is_split_if_its_cards_are_better_placed():
    assert (1, [], ["8o 9o", "8c", "8e"], "1b") == on(
        "8o 8c 8e 9o 1b", "5o 6o 7o", "9c 10c 11c", "9e 10e 11e"
    )


def test_a_joker_may_bridge_a_gap_in_a_placed_run():
    assert (0, [], ["8o *"], "") == on("8o *", "4o 5o 6o")


def test_a_card_may_replace_a_shown_joker_which_moves_to_the_end():
    assert (0, [], ["5o 8o"], "") == on("5o 8o", "4o * 6o")


def test_of_equal_layings_the_one_with_the_fewest_placed_cards_is_chosen():
    assert (0, ["7o 8o 9o"], [""], "") == on("7o 8o 9o", "4o 5o 6o")


def spots(*groups: str) -> list[Spot]:
    """Return the places where cards can be put, for groups in which other players have cards.

    A group marked "=" was shown by the player.
    """
    return [Spot(cards_of(group.removeprefix("=")), shown=group.startswith("=")) for group in groups]


def placed_on(hand: str, *groups: str) -> list[str]:
    laid = Layings(Parts(CONGA.pack, cards_of(hand)), spots(*groups)).laid()
    return [" ".join(map(str, on_it)) for on_it in laid.placed]


def test_of_equal_layings_the_first_shown_group_gets_the_fewest_cards():
    assert ["", "9b"] == placed_on("9b 1c", "9o 9c 9e", "6b 7b 8b")
    assert ["", "9b"] == placed_on("9b 1c", "6b 7b 8b", "9o 9c 9e")


shown_by_either = pytest.mark.parametrize("mark", ["", "="], ids=["shown by another", "shown by the player"])


@shown_by_either
def test_if_the_first_group_gets_equally_many_cards_the_second_gets_the_fewest(mark):
    # Either 4o or 8o goes on the first group; the joker bridges the gap between the other card and the next
    # group.
    groups = [f"{mark}{group}" for group in ("5o 6o 7o", "6o 7o 8o", "10o 11o 12o")]
    assert ["4o", "", "8o *"] == placed_on("4o 8o *", *groups)


@shown_by_either
def test_of_equal_layings_the_wild_is_placed_on_the_last_shown_group(mark):
    full_but_for_the_king = "1o 2o 3o 4o 5o 6o 7o 8o 9o 10o 11o"  # takes one card, 12o or the joker
    groups = [f"{mark}{group}" for group in ("12c 12e 12b", full_but_for_the_king)]
    assert ["12o", "*"] == placed_on("12o *", *groups)


def test_a_card_on_the_players_own_shown_group_does_not_count_as_placed():
    assert ["9b", ""] == placed_on("9b 1c", "=9o 9c 9e", "6b 7b 8b")
    assert ["", "9b"] == placed_on("9b 1c", "9o 9c 9e", "=6b 7b 8b")


def test_of_own_shown_groups_with_other_players_cards_the_first_gets_the_fewest_cards():
    assert ["", "9b"] == placed_on("9b 1c", "=9o 9c 9e", "=6b 7b 8b")


def test_new_own_groups_take_precedence_over_cards_in_shared_groups():
    laid = Layings(Parts(CONGA.pack, cards_of("7o 8o 9o 9b")), spots("=9c 9e 9b", "=4o 5o 6o")).laid()
    assert ["7o 8o 9o"] == [str(group) for group in laid.groups]
    assert (cards_of("9b"), ()) == laid.placed


def test_sets_take_precedence_over_runs_and_the_lowest_rank_gets_the_most_cards():
    laid = Layings(Parts(CONGA.pack, cards_of("5o 5c 5e 5b 6b 7b *"))).laid()
    assert ["5o 5c 5e 5b", "6b 7b *"] == [str(group) for group in laid.groups]
    laid = Layings(Parts(CONGA.pack, cards_of("5o 5c 5e 6o 6c 6e *"))).laid()
    assert ["5o 5c 5e *", "6o 6c 6e"] == [str(group) for group in laid.groups]


def test_runs_are_formed_suit_by_suit_with_the_longest_first():
    laid = Layings(Parts(CONGA.pack, cards_of("10b 11b 12b 10e 11e 12e *"))).laid()
    assert ["* 10e 11e 12e", "10b 11b 12b"] == [str(group) for group in laid.groups]


def test_if_only_wilds_can_change_places_the_first_group_gets_the_fewest():
    laid = Layings(Parts(CONGA.pack, cards_of("* * 5c 5e 5o 6c 7c"))).laid()
    assert ["5o 5c 5e *", "6c 7c *"] == [str(group) for group in laid.groups]


# --- the whole table --------------------------------------------------------------------------------------------------


def least_laid_anew(rules: Rules, table: Table, player: str, hand: Cards) -> int:
    """Return the least points that a player can reach by laying anew, trying every choice of cards to take
    back.

    Only cards that no other player's card depends on can be taken back.
    """
    choices: list[list[Cards]] = []
    others = [shown.others(player) for shown in table.groups if shown.others(player)]
    for shown in table.groups:
        if shown.others(player):
            own = shown.cards.get(player, ())
            kept = chain.from_iterable(combinations(own, size) for size in range(len(own) + 1))
            choices.append([cards for cards in kept if rules.is_group((*shown.others(player), *cards))])
    return min(
        least_left_on(
            rules,
            without(hand, chain.from_iterable(stays)),
            [(*lying, *own) for lying, own in zip(others, stays, strict=True)],
        )
        for stays in product(*choices)
    )


def check_table(rules: Rules, hands: Mapping[str, Cards], table: Table) -> None:
    """Assert that every group is legal, and that each card of every hand is either in a group or left."""
    for shown in table.groups:
        assert rules.is_group(shown.all_cards)
    for player, hand in hands.items():
        lying = chain.from_iterable(shown.cards.get(player, ()) for shown in table.groups)
        assert Counter(hand) == Counter((*lying, *table.left[player]))


def check_rounds(kind: str, players: int, workload: str, count: int) -> int:
    """Play this many deals turn by turn; return how often a player laid a hand anew."""
    deck, wilds, _most = KINDS[kind]
    solver, rules = leftovers_of(deck, BY_NUMBER, wilds), Rules(deck.ranks, BY_NUMBER, wilds)
    turns = 0
    for deal in deals(workload, deck, players, count, deck.jokers if wilds else 0):
        hands = dict(zip("abcdef", deal, strict=False))
        played = list(tables(solver, hands))
        for player, hand in hands.items():
            assert least_left(rules, hand) == rules.points(played[0].left[player])
        check_table(rules, hands, played[0])
        order, last = list(hands), -1
        for before, after in pairwise(played):
            turns += 1
            check_table(rules, hands, after)
            (mover,) = (player for player in hands if before.left[player] is not after.left[player])
            # No player after the last mover could improve; the last mover could, and chose the best.
            while (last := (last + 1) % len(order)) != order.index(mover):
                passed = order[last]
                assert rules.points(before.left[passed]) == least_laid_anew(
                    rules, before, passed, hands[passed]
                )
            reached = least_laid_anew(rules, before, mover, hands[mover])
            assert reached == rules.points(after.left[mover]) < rules.points(before.left[mover])
            for shown in before.groups:
                if others := Counter(shown.others(mover)):
                    assert any(others == Counter(later.others(mover)) for later in after.groups)
        for player, hand in hands.items():
            assert rules.points(played[-1].left[player]) == least_laid_anew(rules, played[-1], player, hand)
    return turns


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("kind", KINDS)
def test_players_improve_in_turn_until_no_player_can(kind, workload):
    assert check_rounds(kind, 3, workload, 6) > 0


@in_a_twentieth_and_in_all
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("kind", KINDS)
def test_players_improve_in_turn_until_no_player_can_in_hundreds_of_deals(kind, workload, players, share):
    count = 300 // share
    turns = check_rounds(kind, players, workload, count)
    print(f"\nthe whole table, {kind}, {workload}, {players} players: {count} deals, {turns} times laid anew")


def placed(**hands: str) -> dict[str, Placed]:
    return place_all(CHINCHON, {player: cards_of(hand) for player, hand in hands.items()})


def described(placed: Placed) -> Iterator[str]:
    for addition in placed.additions:
        yield f"{' '.join(map(str, addition.cards))} on {addition.owner}'s {addition.group}"


def test_cards_are_placed_on_other_players_groups():
    table = placed(ana="4o 5o 6o 12c 12e 12b 1o", beto="7o 8o 12o 2c 2e 2b 11e")
    assert (1, 1) == (table["ana"].alone, table["ana"].points)
    assert (7 + 8 + 12 + 11, 11) == (table["beto"].alone, table["beto"].points)
    assert ["12o on ana's 12o 12c 12e 12b", "7o 8o on ana's 4o 5o 6o 7o 8o"] == list(described(table["beto"]))
    assert ["2c 2e 2b"] == [str(group) for group in table["beto"].groups]
    assert cards_of("11e") == table["beto"].left


def test_the_player_who_cut_places_cards_too():
    table = placed(ana="4o 5o 6o 12c 12e 12b 2o", beto="2c 2e 2b 11e 9o 9c 7b")
    assert (2, 0) == (table["ana"].alone, table["ana"].points)
    assert ["2o on beto's 2o 2c 2e 2b"] == list(described(table["ana"]))


def test_a_card_may_be_placed_beside_a_card_that_another_player_placed():
    table = placed(ana="4o 5o 6o 12c 12e 12b 1c", beto="7o 2c 2e 2b 9e 11c 3b", caro="8o 3c 3e 1b 9c 11b 10e")
    assert ["8o on ana's 4o 5o 6o 7o 8o"] == list(described(table["caro"]))


def test_placing_continues_until_no_player_can_improve():
    table = placed(ana="4o 5o 6o 12c 12e 12b 8o", beto="7o 2c 2e 2b 9e 11c 4b")
    assert (8, 0) == (table["ana"].alone, table["ana"].points)
    assert ["4o 5o 6o 7o 8o", "12c 12e 12b"] == [str(group) for group in table["ana"].groups]
    assert [set(cards_of("4o 5o 6o 8o")), set(cards_of("12c 12e 12b"))] == [
        set(own) for own in table["ana"].own
    ]


def test_a_card_that_no_other_card_depends_on_may_be_taken_back():
    table = placed(ana="4o 5o 6o 4c 4e 10b 1c", beto="7o 2c 2e 2b 9e 11c 12e")
    assert (4 + 4 + 10 + 1, 10 + 1) == (table["ana"].alone, table["ana"].points)
    assert ["5o 6o 7o", "4o 4c 4e"] == [str(group) for group in table["ana"].groups]


def test_a_card_that_another_players_card_depends_on_stays():
    table = placed(ana="4o 5o 6o 4c 4e 10b 1c", beto="3o 2c 2e 2b 9e 11c 12e")
    assert (19, 19) == (table["ana"].alone, table["ana"].points)
    assert ["3o 4o 5o 6o"] == [str(group) for group in table["ana"].groups]


def test_the_leftover_before_placing_is_returned_separately():
    table = placed(ana="4o 5o 6o 12c 12e 12b 7e", beto="7o 7c 7b 2c 2e 2b 11e")
    assert (7, 0) == (table["ana"].alone, table["ana"].points)


def test_the_order_of_cards_does_not_change_the_result():
    for deal in deals("dense", SPANISH_48, 4, 20):
        hands = dict(zip("abcd", deal, strict=True))
        first = place_all(CHINCHON, hands)
        random = Random(1)
        shuffled = {player: tuple(random.sample(hand, len(hand))) for player, hand in hands.items()}
        second = place_all(CHINCHON, shuffled)
        assert [(one.points, one.groups) for one in first.values()] == [
            (one.points, one.groups) for one in second.values()
        ]


# --- single cards, laid from tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_shortcut_for_single_cards_gives_the_result_of_the_search(kind, workload, monkeypatch):
    deck, wilds, _most = KINDS[kind]
    solver = leftovers_of(deck, BY_NUMBER, wilds)
    dealt = [
        dict(zip("abcd", hands, strict=True))
        for hands in deals(workload, deck, 4, 60, deck.jokers if wilds else 0)
    ]
    quick = [place_all(solver, hands) for hands in dealt]
    monkeypatch.setattr(Beside, "view", lambda *_arguments: None)
    assert [place_all(solver, hands) for hands in dealt] == quick


def test_a_turn_without_an_improvement_takes_few_steps():
    hands = {"a": cards_of("1o 2o 3o 4c 6e 8b 10c"), "b": cards_of("12o 10e 7c 7b 5e 3c 1b")}
    with counting_steps() as effort:
        place_all(CHINCHON, hands)
    assert 2 * SHOWING + 2 * (TURN + REST) == effort.taken
