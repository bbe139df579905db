"""The contract games (RULES 4): a contract is laid down so that the fewest points are kept."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.cards import FRENCH_RANKS, JOKER, Card, french_packs
from games.scoring.solvers.contracts import (
    CONTRACTS,
    Contract,
    Lacking,
    LongRun,
    SetsAndRuns,
    lay_contract,
    lay_largest_part,
)
from tests.benchmarks.workloads import WORKLOADS
from tests.benchmarks.workloads import cards_of as naturals_of
from tests.scoring.example_files import examples, read_cards
from tests.scoring.meld_oracle import fewest_points, is_escalera, is_long_run, is_trio

AR = {**{str(rank): rank for rank in range(2, 11)}, "J": 10, "Q": 10, "K": 10, "A": 20, "*": 50}
CA = {**{str(rank): rank for rank in range(2, 11)}, "J": 11, "Q": 12, "K": 13, "A": 14, "*": 25}
CHEAP_JOKER = {**AR, "*": 1}
PACKS = french_packs(2), french_packs(3)
PACK, THREE_PACKS = ((*naturals_of(deck), *[Card(JOKER)] * deck.jokers) for deck in PACKS)
ANY = 4  # jokers in a meld: all of the pack
LONG = [key for key, contract in CONTRACTS.items() if isinstance(contract, LongRun)]


def laying_text(cards: tuple[Card, ...], contract: Contract, jokers: int) -> str:
    """Return the melds laid, and the cards kept or, if the cards do not suffice, the missing ones."""
    down = lay_contract(cards, contract, AR, most_jokers=jokers)
    result = down or lay_largest_part(cards, contract, AR, most_jokers=jokers)
    melds = " | ".join(sorted(" ".join(map(str, game)) for game in result.games))
    if isinstance(result, Lacking):
        return f"{melds} lacks {' '.join(result.ranks) or f'{result.sets}T {result.runs}E'}".lstrip()
    rest = " ".join(map(str, result.kept))
    return f"{melds} + {rest}" if rest else melds


@pytest.mark.parametrize("example", examples("contracts.txt"), ids=lambda text: text.partition("\n")[0])
def test_a_contract_is_laid_as_in_the_example(example):
    for line in example.strip().split("\n")[1:]:
        key, text, expected = re.findall(r"^(\w+\*?): ?(.*?) ?= (.*)$", line)[0]
        jokers = ANY if key.endswith("*") else 1
        assert expected == laying_text(read_cards(text), CONTRACTS[key.removesuffix("*")], jokers), line


# --- against the oracle -----------------------------------------------------------------------------------------------


def compare(cards: tuple[Card, ...], key: str, values: dict[str, int], jokers: int = 1) -> bool:
    """Assert that solver and oracle agree, with legal melds. Return whether the contract can be laid."""
    contract, down = CONTRACTS[key], lay_contract(cards, CONTRACTS[key], values, most_jokers=jokers)
    assert fewest_points(cards, key, values, jokers) == (down and down.left), [key, *map(str, cards)]
    if down is None:
        compare_lacking(cards, key, lay_largest_part(cards, contract, values, most_jokers=jokers), jokers)
        return False
    assert Counter(cards) == Counter([*down.kept, *(card for game in down.games for card in game)])
    assert down.left == sum(values[card.rank] for card in down.kept)
    if isinstance(contract, SetsAndRuns):
        runs, sets = down.games[: contract.runs], down.games[contract.runs :]
        assert (contract.sets, contract.runs) == (len(sets), len(runs))
        assert all(is_trio(game, jokers) for game in sets)
        assert all(is_escalera(game, jokers) for game in runs)
    else:
        assert is_long_run(down.games[0], key, jokers)
    return True


def compare_lacking(cards: tuple[Card, ...], key: str, rest: Lacking, jokers: int) -> None:
    """Assert that something is missing, and that the laid and the missing melds make up the contract."""
    contract = CONTRACTS[key]
    assert rest.sets or rest.runs or rest.ranks
    assert Counter(cards) == Counter([*rest.kept, *(card for game in rest.games for card in game)])
    if isinstance(contract, SetsAndRuns):
        runs, sets = contract.runs - rest.runs, contract.sets - rest.sets
        assert sets + runs == len(rest.games)
        assert all(is_escalera(game, jokers) for game in rest.games[:runs])
        assert all(is_trio(game, jokers) for game in rest.games[runs:])
    else:
        assert len(FRENCH_RANKS) == len(rest.games[0]) + len(rest.ranks)


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(9, id="some"),
        pytest.param(1000, id="all", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("key", CONTRACTS)
def test_random_hands_are_laid_like_the_oracle_lays_them(key, count):
    """The hands are from two packs and from three, with the usual or any number of jokers in a meld."""
    chance = random.Random(count)
    for workload, deck in product(WORKLOADS.values(), PACKS):
        for number in range(count):
            jokers, joker_count = (1, 1, ANY)[number % 3], chance.choice([0, 1, 1, 2, 3])
            naturals = workload(deck, 13 - jokers - joker_count, chance)
            cards = nearly_long(chance) if key in LONG else (*naturals, *[Card(JOKER)] * joker_count)
            compare(cards, key, chance.choice([AR, CA, CHEAP_JOKER]), jokers)


def nearly_long(chance: random.Random) -> tuple[Card, ...]:
    """Return fourteen cards that are almost A to K in the suits of a contract, with some cards replaced."""
    pattern = chance.choice((["SHDC"], ["HD"], ["SC"], ["HD", "SC"], ["SC", "HD"], ["S"], ["D"]))
    hand = [
        Card(rank, chance.choice(pattern[place % len(pattern)])) for place, rank in enumerate(FRENCH_RANKS)
    ]
    for _spoiled in range(chance.choice([0, 0, 1, 1, 2])):
        hand[chance.randrange(13)] = chance.choice(PACK) if chance.random() < 0.4 else Card(JOKER)
    hand.append(chance.choice([Card(JOKER), chance.choice(PACK), Card(chance.choice(FRENCH_RANKS), "S")]))
    return tuple(chance.sample(hand, len(hand)))


@pytest.mark.parametrize("count", [8, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("key", ["2E", "2E1T", "3E"])
def test_runs_of_few_ranks_of_three_packs_are_laid_like_the_oracle_lays_them(key, count):
    chance, fulfilled = random.Random(16), 0
    for _hand in range(count):
        ranks = chance.choice(["A45678*", "4567*"])
        one_suit = [card for card in THREE_PACKS if card.suit in "S" and card.rank in ranks]
        fulfilled += compare(tuple(chance.sample(one_suit, 12)), key, chance.choice([AR, CHEAP_JOKER]))
    assert fulfilled


# --- laws -------------------------------------------------------------------------------------------------------------

hands = st.lists(st.sampled_from(PACK), min_size=11, max_size=13)
keys = st.sampled_from(list(CONTRACTS))


@given(hands, keys, st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_change_the_melds(cards, key, chance):
    down = lay_contract(cards, CONTRACTS[key], AR)
    again = lay_contract(chance.sample(cards, len(cards)), CONTRACTS[key], AR)
    assert (down and down.games) == (again and again.games)
