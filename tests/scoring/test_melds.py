"""Melds of Loba de Más (RULES 3.1, 3.2): the worked examples, and every small meld against the oracle.

`browser/test_melds.py` has the taps.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.cards import FRENCH_RANKS, TWO_FRENCH_PACKS, Card, french_packs
from games.scoring.solvers.melds import Meld, MeldFlaw, MeldKind, PlacedCard, get_meld_solver
from games.scoring.variants.loba_mas import POINTS
from tests.benchmarks.workloads import cards_of as naturals_of
from tests.scoring.example_files import examples, read_cards
from tests.scoring.meld_oracle import ROW, meld_value, run_values, set_value
from tests.scoring.strategies import a_meld

PACK = [*naturals_of(TWO_FRENCH_PACKS), *[Card("*")] * 4]
LOBA_MAS, WITH_THREE_PACKS = get_meld_solver(POINTS[2]), get_meld_solver(POINTS[3])
meld_of, placement, held_value = LOBA_MAS.parse_meld, LOBA_MAS.placement, LOBA_MAS.hand_value


@pytest.mark.parametrize("examples", examples("melds.txt"), ids=lambda text: text.partition("\n")[0])
def test_a_meld_has_the_value_of_the_example(examples):
    kind, *lines = examples.strip().split("\n")
    solver = WITH_THREE_PACKS if kind.startswith("three packs") else LOBA_MAS
    for line in lines:
        text, _equals, expected = f" {line}".rpartition(" = ")
        meld = solver.parse_meld(read_cards(text))
        value, _as, row = expected.partition(" as ")
        assert value == (str(meld.value) if isinstance(meld, Meld) else meld.name.lower()), line
        if row:
            assert row == " ".join(map(position_text, solver.placement(read_cards(text)))), line


def position_text(position: PlacedCard) -> str:
    """Return a card of a run; a wild includes the rank that it stands for."""
    return str(replace(position.card, stands_for=position.rank) if position.is_wild else position.card)


OF_LOBA = {*MeldFlaw} - {MeldFlaw.RUN_WILDS, MeldFlaw.NO_RUNS, MeldFlaw.NO_SETS}


def test_every_flaw_has_a_sentence_of_its_own_and_two_have_another_with_three_packs():
    sentences = {
        str(solver.flaw_sentence(flaw)) for solver in (LOBA_MAS, WITH_THREE_PACKS) for flaw in OF_LOBA
    }
    assert len(OF_LOBA) + 2 == len(sentences)


def test_cards_that_are_not_a_meld_have_no_placement():
    with pytest.raises(ValueError, match="not in sequence"):
        placement(read_cards("9 J Q"))


def test_cards_in_hand_count_as_negative_points():
    assert -3 * 3 - 2 * 6 - 5 == held_value(read_cards("A 2 * K Q J 10 9 8 7 6 5 4 3"))
    assert 0 == held_value(())


# --- against the oracle -----------------------------------------------------------------------------------------------


def check_meld(cards: tuple[Card, ...], packs: int = 2) -> bool:
    """Assert that solver and oracle agree on the cards' value and place. Return whether they are a meld."""
    solver = get_meld_solver(POINTS[packs])
    meld, value = solver.parse_meld(cards), meld_value(cards, packs)
    assert value == (meld.value if isinstance(meld, Meld) else None), [*map(str, cards)]
    if isinstance(meld, MeldFlaw):
        return False
    assert (meld.kind is MeldKind.SET) == (set_value(cards, packs) is not None)
    if meld.kind is MeldKind.RUN:
        start = max(start for worth, start in run_values(cards) if worth == value)
        assert tuple(ROW[start : start + len(cards)]) == meld.ranks
    positions = solver.placement(cards)
    assert sorted(map(str, cards)) == sorted(str(each.card) for each in positions)
    assert meld.ranks == tuple(each.rank for each in positions)
    if meld.kind is MeldKind.RUN:
        assert not all(each.is_wild for each in positions)
        fixed = tuple(
            Card(each.card.rank, each.card.suit, each.rank if each.card.rank in ("2", "*") else "")
            for each in positions
        )
        assert value == meld_value(fixed, packs)
    return True


def runs_of_one_suit(sizes: range) -> Iterator[tuple[Card, ...]]:
    """Yield every set of natural cards of one suit, filled up with jokers, and with a two of another suit."""
    for size in sizes:
        for naturals in range(size + 1):
            for ranks in combinations(FRENCH_RANKS, naturals):
                for other_twos in range(min(1, size - naturals) + 1):
                    cards = [Card(rank, "H") for rank in ranks] + [Card("2", "S")] * other_twos
                    yield (*cards, *[Card("*")] * (size - len(cards)))


def sets_with_ranks(ranks: str, sizes: range) -> Iterator[tuple[Card, ...]]:
    """Yield every selection of cards of one rank, with their suits or without."""
    for rank, size in product(ranks, sizes):
        kinds = [Card(rank, suit) for suit in ("S", "H", "D", "C", "")]
        yield from combinations_with_replacement(kinds, size)


@pytest.mark.parametrize(
    ("packs", "melds"),
    [
        pytest.param(2, runs_of_one_suit(range(3, 4)), id="runs of three"),
        pytest.param(2, runs_of_one_suit(range(4, 6)), id="runs of up to five", marks=pytest.mark.long),
        pytest.param(2, sets_with_ranks("28", range(1, 5)), id="sets of up to four"),
        pytest.param(2, sets_with_ranks("2K", range(1, 8)), id="sets of up to seven", marks=pytest.mark.long),
        pytest.param(3, sets_with_ranks("8", range(1, 7)), id="sets of three packs"),
        pytest.param(3, sets_with_ranks("K", range(7, 11)), id="large sets", marks=pytest.mark.long),
    ],
)
def test_every_meld_of_a_kind_has_the_value_of_the_oracle(packs, melds):
    assert {True, False} == {check_meld(cards, packs) for cards in melds}


@pytest.mark.parametrize(
    ("count", "longest"),
    [
        pytest.param(150, 5, id="some"),
        pytest.param(40_000, 7, id="many", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("packs", [2, 3])
def test_likely_melds_have_the_value_of_the_oracle(packs, count, longest):
    chance = random.Random(20)
    for _meld in range(count):
        check_meld(a_meld(chance, french_packs(packs), range(3, min(longest, 9 - packs) + 1)), packs)


# --- laws -------------------------------------------------------------------------------------------------------------

hands = st.lists(st.sampled_from([*PACK, Card("*", "", "7"), Card("2", "H", "K")]), min_size=3, max_size=5)


@given(hands)
def test_any_cards_have_the_value_of_the_oracle_in_any_order(cards):
    check_meld(tuple(cards))
    assert 1 == len({meld_of(order) for order in permutations(cards)})
