"""Rows and columns of an old notebook that are sums of the others, so that nothing is counted twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from games.files.services import notebook_cells
from games.models import Table

TOTALS = frozenset(
    {"total", "totales", "subtotal", "suma", "sum", "saldo", "balance", "acumulado", "control", "check"}
)
LEAST_SUM_ROWS = 3  # rows that must add up to prove that an unnamed column is a sum


def is_total(label: str) -> bool:
    """Return whether this label names a sum, such as *Total* or *Total mayo*."""
    return bool(TOTALS & set(notebook_cells.comparison_key(label).split()[:1]))


def find_sum_columns(
    people: Mapping[int, str], rows: Sequence[Sequence[str]], table: Table
) -> Collection[int]:
    """Return the places of the columns that are sums, by their names or because they add up in every row."""
    named = {place for place, name in people.items() if is_total(name)}
    open_places, proved = people.keys() - named, Counter[int]()
    if len(open_places) < 3:
        return named
    for cells in rows:
        read = {
            place: notebook_cells.parse_figure(cells[place], table)
            for place in people.keys() - named
            if place < len(cells) and not notebook_cells.is_absent(cells[place])
        }
        figures = {place: figure for place, figure in read.items() if figure is not None}
        total = sum(figures.values())
        open_places = {place for place in open_places if figures.get(place, 0) * 2 == total}
        proved.update(place for place in open_places if figures.get(place))
        if not open_places:
            break
    return named | {place for place in open_places if proved[place] >= LEAST_SUM_ROWS}


class RunningTotals:
    """The sums of the nights above a row, in total and since the last row of sums."""

    def __init__(self) -> None:
        self._all, self._since, self._nights = Counter[str](), Counter[str](), 0

    def add(self, results: Mapping[str, int]) -> None:
        self._all.update(results)
        self._since.update(results)
        self._nights += 1

    def is_sum(self, label: str, results: Mapping[str, int]) -> bool:
        """Return whether a row is a sum, by its label or, if it has no label, by its figures."""
        if is_total(label):
            self._since.clear()
            return True
        if label or self._nights < 2 or not any(results.values()):
            return False
        return any(_nonzero(results) == _nonzero(sums) for sums in (self._all, self._since))


def _nonzero(figures: Mapping[str, int]) -> Mapping[str, int]:
    return {name: figure for name, figure in figures.items() if figure}
