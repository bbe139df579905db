"""The least leftover, compared with brute force, other engines and hands calculated by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain, combinations, islice
from pathlib import Path
from random import Random

import pytest

from games.scoring.cards import Card, Deck, read_card
from games.scoring.errors import RuleError
from games.scoring.solvers.laying import Layings, Parts
from games.scoring.solvers.leftovers import Leftovers, leftovers_of
from tests.benchmarks.workloads import (
    BY_NUMBER,
    FIGURES_TEN,
    FRENCH_52,
    GIN,
    IN_ORDER_40,
    SPANISH_40,
    SPANISH_48,
    SPANISH_50,
    SPANISH_RANKS,
    TWO_SPANISH_50,
    WORKLOADS,
    hands,
)
from tests.examples import in_a_twentieth_and_in_all
from tests.scoring.brute_force import Rules, is_laid, least_left
from tests.scoring.written import cards_of

DATA = Path(__file__).parent / "data"
WORKED = json.loads((DATA / "worked_hands.json").read_text())
JOKER, ACE_OF_COINS = Card("*"), Card("1", "o")
JOKERS: Mapping[Card, int] = {JOKER: 25}
ONE_WILD_ACE: Mapping[Card, int] = {ACE_OF_COINS: 25}
FRENCH_54 = Deck(FRENCH_52.ranks, FRENCH_52.suits, copies=1, jokers=2)

CHINCHON = leftovers_of(SPANISH_48, BY_NUMBER, {})
CONGA = leftovers_of(SPANISH_50, BY_NUMBER, JOKERS)
GIN_RUMMY = leftovers_of(FRENCH_52, GIN, {})


# --- against brute force ----------------------------------------------------------------------------------------------

# (deck, values, wilds, cards, wilds held, number of hands of each workload in a long run)
KINDS = {
    "7 of 48": (SPANISH_48, BY_NUMBER, {}, 7, (), 10_000),
    "7 of 40": (SPANISH_40, BY_NUMBER, {}, 7, (), 10_000),
    "10 of 52": (FRENCH_52, GIN, {}, 10, (), 10_000),
    "7, one joker": (SPANISH_50, BY_NUMBER, JOKERS, 7, (JOKER,), 10_000),
    "7, two jokers": (SPANISH_50, BY_NUMBER, JOKERS, 7, (JOKER, JOKER), 10_000),
    "10, one joker": (SPANISH_50, BY_NUMBER, JOKERS, 10, (JOKER,), 10_000),
    "10, two jokers": (SPANISH_50, BY_NUMBER, JOKERS, 10, (JOKER, JOKER), 10_000),
    "10 of 42, two jokers": (
        Deck(SPANISH_40.ranks, "oceb", 1, 2),
        BY_NUMBER,
        JOKERS,
        10,
        (JOKER, JOKER),
        10_000,
    ),
    "7, wild ace": (
        SPANISH_48,
        BY_NUMBER,
        ONE_WILD_ACE,
        7,
        (ACE_OF_COINS,),
        10_000,
    ),
    "two packs, 7": (TWO_SPANISH_50, BY_NUMBER, JOKERS, 7, (), 10_000),
    "two packs, 7, one joker": (TWO_SPANISH_50, BY_NUMBER, JOKERS, 7, (JOKER,), 10_000),
    "two packs, 7, two jokers": (TWO_SPANISH_50, BY_NUMBER, JOKERS, 7, (JOKER,) * 2, 10_000),
    "two packs, 7, three jokers": (TWO_SPANISH_50, BY_NUMBER, JOKERS, 7, (JOKER,) * 3, 10_000),
    "two packs, 7, four jokers": (TWO_SPANISH_50, BY_NUMBER, JOKERS, 7, (JOKER,) * 4, 10_000),
    "two packs, 10": (TWO_SPANISH_50, BY_NUMBER, JOKERS, 10, (), 10_000),
    "two packs, 10, two jokers": (TWO_SPANISH_50, BY_NUMBER, JOKERS, 10, (JOKER,) * 2, 10_000),
    "two packs, 10, four jokers": (TWO_SPANISH_50, BY_NUMBER, JOKERS, 10, (JOKER,) * 4, 10_000),
}


def check_against_brute_force(kind: str, workload: str, count: int) -> None:
    deck, values, wilds, size, held, _most = KINDS[kind]
    solver, rules = leftovers_of(deck, values, wilds), Rules(deck.ranks, values, wilds)
    for hand in hands(workload, deck, size, count, held):
        expected = least_left(rules, hand)
        best = solver.best(hand)
        assert (expected, expected) == (solver.points(hand), best.points), hand
        assert expected == rules.points(best.left), hand
        assert is_laid(rules, hand, [group.cards for group in best.groups], best.left), hand


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("kind", KINDS)
def test_brute_force_finds_no_smaller_leftover(kind, workload):
    check_against_brute_force(kind, workload, 15)


@in_a_twentieth_and_in_all
@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("kind", KINDS)
def test_brute_force_finds_no_smaller_leftover_in_thousands_of_hands(kind, workload, share):
    count = KINDS[kind][-1] // share
    check_against_brute_force(kind, workload, count)
    print(f"\n{kind}, {workload}: {count} hands, 0 differences")


# --- against other engines --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("worked", WORKED["leftover"], ids=lambda worked: worked["hand"])
def test_a_hand_calculated_by_hand_has_the_expected_leftover(worked):
    assert worked["points"] == GIN_RUMMY.points(cards_of(worked["hand"])), worked["origin"]


@pytest.mark.parametrize("worked", WORKED["after_discard"], ids=lambda worked: worked["hand"])
def test_a_hand_calculated_by_hand_has_the_expected_leftover_after_its_best_discard(worked):
    hand = cards_of(worked["hand"])
    least = min(GIN_RUMMY.points([other for other in hand if other != card]) for card in hand)
    assert worked["points"] == least, worked["origin"]


@pytest.mark.parametrize("worked", WORKED["closes_with_five_left"], ids=lambda worked: worked["hand"])
def test_a_hand_with_jokers_may_close_exactly_if_another_engine_allows_it(worked):
    solver = leftovers_of(FRENCH_54, GIN, {JOKER: 50})
    assert worked["closes"] == (solver.points(cards_of(worked["hand"])) <= 5), worked["origin"]


def stored(name: str) -> Iterator[list[str]]:
    lines = (DATA / name).read_text().splitlines()
    return (line.split() for line in lines if not line.startswith("#"))


def test_stored_results_of_openspiel_are_confirmed():
    solvers = {
        "48": leftovers_of(SPANISH_48, FIGURES_TEN, {}),
        "40": leftovers_of(SPANISH_40, IN_ORDER_40, {}),
        "52": GIN_RUMMY,
    }
    for pack, points, *hand in stored("openspiel.txt"):
        assert int(points) == solvers[pack].points([read_card(card) for card in hand]), hand


def test_stored_results_of_a_rummikub_solver_are_confirmed():
    solver = leftovers_of(SPANISH_48, dict.fromkeys(SPANISH_RANKS, 1), {})
    for left, *hand in stored("rummikub_solver.txt"):
        assert int(left) == solver.points([read_card(card) for card in hand]), hand


@pytest.mark.slow
def test_every_hand_of_seven_from_forty_cards_has_the_leftover_of_openspiel():
    gin_rummy = pytest.importorskip("pyspiel").gin_rummy
    openspiel = gin_rummy.GinRummyUtils(10, 4, 7).min_deadwood
    pack = [Card(rank, suit) for suit in SPANISH_40.suits for rank in SPANISH_40.ranks]
    points = leftovers_of(SPANISH_40, IN_ORDER_40, {}).points
    ours, theirs = combinations(pack, 7), combinations(range(40), 7)
    compared = differences = 0
    while chunk := list(islice(ours, 100_000)):
        compared += len(chunk)
        differences += sum(
            points(hand) != openspiel(numbers)
            for hand, numbers in zip(chunk, islice(theirs, len(chunk)), strict=True)
        )
    print(f"\n{compared} hands compared with OpenSpiel, {differences} differences")
    assert (18_643_560, 0) == (compared, differences)


# --- mirrors and ties -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("held", [(), (JOKER,), (JOKER, JOKER)], ids=["no joker", "one joker", "two jokers"])
def test_exchanging_suits_does_not_change_the_leftover(workload, held):
    for hand in hands(workload, SPANISH_50, 7, 200, held):
        turned = [Card(card.rank, "cebo"["oceb".index(card.suit)]) if card.suit else card for card in hand]
        assert CONGA.points(hand) == CONGA.points(turned), hand


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("held", [(), (JOKER,), (JOKER, JOKER)], ids=["no joker", "one joker", "two jokers"])
def test_reversing_ranks_and_values_does_not_change_the_leftover(workload, held):
    mirror = leftovers_of(SPANISH_50, {rank: 13 - value for rank, value in BY_NUMBER.items()}, JOKERS)
    for hand in hands(workload, SPANISH_50, 7, 200, held):
        turned = [Card(str(13 - int(card.rank)), card.suit) if card.suit else card for card in hand]
        assert CONGA.points(hand) == mirror.points(turned), hand


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("held", [(), (JOKER,)], ids=["no joker", "one joker"])
def test_the_order_of_the_cards_does_not_change_the_groups(workload, held):
    random = Random(workload)
    for hand in hands(workload, TWO_SPANISH_50, 10, 100, held):
        solver = leftovers_of(TWO_SPANISH_50, BY_NUMBER, JOKERS)
        assert solver.best(hand).groups == solver.best(random.sample(hand, 10)).groups, hand


@pytest.mark.parametrize("workload", WORKLOADS)
def test_the_table_solver_and_the_search_break_ties_alike(workload):
    for hand in hands(workload, FRENCH_52, 10, 300):
        assert GIN_RUMMY.best(hand).groups == Layings(Parts(GIN_RUMMY.pack, hand)).laid().groups, hand


# --- by example -------------------------------------------------------------------------------------------------------


def laid(solver: Leftovers, hand: str) -> tuple[int, list[str], str]:
    best = solver.best(cards_of(hand))
    return best.points, [str(group) for group in best.groups], " ".join(map(str, best.left))


def test_groups_are_sorted_and_leftovers_keep_the_order_of_the_hand():
    assert (12, ["7o 7c 7e", "2b 3b 4b"], "12e") == laid(CHINCHON, "7e 12e 3b 7o 2b 7c 4b")


def test_sets_take_precedence_over_runs_of_equal_value():
    nine = "5o 6o 7o 5c 6c 7c 5e 6e 7e"
    assert (0, ["5o 5c 5e", "6o 6c 6e", "7o 7c 7e"], "") == laid(CHINCHON, nine)


def test_a_joker_is_listed_in_the_place_that_it_fills():
    assert (0, ["11o 11c 11b *", "5o * 7o"], "") == laid(CONGA, "5o 7o * 11o * 11b 11c")


def test_a_spare_joker_is_put_above_a_run_or_below_one_that_ends_at_the_king():
    assert ["4o 5o 6o *"] == laid(CONGA, "4o 5o 6o * 1c 8e 12b")[1]
    assert ["* 10o 11o 12o"] == laid(CONGA, "10o 11o 12o * 1c 4e 6b")[1]


def test_one_natural_card_and_two_jokers_are_a_group():
    assert (1 + 4 + 7 + 9, ["* * 12b"], "1o 4c 7e 9o") == laid(CONGA, "12b 1o 4c 7e 9o * *")


def test_jokers_alone_are_not_a_group():
    assert (50, [], "* *") == laid(CONGA, "* *")


def test_a_joker_without_a_group_is_left_over():
    assert (1 + 4 + 25, [], "1o 4c *") == laid(CONGA, "1o 4c *")


def test_a_wild_ace_of_coins_counts_as_itself_or_as_any_card():
    solver = leftovers_of(SPANISH_48, BY_NUMBER, ONE_WILD_ACE)
    assert (0, ["1o 2o 3o"], "") == laid(solver, "2o 3o 1o")
    assert (0, ["1c 1e 1o"], "") == laid(solver, "1o 1c 1e")
    assert (0, ["9b 10b 1o"], "") == laid(solver, "9b 1o 10b")
    assert (25 + 9, [], "9b 1o") == laid(solver, "9b 1o")


def test_more_jokers_than_fit_a_run_form_a_set():
    deck = Deck(("1", "2", "3", "4"), "oceb", copies=1, jokers=6)
    solver = leftovers_of(deck, BY_NUMBER, JOKERS)
    assert (0, ["3o * * * * * *"], "") == laid(solver, "3o * * * * * *")
    assert (0, 25) == (solver.points(cards_of("1o 2o * *")), solver.points(cards_of("*")))


def test_two_packs_allow_equal_cards_in_a_set_but_not_in_a_run():
    solver = leftovers_of(TWO_SPANISH_50, BY_NUMBER, JOKERS)
    assert (0, ["7o 7o 7c"], "") == laid(solver, "7o 7c 7o")
    assert (4, ["3o 4o 5o"], "4o") == laid(solver, "3o 4o 4o 5o")
    assert (0, ["3o 4o 5o", "4o 5o 6o"], "") == laid(solver, "3o 4o 4o 5o 5o 6o")


def test_seven_and_ten_are_consecutive_in_a_pack_of_forty():
    solver = leftovers_of(SPANISH_40, BY_NUMBER, {})
    assert (0, ["6o 7o 10o"], "") == laid(solver, "6o 7o 10o")
    assert 23 == CHINCHON.points(cards_of("6o 7o 10o"))


def test_a_run_does_not_continue_from_king_to_ace():
    assert 25 == CHINCHON.points(cards_of("11o 12o 1o 1c"))


def test_chinchon_is_one_run_of_all_cards():
    assert CHINCHON.is_one_run(cards_of("3o 1o 2o 4o 7o 6o 5o"))
    assert CONGA.is_one_run(cards_of("3o * 2o 4o 7o 6o *"))
    assert not CHINCHON.is_one_run(cards_of("1o 2o 3o 5o 6o 7o 8o"))
    assert not CHINCHON.is_one_run(cards_of("1o 2o 3o 4c 5c 6c 7c"))


@pytest.mark.parametrize(("hand", "says"), [("8S 9S 10S", "has no 8S"), ("7o 7o 7c", "only 1 × 7o")])
def test_an_unknown_or_surplus_card_is_refused(hand, says):
    with pytest.raises(RuleError, match=says):
        CHINCHON.points(cards_of(hand))
    with pytest.raises(RuleError, match=says):
        CHINCHON.best(cards_of(hand))


def test_an_invalid_pack_is_refused():
    with pytest.raises(ValueError, match="four suits"):
        leftovers_of(Deck(("1", "2", "3"), "ocebx", 1, 0), BY_NUMBER, {})
    with pytest.raises(ValueError, match="at least one point"):
        leftovers_of(SPANISH_48, BY_NUMBER, {JOKER: 0})


def test_all_cards_of_a_suit_are_grouped():
    everything = [Card(rank, "o") for rank in SPANISH_RANKS]
    best = CHINCHON.best(everything)
    assert set(everything) == set(chain.from_iterable(group.cards for group in best.groups))
