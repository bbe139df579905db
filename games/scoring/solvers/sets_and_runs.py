"""A solver that lays a contract of sets of three and runs of four from a hand of French cards.

It lays the cards that count the most points, so that the fewest are kept. The slots of a meld are its places:
for each card the rank and the allowed suits, or a joker. Counts of cards (`counts`) are one int with a
hexadecimal digit for each rank: the number of cards of that rank.

`values` gives the points of a card by rank, and `most_jokers` is the most jokers in one meld.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from ..cards import FRENCH_RANKS, FRENCH_SUITS, JOKER, PLACES, Card
from ..frozen import Frozen

SET_SIZE: Final = 3
RUN_SIZE: Final = 4
SUITS: Final = FRENCH_SUITS

# One meld of the contract: for each of its cards the rank and the allowed suits, or a joker in its place.
Slots: TypeAlias = tuple[tuple[str, str], ...]
JOKER_SLOT: Final = (JOKER, "")

# All counts are subtracted at once. Runs are chosen first: after them suits no longer matter, and sets need
# only the counts. The cards of one suit are counted in the same way. There are at most seven of each rank, so
# the highest bit of every digit is free.
_UNITS: Final = {rank: 1 << 4 * place for place, rank in enumerate(FRENCH_RANKS)}
_HIGH_BITS: Final = 8 * sum(_UNITS.values())


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class _SuitRuns(Frozen):
    """Runs of one suit that are laid together: how many there are, and their jokers and natural cards.

    `counts` are the natural cards counted by rank, and `rows` the ranks of each run in order, with `*` for a
    joker.
    """

    number: int
    jokers: int
    counts: int
    rows: tuple[tuple[str, ...], ...]


@cache
def _single_runs(jokers: int) -> tuple[_SuitRuns, ...]:
    """Return every run with at most this many jokers.

    Among runs that take the same cards, only the first is returned.
    """
    runs: dict[int, _SuitRuns] = {}
    for start in range(len(PLACES) - RUN_SIZE + 1):
        ranks = PLACES[start : start + RUN_SIZE]
        for wild in range(min(jokers, RUN_SIZE - 1) + 1):
            for natural in combinations(ranks, RUN_SIZE - wild):
                counts = sum(_UNITS[rank] for rank in natural)
                row = tuple(rank if rank in natural else JOKER for rank in ranks)
                runs.setdefault(counts, _SuitRuns(1, wild, counts, (row,)))
    return tuple(runs.values())


def _includes(needed: int, available: int) -> bool:
    """Return whether the cards `available` include the cards `needed`, both given as counts by rank."""
    return (available | _HIGH_BITS) - needed & _HIGH_BITS == _HIGH_BITS


def _merge_runs(first: _SuitRuns, second: _SuitRuns) -> _SuitRuns:
    """Return the runs of `first` and `second` as one value; all are of one suit."""
    return _SuitRuns(
        first.number + second.number,
        first.jokers + second.jokers,
        first.counts + second.counts,
        first.rows + second.rows,
    )


@lru_cache(maxsize=1 << 13)
def _run_combinations(counts: int, most: int, jokers: int, available_jokers: int) -> tuple[_SuitRuns, ...]:
    """Return every choice of one to `most` runs of one suit, from its natural cards and the jokers.

    `counts` are its natural cards counted by rank. Each run has at most `jokers` jokers, and all together
    have at most `available_jokers`. A joker may stand for a card that is held. Among choices that take the
    same cards, only the first is returned.
    """
    single = [runs for runs in _single_runs(min(jokers, available_jokers)) if _includes(runs.counts, counts)]
    combinations_of_runs, last = list(single), list(enumerate(single))
    for _more in range(most - 1):
        longer: dict[int, tuple[int, _SuitRuns]] = {}
        for start, runs in last:
            for number in range(start, len(single)):
                other = single[number]
                both = runs.counts + other.counts
                if (
                    both in longer
                    or runs.jokers + other.jokers > available_jokers
                    or not _includes(both, counts)
                ):
                    continue
                longer[both] = number, _merge_runs(runs, other)
        last = list(longer.values())
        combinations_of_runs += (runs for _number, runs in last)
    return tuple(combinations_of_runs)


class _ChosenMelds(NamedTuple):
    """The melds laid so far: their points, natural cards counted by rank, number of jokers, and slots."""

    worth: int
    counts: int
    jokers: int
    games: tuple[Slots, ...]


def lay_sets_and_runs(
    cards: Sequence[Card], sets: int, runs: int, values: Mapping[str, int], *, most_jokers: int = 1
) -> Sequence[Slots] | None:
    """Return the slots of this many sets and runs, those whose cards count the most points.

    Return None if the cards do not suffice. `values` gives the points by rank. Each meld has at most
    `most_jokers` jokers, and at least one natural card.
    """
    counts = jokers = 0
    suited = dict.fromkeys(SUITS, 0)
    for rank, suit in ((card.rank, card.suit) for card in cards):
        if rank == JOKER:
            jokers += 1
            continue
        counts += _UNITS[rank]
        if suit:
            suited[suit] += _UNITS[rank]
    # An upper bound: sets from the cards that the runs leave are not worth more than sets from all cards.
    most = _best_sets(counts, jokers, sets, values, most_jokers)
    if most is None:
        return None
    best: _ChosenMelds | None = None
    for run_choice in _run_choices(suited, jokers, runs, values, most_jokers):
        if best is not None and run_choice.worth + most.worth <= best.worth:
            break
        set_choice = _best_sets(
            counts - run_choice.counts, jokers - run_choice.jokers, sets, values, most_jokers
        )
        if set_choice is not None and (best is None or run_choice.worth + set_choice.worth > best.worth):
            best = _ChosenMelds(
                run_choice.worth + set_choice.worth,
                run_choice.counts + set_choice.counts,
                run_choice.jokers + set_choice.jokers,
                run_choice.games + set_choice.games,
            )
    return None if best is None else best.games


def _run_choices(
    suited: Mapping[str, int], jokers: int, runs: int, values: Mapping[str, int], most_jokers: int
) -> list[_ChosenMelds]:
    """Return the choices of exactly `runs` runs, those that count the most points first.

    `suited` gives the natural cards of each suit, counted by rank, and `jokers` the number of jokers held.
    Among choices that take the same ranks, only one is returned.
    """
    choices: dict[tuple[int, int, int], _ChosenMelds] = {(0, 0, 0): _ChosenMelds(0, 0, 0, ())}
    for suit in SUITS if runs else "":
        before = list(choices.items())
        for more in _run_combinations(suited[suit], runs, most_jokers, jokers):
            worth = sum(values[rank] for row in more.rows for rank in row)
            games = tuple(
                tuple(JOKER_SLOT if rank == JOKER else (rank, suit) for rank in row) for row in more.rows
            )
            for (number, used, counts), chosen in before:
                key = number + more.number, used + more.jokers, counts + more.counts
                if key[0] <= runs and key[1] <= jokers and key not in choices:
                    choices[key] = _ChosenMelds(chosen.worth + worth, key[2], key[1], chosen.games + games)
    complete = [chosen for (number, _jokers, _counts), chosen in choices.items() if number == runs]
    return sorted(complete, key=lambda chosen: -chosen.worth)


@cache
def _set_counts(copies: int, jokers: int) -> tuple[tuple[int, int], ...]:
    """Return the ways to make sets from `copies` cards of one rank, as (number of sets, jokers used).

    Each set has at most `jokers` jokers.
    """
    jokers = min(jokers, SET_SIZE - 1)
    return tuple(
        (sets, wild)
        for sets in range(1, copies // (SET_SIZE - jokers) + 1)
        for wild in range(sets * jokers + 1)
        if SET_SIZE * sets - wild <= copies
    )


def _best_sets(
    counts: int, jokers: int, sets: int, values: Mapping[str, int], most_jokers: int
) -> _ChosenMelds | None:
    """Return the choice of exactly `sets` sets that counts the most points, None if there is none.

    `counts` are the natural cards counted by rank, and `jokers` the number of jokers held.
    """
    choices: dict[tuple[int, int], _ChosenMelds] = {(0, 0): _ChosenMelds(0, 0, 0, ())}
    for rank, unit in _UNITS.items() if sets else ():
        ways = _set_counts(counts // unit & 15, most_jokers)
        if not ways:
            continue
        before = list(choices.items())
        for more, wild in ways:
            natural = SET_SIZE * more - wild
            worth = natural * values[rank] + wild * values[JOKER]
            for (number, used), chosen in before:
                key = number + more, used + wild
                if key[0] > sets or key[1] > jokers:
                    continue
                rival = choices.get(key)
                if rival is None or chosen.worth + worth > rival.worth:
                    choices[key] = _ChosenMelds(
                        chosen.worth + worth,
                        chosen.counts + natural * unit,
                        key[1],
                        (*chosen.games, *_set_slots(rank, more, wild)),
                    )
    complete = [chosen for (number, _used), chosen in choices.items() if number == sets]
    return max(complete, key=lambda chosen: chosen.worth, default=None)


def _set_slots(rank: str, sets: int, jokers: int) -> Iterator[Slots]:
    """Yield the slots of each of `sets` sets of one rank.

    The jokers are distributed evenly among the sets; the last sets get the remainder.
    """
    each, remainder = divmod(jokers, sets)
    for number in range(sets):
        wild = each + (number >= sets - remainder)
        yield ((rank, SUITS),) * (SET_SIZE - wild) + (JOKER_SLOT,) * wild
