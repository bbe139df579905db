"""Placing cards on others' games, compared with a search over every order turn by turn, and examples."""

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
from games.scoring.solvers.groups import Group, without
from games.scoring.solvers.laying import Layings, Parts, Spot
from games.scoring.solvers.leftovers import Leftovers, leftovers_of
from games.scoring.solvers.outlook import Outlook
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
def test_no_order_of_placing_leaves_less(kind, workload):
    check_placing(kind, workload, 40)


@in_a_twentieth_and_in_all
@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_order_of_placing_leaves_less_in_thousands_of_hands(kind, workload, share):
    count = KINDS[kind][-1] // share
    check_placing(kind, workload, count)
    print(f"\nplacing, {kind}, {workload}: {count} hands, 0 differences")


@pytest.mark.parametrize("worked", WORKED["placing"], ids=lambda worked: worked["hand"])
def test_a_worked_hand_leaves_what_it_should_beside_shown_groups(worked):
    shown = [Group(cards_of(group)) for group in worked["shown"]]
    solver = leftovers_of(FRENCH_52, GIN, {})
    assert worked["points"] == lay(solver, cards_of(worked["hand"]), shown).points, worked["origin"]


def on(hand: str, *shown: str) -> tuple[int, list[str], list[str], str]:
    laid = lay(CONGA, cards_of(hand), [Group(cards_of(group)) for group in shown]).laid()
    placed = [" ".join(map(str, on_it)) for on_it in laid.placed]
    return laid.points, [str(group) for group in laid.groups], placed, " ".join(map(str, laid.left))


def test_a_run_grows_at_both_ends_and_a_set_takes_more_of_its_rank():
    assert (1, [], ["3o 7o 8o", "12b"], "1c") == on("7o 8o 3o 12b 1c", "4o 5o 6o", "12o 12c 12e")


def test_a_group_is_broken_where_its_cards_are_better_placed():
    assert (1, [], ["8o 9o", "8c", "8e"], "1b") == on(
        "8o 8c 8e 9o 1b", "5o 6o 7o", "9c 10c 11c", "9e 10e 11e"
    )


def test_a_joker_may_be_placed_to_bridge_a_gap():
    assert (0, [], ["8o *"], "") == on("8o *", "4o 5o 6o")


def test_a_card_may_take_the_place_of_a_shown_joker_which_moves_to_the_end():
    assert (0, [], ["5o 8o"], "") == on("5o 8o", "4o * 6o")


def test_of_equal_answers_the_fewest_cards_are_placed():
    assert (0, ["7o 8o 9o"], [""], "") == on("7o 8o 9o", "4o 5o 6o")


def spots(*groups: str) -> list[Spot]:
    """Return the places where cards can be put, for groups in which other players have cards.

    A group marked "=" was shown by the player.
    """
    return [Spot(cards_of(group.removeprefix("=")), shown=group.startswith("=")) for group in groups]


def placed_on(hand: str, *groups: str) -> list[str]:
    laid = Layings(Parts(CONGA.pack, cards_of(hand)), spots(*groups)).laid()
    return [" ".join(map(str, on_it)) for on_it in laid.placed]


def test_of_equal_answers_the_fewest_cards_lie_on_the_group_shown_first():
    assert ["", "9b"] == placed_on("9b 1c", "9o 9c 9e", "6b 7b 8b")
    assert ["", "9b"] == placed_on("9b 1c", "6b 7b 8b", "9o 9c 9e")


shown_by_either = pytest.mark.parametrize("mark", ["", "="], ids=["shown by another", "shown by the player"])


@shown_by_either
def test_if_the_first_group_holds_as_many_cards_either_way_the_next_holds_the_fewest(mark):
    # Either 4o or 8o lies on the first; the joker bridges the gap between the other and the second or third.
    groups = [f"{mark}{group}" for group in ("5o 6o 7o", "6o 7o 8o", "10o 11o 12o")]
    assert ["4o", "", "8o *"] == placed_on("4o 8o *", *groups)


