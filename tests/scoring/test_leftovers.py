"""The least leftover, compared with RULES to the letter, other engines and hands calculated by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, islice
from pathlib import Path
from random import Random

import pytest

from games.scoring.cards import Card, Deck, parse_card
from games.scoring.errors import RuleError
from games.scoring.solvers.hand_parts import HandParts
from games.scoring.solvers.laying import LayingSearch
from games.scoring.solvers.leftovers import get_leftover_solver
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
from tests.scoring.by_the_book import Book, Cards, Pack, join_cards
from tests.scoring.example_files import examples, read_cards

DATA = Path(__file__).parent / "data"
WORKED = json.loads((DATA / "worked_hands.json").read_text())
JOKER, ACE_OF_COINS = Card("*"), Card("1", "o")
JOKERS: Mapping[Card, int] = {JOKER: 25}
ONE_WILD_ACE: Mapping[Card, int] = {ACE_OF_COINS: 25}
FRENCH_54 = Deck(FRENCH_52.ranks, FRENCH_52.suits, copies=1, jokers=2)

CHINCHON = get_leftover_solver(SPANISH_48, BY_NUMBER, {})
CONGA = get_leftover_solver(SPANISH_50, BY_NUMBER, JOKERS)
GIN_RUMMY = get_leftover_solver(FRENCH_52, GIN, {})


# --- against the rules ------------------------------------------------------------------------------------------------

# A pack, its wild cards, and the wilds in every hand.
KINDS: Mapping[str, tuple[Deck, Mapping[Card, int], tuple[Card, ...]]] = {
    "48": (SPANISH_48, {}, ()),
    "40": (SPANISH_40, {}, ()),
    "48, wild ace": (SPANISH_48, ONE_WILD_ACE, (ACE_OF_COINS,)),
    "50, one joker": (SPANISH_50, JOKERS, (JOKER,)),
    "50, two jokers": (SPANISH_50, JOKERS, (JOKER,) * 2),
    "two packs": (TWO_SPANISH_50, JOKERS, ()),
    "two packs, two jokers": (TWO_SPANISH_50, JOKERS, (JOKER,) * 2),
    "two packs, four jokers": (TWO_SPANISH_50, JOKERS, (JOKER,) * 4),
}


@pytest.mark.parametrize("count", [20, pytest.param(5000, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", KINDS)
def test_a_hand_leaves_the_fewest_points_of_all_its_layings(kind, count):
    deck, wilds, dealt_wilds = KINDS[kind]
    solver = get_leftover_solver(deck, BY_NUMBER, wilds)
    pack = Pack(tuple(map(int, deck.ranks)), frozenset(map(str, wilds)), 25 if wilds else None)
    book = Book(pack)
    for hand in chain.from_iterable(hands(workload, deck, 7, count, dealt_wilds) for workload in WORKLOADS):
        cards, best = as_texts(hand), solver.best(hand)
        groups, leftover = [as_texts(group.cards) for group in best.groups], as_texts(best.left)
        fewest = min(pack.points(leftover) for _groups, leftover in book.partitions(cards))
        assert (fewest, fewest, fewest) == (solver.points(hand), best.points, pack.points(leftover)), hand
        assert (True, cards) == (all(map(book.is_game, groups)), join_cards(*groups, leftover)), hand


def as_texts(cards: Iterable[Card]) -> Cards:
    """Return the cards in the book's form."""
    return join_cards(tuple(map(str, cards)))


@pytest.mark.parametrize("workload", WORKLOADS)
def test_the_order_of_the_cards_does_not_change_the_groups(workload):
    random, solver = Random(workload), get_leftover_solver(TWO_SPANISH_50, BY_NUMBER, JOKERS)
    for hand in hands(workload, TWO_SPANISH_50, 7, 30, (JOKER,)):
        assert solver.best(hand).groups == solver.best(random.sample(hand, 7)).groups, hand


# --- against other engines --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("worked", WORKED["leftover"], ids=lambda worked: worked["hand"])
def test_a_hand_calculated_by_hand_has_the_expected_leftover(worked):
    assert worked["points"] == GIN_RUMMY.points(read_cards(worked["hand"])), worked["origin"]


