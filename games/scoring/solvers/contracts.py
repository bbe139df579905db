"""Contracts of the contract games (RULES 4): laying down cards so that the fewest points are kept.

A player who goes down lays a whole contract (contrato) at once: exactly the melds it names, each with as many
jokers as the house rules allow. The contract once laid is the bajada. A card of unknown suit fits only where
any suit is allowed.

`values` gives the points of a card in hand by rank; the joker's rank is `*`. `most_jokers` is the most jokers
in one meld.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias, assert_never

from ..cards import FRENCH_RANKS, JOKER, Card
from ..frozen import Frozen
from .sets_and_runs import JOKER_SLOT, SUITS, Slots, lay_sets_and_runs

RED, BLACK = "HD", "SC"


@dataclass(frozen=True, eq=False, repr=False)
class SetsAndRuns(Frozen):
    """A contract of sets (tríos) of three of a rank and runs (escaleras) of four of a suit.

    The ace is low or high.
    """

    key: str
    sets: int = 0
    runs: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class LongRun(Frozen):
    """A contract of one run from ace to king.

    Each of `rows` is one allowed pattern of suits: the suits allowed at each rank.
    """

    key: str
    rows: tuple[tuple[str, ...], ...]


Contract: TypeAlias = SetsAndRuns | LongRun

_ONE_COLOUR = ((RED,) * 13, (BLACK,) * 13)
_COLOURS_IN_TURN = (((RED, BLACK) * 7)[:13], ((BLACK, RED) * 7)[:13])
_ONE_SUIT = tuple((suit,) * 13 for suit in SUITS)

CONTRACTS: Final[Mapping[str, Contract]] = {
    contract.key: contract
    for contract in (
        SetsAndRuns("2T", sets=2),
        SetsAndRuns("1E1T", sets=1, runs=1),
        SetsAndRuns("2E", runs=2),
        SetsAndRuns("3T", sets=3),
        SetsAndRuns("2T1E", sets=2, runs=1),
        SetsAndRuns("2E1T", sets=1, runs=2),
        SetsAndRuns("3E", runs=3),
        SetsAndRuns("4T", sets=4),
        LongRun("sucia", ((SUITS,) * 13,)),
        LongRun("color", _ONE_COLOUR),
        LongRun("imperial", _ONE_COLOUR),
        LongRun("bicolor", _COLOURS_IN_TURN),
        LongRun("real", _ONE_SUIT),
    )
}


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Bajada(Frozen):
    """A contract laid down: its melds (`games`), the cards kept in hand, and their points (`left`).

    Runs come before sets; each joker is in the place it fills.
    """

    games: tuple[tuple[Card, ...], ...]
    kept: tuple[Card, ...]
    left: int


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Lacking(Frozen):
    """The largest part of a contract that can be laid with cards that do not fulfill the contract.

    `games` are the melds laid, `kept` the cards kept in hand, and `left` their points. `sets` and `runs`
    count the melds still missing. For a long run, `ranks` lists the missing ranks: those neither held nor
    filled by a joker.
    """

    games: tuple[tuple[Card, ...], ...]
    kept: tuple[Card, ...]
    left: int
    sets: int = 0
    runs: int = 0
    ranks: tuple[str, ...] = ()


def lay_contract(
    cards: Sequence[Card], contract: Contract, values: Mapping[str, int], *, most_jokers: int = 1
) -> Bajada | None:
    """Return the contract laid down so that the fewest points are kept; None if the cards do not suffice.

    Every meld has at least one natural card. The same cards always give the same result, even if several are
    equally good.
    """
    match contract:
        case SetsAndRuns(sets=sets, runs=runs):
            melds = lay_sets_and_runs(cards, sets, runs, values, most_jokers=most_jokers)
        case LongRun(rows=rows):
            run, missing = _long_run(cards, rows, values, most_jokers)
            melds = None if missing else [run]
        case _:
            assert_never(contract)
    return None if melds is None else Bajada(*_take_cards(cards, melds, values))


def lay_largest_part(
    cards: Sequence[Card], contract: Contract, values: Mapping[str, int], *, most_jokers: int = 1
) -> Lacking:
    """Return the largest part of the contract that the cards suffice for, and the melds or ranks missing.

    Call it for cards that do not fulfill the whole contract. The part with the most melds is the largest;
    among equally many melds, those with more runs are preferred.
    """
    match contract:
        case SetsAndRuns(sets=sets, runs=runs):
            fewer = sorted(product(range(sets + 1), range(runs + 1)), key=lambda two: (-sum(two), -two[1]))
            for laid_sets, laid_runs in fewer:
                melds = lay_sets_and_runs(cards, laid_sets, laid_runs, values, most_jokers=most_jokers)
                if melds is not None:
                    result = _take_cards(cards, melds, values)
                    return Lacking(*result, sets=sets - laid_sets, runs=runs - laid_runs)
            raise AssertionError("no meld at all can always be laid")
        case LongRun(rows=rows):
            run, missing = _long_run(cards, rows, values, most_jokers)
            return Lacking(*_take_cards(cards, [run], values), ranks=missing)
        case _:
            assert_never(contract)


# --- cards of the melds ------------------------------------------------------------------------------------


def _take_cards(
    cards: Sequence[Card], games: Sequence[Slots], values: Mapping[str, int]
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...], int]:
    """Return the cards of each meld, the cards kept, and the points of the cards kept.

    `games` has for each meld its places, as (rank, allowed suits).
    """
    remaining = list(cards)
    melds = tuple(tuple(_take_card(remaining, rank, suits) for rank, suits in slots) for slots in games)
    return melds, tuple(remaining), sum(values[card.rank] for card in remaining)


def _take_card(remaining: list[Card], rank: str, suits: str) -> Card:
    """Remove a card of this rank from `remaining` and return it.

    If several cards fit, a card of unknown suit is removed first.
    """
    card = min(
        (card for card in remaining if card.rank == rank and _fits(card, suits)), key=lambda card: card.suit
    )
    remaining.remove(card)
    return card


def _fits(card: Card, suits: str) -> bool:
    """Return whether the card may fill a place with these suits.

    A card of unknown suit fits only where every suit is allowed; a joker fits everywhere.
    """
    return card.suit in suits if card.suit else suits in ("", SUITS)


# --- A to K -------------------------------------------------------------------------------------------------


def _long_run(
    cards: Sequence[Card], rows: Sequence[Sequence[str]], values: Mapping[str, int], most_jokers: int
) -> tuple[Slots, tuple[str, ...]]:
    """Return the long run that lacks the fewest ranks, as (its filled places, the ranks it lacks).

    Among several, it is the run that takes the most points from the hand. So a joker that fills no gap
    replaces a card that counts less than a joker.
    """
    joker_count = min(most_jokers, len(FRENCH_RANKS) - 1, sum(card.rank == JOKER for card in cards))
    by_worth = sorted(FRENCH_RANKS, key=lambda rank: values[rank])
    best: tuple[int, int, Slots, tuple[str, ...]] | None = None
    for row in rows:
        fitting = {
            card.rank
            for card in cards
            if card.rank != JOKER and _fits(card, row[FRENCH_RANKS.index(card.rank)])
        }
        missing = [rank for rank in FRENCH_RANKS if rank not in fitting]
        cheap = [rank for rank in by_worth if rank in fitting and values[rank] < values[JOKER]]
        wild = {*missing[:joker_count], *cheap[: max(joker_count - len(missing), 0)]}
        lacks = tuple(missing[joker_count:])
        worth = sum(values[JOKER] - values[rank] for rank in wild)
        if best is None or (len(lacks), -worth) < best[:2]:
            slots = tuple(
                JOKER_SLOT if rank in wild else (rank, suits)
                for rank, suits in zip(FRENCH_RANKS, row, strict=True)
                if rank not in lacks
            )
            best = len(lacks), -worth, slots, lacks
    assert best is not None, "a long run has a way to suit it"
    return best[2:]