@shown_by_either
def test_of_equal_answers_the_wild_lies_on_the_group_shown_last(mark):
    full_but_for_the_king = "1o 2o 3o 4o 5o 6o 7o 8o 9o 10o 11o"  # takes one card, 12o or the joker
    groups = [f"{mark}{group}" for group in ("12c 12e 12b", full_but_for_the_king)]
    assert ["12o", "*"] == placed_on("12o *", *groups)


def test_a_card_on_a_group_the_player_showed_does_not_count_as_placed_on_anothers():
    assert ["9b", ""] == placed_on("9b 1c", "=9o 9c 9e", "6b 7b 8b")
    assert ["", "9b"] == placed_on("9b 1c", "9o 9c 9e", "=6b 7b 8b")


def test_of_own_groups_that_hold_anothers_card_the_first_keeps_the_fewest():
    assert ["", "9b"] == placed_on("9b 1c", "=9o 9c 9e", "=6b 7b 8b")


def test_own_groups_come_before_cards_in_groups_that_hold_anothers_card():
    laid = Layings(Parts(CONGA.pack, cards_of("7o 8o 9o 9b")), spots("=9c 9e 9b", "=4o 5o 6o")).laid()
    assert ["7o 8o 9o"] == [str(group) for group in laid.groups]
    assert (cards_of("9b"), ()) == laid.placed


def test_sets_come_before_runs_and_the_lowest_rank_takes_as_many_as_it_can():
    laid = Layings(Parts(CONGA.pack, cards_of("5o 5c 5e 5b 6b 7b *"))).laid()
    assert ["5o 5c 5e 5b", "6b 7b *"] == [str(group) for group in laid.groups]
    laid = Layings(Parts(CONGA.pack, cards_of("5o 5c 5e 6o 6c 6e *"))).laid()
    assert ["5o 5c 5e *", "6o 6c 6e"] == [str(group) for group in laid.groups]


def test_runs_go_suit_by_suit_and_the_first_is_the_longest():
    laid = Layings(Parts(CONGA.pack, cards_of("10b 11b 12b 10e 11e 12e *"))).laid()
    assert ["* 10e 11e 12e", "10b 11b 12b"] == [str(group) for group in laid.groups]


def test_where_only_wilds_could_change_places_the_first_group_holds_the_fewest():
    laid = Layings(Parts(CONGA.pack, cards_of("* * 5c 5e 5o 6c 7c"))).laid()
    assert ["5o 5c 5e *", "6c 7c *"] == [str(group) for group in laid.groups]


# --- the whole table --------------------------------------------------------------------------------------------------


