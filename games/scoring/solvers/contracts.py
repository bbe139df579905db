"""Contracts of the contract games (RULES 4): can these cards be laid down, and so that the least is kept.

A contract (contrato) is laid in one go as the bajada: exactly the games it names, each with as many jokers as
the table allows.
A card nobody saw the suit of serves where suits are free and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias, assert_never

from games.scoring.cards import FRENCH_RANKS, JOKER, Card
from games.scoring.solvers.sets_and_runs import JOKER_SLOT, SUITS, Slots, sets_and_runs

RED, BLACK = "HD", "SC"


@dataclass(frozen=True)
class SetsAndRuns:
    """So many sets (tríos) of three of a rank and runs (escaleras) of four of a suit, the ace low or high."""

    key: str
    sets: int = 0
    runs: int = 0


@dataclass(frozen=True)
class LongRun:
    """One run from ace to king; each of `rows` is a way to suit it: the suits allowed at each rank."""

    key: str
    rows: tuple[tuple[str, ...], ...]


Contract: TypeAlias = SetsAndRuns | LongRun

_ANY_SUITS = LongRun("sucia", ((SUITS,) * 13,))
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
        _ANY_SUITS,
        LongRun("color", _ONE_COLOUR),
        LongRun("imperial", _ONE_COLOUR),
        LongRun("bicolor", _COLOURS_IN_TURN),
        LongRun("real", _ONE_SUIT),
    )
}


@dataclass(frozen=True, slots=True)
class Bajada:
    """A contract laid down: its games, runs first, each joker in its place; and the cards kept."""

    games: tuple[tuple[Card, ...], ...]
    kept: tuple[Card, ...]
    left: int


@dataclass(frozen=True, slots=True)
class Lacking:
    """What cards that do not fulfil a contract make of it: as many of its games as go together.

    What is missing are `sets` and `runs`, or of a long run the `ranks` neither held nor filled by a joker.
    """

    games: tuple[tuple[Card, ...], ...]
    kept: tuple[Card, ...]
    left: int
    sets: int = 0
    runs: int = 0
    ranks: tuple[str, ...] = ()


def fulfils(
    cards: Sequence[Card], contract: Contract, values: Mapping[str, int], *, most_jokers: int = 1
) -> Bajada | None:
    """The contract laid down from these cards so that the fewest points are kept; None where it cannot be.

    `values` are the points of a card in hand by rank, the joker's under `*`; every game holds at most so many
    jokers, and a card that is none. Of equal bajadas always the same one.
    """
    match contract:
        case SetsAndRuns(sets=sets, runs=runs):
            laid = sets_and_runs(cards, sets, runs, values, most_jokers=most_jokers)
        case LongRun(rows=rows):
            run, missing = _long_run(cards, rows, values, most_jokers)
            laid = None if missing else [run]
        case _:
            assert_never(contract)
    return None if laid is None else Bajada(*_taken_out(cards, laid, values))


def lacking(
    cards: Sequence[Card], contract: Contract, values: Mapping[str, int], *, most_jokers: int = 1
) -> Lacking:
    """What cards that do not fulfil the contract make of it; runs go before sets where either is there."""
    match contract:
        case SetsAndRuns(sets=sets, runs=runs):
            fewer = sorted(product(range(sets + 1), range(runs + 1)), key=lambda two: (-sum(two), -two[1]))
            for found_sets, found_runs in fewer:
                laid = sets_and_runs(cards, found_sets, found_runs, values, most_jokers=most_jokers)
                if laid is not None:
                    taken = _taken_out(cards, laid, values)
                    return Lacking(*taken, sets=sets - found_sets, runs=runs - found_runs)
            raise AssertionError("no game at all can always be laid")
        case LongRun(rows=rows):
            run, missing = _long_run(cards, rows, values, most_jokers)
            return Lacking(*_taken_out(cards, [run], values), ranks=missing)
        case _:
            assert_never(contract)


# --- games as they are looked for ---------------------------------------------------------------------------


def _taken_out(
    cards: Sequence[Card], games: Sequence[Slots], values: Mapping[str, int]
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...], int]:
    """The cards of each game, those kept, and their points."""
    kept = list(cards)
    laid = tuple(tuple(_take(kept, rank, suits) for rank, suits in slots) for slots in games)
    return laid, tuple(kept), sum(values[card.rank] for card in kept)


def _take(kept: list[Card], rank: str, suits: str) -> Card:
    """Takes a card of this rank out of those kept; where several fit, one without a suit before any other."""
    card = min(
        (card for card in kept if card.rank == rank and _fits(card, suits)), key=lambda card: card.suit
    )
    kept.remove(card)
    return card


def _fits(card: Card, suits: str) -> bool:
    """Whether the card is of one of these suits; without a suit it is where they are free, a joker anywhere."""
    return card.suit in suits if card.suit else suits in ("", SUITS)


# --- A to K -------------------------------------------------------------------------------------------------


def _long_run(
    cards: Sequence[Card], rows: Sequence[Sequence[str]], values: Mapping[str, int], most_jokers: int
) -> tuple[Slots, tuple[str, ...]]:
    """The best long run and the ranks it lacks; jokers that fill no gap go down for cheaper cards."""
    held = min(most_jokers, len(FRENCH_RANKS) - 1, sum(card.rank == JOKER for card in cards))
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
        wild, lacks = {*missing[:held], *cheap[: max(held - len(missing), 0)]}, tuple(missing[held:])
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
