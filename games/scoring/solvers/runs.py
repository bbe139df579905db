"""Runs (escaleras) of one suit: the points left in hand after the best runs, computed once for each holding.

A holding is the cards of one suit as one int. Every rank has a field of `copies` bits, the lowest rank first.
As many low bits of the field are set as cards of this rank are held, so the number of set bits is the number
of cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MIN_RUN_LENGTH = 3
IMPOSSIBLE = 10**9  # the points of an impossible laying: more than any hand holds

_MAX_CACHED = 1 << 17  # holdings cached by one table before it is cleared


def run_points_table(values: Sequence[int]) -> list[int]:
    """Return the points left after the best runs without wilds, for every selection of one suit's cards.

    `values` are the points of the ranks, in running order. The index into the list is the bit mask of the
    ranks held, each of them once.
    """
    table = [0]
    for highest, value in enumerate(values):
        for below in range(1 << highest):
            mask = below | 1 << highest
            least = table[below] + value
            run, card = 0, 1 << highest
            while mask & card:
                run, card = run | card, card >> 1
                if run.bit_count() >= MIN_RUN_LENGTH:
                    least = min(least, table[mask ^ run])
            table.append(least)
    return table


class RunSolver:
    """A solver for the best runs of one suit's cards, with any number of wilds in them."""

    def __init__(self, values: Sequence[int], copies: int) -> None:
        self.values = tuple(values)
        self.copies = copies
        self._tables: list[RunPoints] = []
        self._by_wilds: dict[int, RunPointsByWilds] = {}

    def points_left(self, wilds: int) -> RunPoints:
        """Return a table, keyed by holding, of the points left if its runs take exactly this many wilds."""
        while len(self._tables) <= wilds:
            self._tables.append(RunPoints(self, len(self._tables)))
        return self._tables[wilds]

    def by_wilds(self, most: int) -> RunPointsByWilds:
        """Return a table, keyed by holding, of the points left with 0, 1 … up to `most` wilds in its runs."""
        if most not in self._by_wilds:
            self._by_wilds[most] = RunPointsByWilds(self, most)
        return self._by_wilds[most]

    def best_runs(self, holding: int) -> list[tuple[int, int]]:
        """Return the runs without wilds that leave the fewest points, each as (place of lowest card, length).

        They are chosen from the lowest card up, the longest first among equally good runs.
        """
        runs = []
        while holding:
            fewest_points = self.points_left(0)[holding]
            after, lowest = self.without_lowest(holding)
            lengths = {
                holding.bit_count() - rest.bit_count(): rest for rest, _ in self.through_lowest(holding, 0)
            }
            longest = max(
                (length for length, rest in lengths.items() if self.points_left(0)[rest] == fewest_points),
                default=0,
            )
            if longest:
                runs.append((lowest, longest))
            holding = lengths.get(longest, after)
        return runs

    def without_lowest(self, holding: int) -> tuple[int, int]:
        """Return the holding without one card of its lowest rank, and that rank's place, counted from 0."""
        rank = ((holding & -holding).bit_length() - 1) // self.copies
        return self._without(holding, rank), rank

    def through_lowest(self, holding: int, wilds: int) -> Iterator[tuple[int, int]]:
        """Yield every run whose lowest natural card is the lowest card held.

        Each is given as (holding without the run, wilds in the run). A run has at most `wilds` wilds.
        """
        after, lowest = self.without_lowest(holding)
        for used in range(min(wilds, lowest) + 1):
            start = lowest - used
            growing = [(after, used, lowest + 1)]
            while growing:
                rest, spent, rank = growing.pop()
                if rank - start >= MIN_RUN_LENGTH:
                    yield rest, spent
                if rank == len(self.values):
                    continue
                if spent < wilds:
                    growing.append((rest, spent + 1, rank + 1))
                if rest >> rank * self.copies & 1:
                    growing.append((self._without(rest, rank), spent, rank + 1))

    def _without(self, holding: int, rank: int) -> int:
        field = holding & ((1 << self.copies) - 1) << rank * self.copies
        return holding ^ 1 << field.bit_length() - 1


class RunPoints(dict[int, int]):
    """A lazy table from a holding to the points left with exactly `wilds` wilds in its runs."""

    def __init__(self, runs: RunSolver, wilds: int) -> None:
        super().__init__()
        self._runs = runs
        self._wilds = wilds

    def __missing__(self, holding: int) -> int:
        if len(self) >= _MAX_CACHED:
            self.clear()
        if holding:
            rest, rank = self._runs.without_lowest(holding)
            least = min(IMPOSSIBLE, self._runs.values[rank] + self[rest])
            for after, used in self._runs.through_lowest(holding, self._wilds):
                least = min(least, self._runs.points_left(self._wilds - used)[after])
        else:
            least = IMPOSSIBLE if self._wilds else 0
        self[holding] = least
        return least


class WildCost(dict[int, int]):
    """A lazy table from a holding to the change of the points left if its runs take one wild."""

    def __init__(self, runs: RunSolver) -> None:
        super().__init__()
        self._without, self._with = runs.points_left(0), runs.points_left(1)

    def __missing__(self, holding: int) -> int:
        if len(self) >= _MAX_CACHED:
            self.clear()
        cost = self[holding] = self._with[holding] - self._without[holding]
        return cost


class RunPointsByWilds(dict[int, list[int]]):
    """A lazy table from a holding to the points left with 0, 1 … up to `most` wilds in its runs."""

    def __init__(self, runs: RunSolver, most: int) -> None:
        super().__init__()
        self._tables = [runs.points_left(wilds) for wilds in range(most + 1)]

    def __missing__(self, holding: int) -> list[int]:
        if len(self) >= _MAX_CACHED:
            self.clear()
        row = self[holding] = [table[holding] for table in self._tables]
        return row