def least_laid_anew(rules: Rules, table: Table, player: str, hand: Cards) -> int:
    """Return the least points a player can reach by laying anew, trying every choice of cards to take back.

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
    """Play this many deals turn by turn; return how often somebody laid the hand anew."""
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
            # Everybody after the last mover could do no better; this mover could, and did their best.
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
def test_everybody_lays_their_best_in_turn_until_nobody_can_do_better(kind, workload):
    assert check_rounds(kind, 3, workload, 6) > 0


@in_a_twentieth_and_in_all
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("kind", KINDS)
def test_everybody_lays_their_best_in_turn_in_hundreds_of_deals(kind, workload, players, share):
    count = 300 // share
    turns = check_rounds(kind, players, workload, count)
    print(f"\nthe whole table, {kind}, {workload}, {players} players: {count} deals, {turns} times laid anew")


def placed(**hands: str) -> dict[str, Placed]:
    return place_all(CHINCHON, {player: cards_of(hand) for player, hand in hands.items()})


def described(placed: Placed) -> Iterator[str]:
    for addition in placed.additions:
        yield f"{' '.join(map(str, addition.cards))} on {addition.owner}'s {addition.group}"


def test_cards_go_on_the_groups_of_others():
    table = placed(ana="4o 5o 6o 12c 12e 12b 1o", beto="7o 8o 12o 2c 2e 2b 11e")
    assert (1, 1) == (table["ana"].alone, table["ana"].points)
    assert (7 + 8 + 12 + 11, 11) == (table["beto"].alone, table["beto"].points)
    assert ["12o on ana's 12o 12c 12e 12b", "7o 8o on ana's 4o 5o 6o 7o 8o"] == list(described(table["beto"]))
    assert ["2c 2e 2b"] == [str(group) for group in table["beto"].groups]
    assert cards_of("11e") == table["beto"].left


def test_the_cutter_places_too():
    table = placed(ana="4o 5o 6o 12c 12e 12b 2o", beto="2c 2e 2b 11e 9o 9c 7b")
    assert (2, 0) == (table["ana"].alone, table["ana"].points)
    assert ["2o on beto's 2o 2c 2e 2b"] == list(described(table["ana"]))


def test_a_card_may_go_on_a_card_another_placed():
    table = placed(ana="4o 5o 6o 12c 12e 12b 1c", beto="7o 2c 2e 2b 9e 11c 3b", caro="8o 3c 3e 1b 9c 11b 10e")
    assert ["8o on ana's 4o 5o 6o 7o 8o"] == list(described(table["caro"]))


def test_it_goes_round_until_nobody_can():
    table = placed(ana="4o 5o 6o 12c 12e 12b 8o", beto="7o 2c 2e 2b 9e 11c 4b")
    assert (8, 0) == (table["ana"].alone, table["ana"].points)
    assert ["4o 5o 6o 7o 8o", "12c 12e 12b"] == [str(group) for group in table["ana"].groups]
    assert [set(cards_of("4o 5o 6o 8o")), set(cards_of("12c 12e 12b"))] == [
        set(own) for own in table["ana"].own
    ]


def test_a_card_no_other_card_depends_on_may_be_taken_back():
    table = placed(ana="4o 5o 6o 4c 4e 10b 1c", beto="7o 2c 2e 2b 9e 11c 12e")
    assert (4 + 4 + 10 + 1, 10 + 1) == (table["ana"].alone, table["ana"].points)
    assert ["5o 6o 7o", "4o 4c 4e"] == [str(group) for group in table["ana"].groups]


def test_a_card_that_anothers_card_depends_on_stays():
    table = placed(ana="4o 5o 6o 4c 4e 10b 1c", beto="3o 2c 2e 2b 9e 11c 12e")
    assert (19, 19) == (table["ana"].alone, table["ana"].points)
    assert ["3o 4o 5o 6o"] == [str(group) for group in table["ana"].groups]


def test_the_cutters_rest_before_placing_is_kept_apart():
    table = placed(ana="4o 5o 6o 12c 12e 12b 7e", beto="7o 7c 7b 2c 2e 2b 11e")
    assert (7, 0) == (table["ana"].alone, table["ana"].points)


def test_the_same_hands_always_give_the_same_answer():
    for deal in deals("dense", SPANISH_48, 4, 20):
        hands = dict(zip("abcd", deal, strict=True))
        first = place_all(CHINCHON, hands)
        random = Random(1)
        shuffled = {player: tuple(random.sample(hand, len(hand))) for player, hand in hands.items()}
        second = place_all(CHINCHON, shuffled)
        assert [(one.points, one.groups) for one in first.values()] == [
            (one.points, one.groups) for one in second.values()
        ]


# --- the proof that a turn gains nothing ------------------------------------------------------------------------------


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_turn_that_would_gain_is_passed_over(kind, workload, monkeypatch):
    deck, wilds, _most = KINDS[kind]
    solver = leftovers_of(deck, BY_NUMBER, wilds)
    dealt = [
        dict(zip("abcd", hands, strict=True))
        for hands in deals(workload, deck, 4, 60, deck.jokers if wilds else 0)
    ]
    quick = [place_all(solver, hands) for hands in dealt]
    monkeypatch.setattr(Outlook, "may_leave_less", lambda *_arguments: True)
    assert [place_all(solver, hands) for hands in dealt] == quick


def test_a_turn_that_gains_nothing_takes_few_steps():
    hands = {"a": cards_of("1o 2o 3o 4c 6e 8b 10c"), "b": cards_of("12o 10e 7c 7b 5e 3c 1b")}
    with counting_steps() as effort:
        place_all(CHINCHON, hands)
    assert 2 * SHOWING + 2 * TURN == effort.taken