@pytest.mark.parametrize("worked", WORKED["closes_with_five_left"], ids=lambda worked: worked["hand"])
def test_a_hand_with_jokers_may_close_exactly_if_another_engine_allows_it(worked):
    solver = get_leftover_solver(FRENCH_54, GIN, {JOKER: 50})
    assert worked["closes"] == (solver.points(read_cards(worked["hand"])) <= 5), worked["origin"]


def stored_hands(name: str) -> Iterator[list[str]]:
    lines = (DATA / name).read_text().splitlines()
    return (line.split() for line in lines if not line.startswith("#"))


def test_stored_results_of_openspiel_are_confirmed():
    solvers = {
        "48": get_leftover_solver(SPANISH_48, FIGURES_TEN, {}),
        "40": get_leftover_solver(SPANISH_40, IN_ORDER_40, {}),
        "52": GIN_RUMMY,
    }
    for pack, points, *hand in stored_hands("openspiel.txt"):
        assert int(points) == solvers[pack].points([parse_card(card) for card in hand]), hand


def test_stored_results_of_a_rummikub_solver_are_confirmed():
    solver = get_leftover_solver(SPANISH_48, dict.fromkeys(SPANISH_RANKS, 1), {})
    for points, *hand in stored_hands("rummikub_solver.txt"):
        assert int(points) == solver.points([parse_card(card) for card in hand]), hand


@pytest.mark.long
def test_every_hand_of_seven_from_forty_cards_has_the_leftover_of_openspiel():
    gin_rummy = pytest.importorskip("pyspiel").gin_rummy
    openspiel = gin_rummy.GinRummyUtils(10, 4, 7).min_deadwood
    pack = [Card(rank, suit) for suit in SPANISH_40.suits for rank in SPANISH_40.ranks]
    points = get_leftover_solver(SPANISH_40, IN_ORDER_40, {}).points
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


@pytest.mark.parametrize("workload", WORKLOADS)
def test_the_table_solver_and_the_search_break_ties_alike(workload):
    for hand in hands(workload, FRENCH_52, 10, 60):
        assert (
            GIN_RUMMY.best(hand).groups == LayingSearch(HandParts(GIN_RUMMY.pack, hand)).best_laying().groups
        ), hand


# --- by example -------------------------------------------------------------------------------------------------------


PACKS = {
    "48": CHINCHON,
    "40": get_leftover_solver(SPANISH_40, BY_NUMBER, {}),
    "48, wild ace": get_leftover_solver(SPANISH_48, BY_NUMBER, ONE_WILD_ACE),
    "50": CONGA,
    "two packs": get_leftover_solver(TWO_SPANISH_50, BY_NUMBER, JOKERS),
    "four ranks, six jokers": get_leftover_solver(
        Deck(("1", "2", "3", "4"), "oceb", 1, 6), BY_NUMBER, JOKERS
    ),
}


@pytest.mark.parametrize("example", examples("leftovers.txt"), ids=lambda text: text.partition("\n")[0])
def test_a_hand_is_laid_as_in_the_example(example):
    for line in example.strip().split("\n")[1:]:
        pack, hand, expected = re.findall(r"^(.*?): (.*) = (.*)$", line)[0]
        best = PACKS[pack].best(read_cards(hand))
        groups, leftover = " | ".join(map(str, best.groups)), " ".join(map(str, best.left))
        assert best.points == PACKS[pack].points(read_cards(hand)), line
        assert expected == f"{best.points}: {groups}".rstrip() + (f" + {leftover}" if leftover else ""), line


@pytest.mark.parametrize(("hand", "says"), [("8S 9S 10S", "has no 8S"), ("7o 7o 7c", "only 1 × 7o")])
def test_an_unknown_or_surplus_card_is_refused(hand, says):
    with pytest.raises(RuleError, match=says):
        CHINCHON.points(read_cards(hand))
    with pytest.raises(RuleError, match=says):
        CHINCHON.best(read_cards(hand))


def test_an_invalid_pack_is_refused():
    with pytest.raises(ValueError, match="four suits"):
        get_leftover_solver(Deck(("1", "2", "3"), "ocebx", 1, 0), BY_NUMBER, {})
    with pytest.raises(ValueError, match="at least one point"):
        get_leftover_solver(SPANISH_48, BY_NUMBER, {JOKER: 0})
