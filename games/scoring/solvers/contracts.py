"""Contracts of the contract games (RULES 4): can these cards be laid down for one, and so that the least is kept.

A contract (contrato) is laid in one go as the bajada: exactly the games it names, at most one joker in each.
A card nobody saw the suit of serves where suits are free and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    """A contract laid down: its games, runs first and in running order, the joker in its place; and the cards kept."""

    games: tuple[tuple[Card, ...], ...]
    kept: tuple[Card, ...]
    left: int


def fulfils(cards: Sequence[Card], contract: Contract, values: Mapping[str, int]) -> Bajada | None:
    """The contract laid down from these cards so that the fewest points are kept; None where it cannot be.

    `values` are the points of a card in hand by rank, the joker's under `*`. Of equal bajadas always the same one.
    """
    match contract:
        case SetsAndRuns(sets=sets, runs=runs):
            laid = sets_and_runs(cards, sets, runs, values)
        case LongRun(rows=rows):
            laid = _long_run(cards, rows, values)
        case _:
            assert_never(contract)
    return None if laid is None else _taken_out(cards, laid, values)


# --- games as they are looked for -------------------------------------------------------------------------------------


def _taken_out(cards: Sequence[Card], games: Sequence[Slots], values: Mapping[str, int]) -> Bajada:
    kept = list(cards)
    laid = tuple(tuple(_take(kept, rank, suits) for rank, suits in slots) for slots in games)
    return Bajada(laid, tuple(kept), sum(values[card.rank] for card in kept))


def _take(kept: list[Card], rank: str, suits: str) -> Card:
    """Takes a card of this rank out of those kept; where several fit, one without a suit before any other."""
    card = min(
        (card for card in kept if card.rank == rank and _fits(card, suits)), key=lambda card: card.suit
    )
    kept.remove(card)
    return card


def _fits(card: Card, suits: str) -> bool:
    """Whether the card is of one of these suits; without a suit it is where they are free, and a joker anywhere."""
    return card.suit in suits if card.suit else suits in ("", SUITS)


# --- A to K -----------------------------------------------------------------------------------------------------------


def _long_run(
    cards: Sequence[Card], rows: Sequence[Sequence[str]], values: Mapping[str, int]
) -> list[Slots] | None:
    """The best long run: a joker for the missing rank or, if none is missing, for the cheapest card below its own worth."""
    has_joker = any(card.rank == JOKER for card in cards)
    cheapest = min(FRENCH_RANKS, key=lambda rank: (values[rank], FRENCH_RANKS.index(rank)))
    best: tuple[int, list[Slots]] | None = None
    for row in rows:
        fitting = {
            card.rank
            for card in cards
            if card.rank != JOKER and _fits(card, row[FRENCH_RANKS.index(card.rank)])
        }
        missing = [rank for rank in FRENCH_RANKS if rank not in fitting]
        if len(missing) > has_joker:
            continue
        if not missing and has_joker and values[JOKER] > values[cheapest]:
            missing = [cheapest]
        worth = values[JOKER] - values[missing[0]] if missing else 0
        if best is None or worth > best[0]:
            slots = tuple(
                JOKER_SLOT if rank in missing else (rank, suits)
                for rank, suits in zip(FRENCH_RANKS, row, strict=True)
            )
            best = worth, [slots]
    return best and best[1]
