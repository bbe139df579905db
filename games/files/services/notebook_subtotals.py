"""Rows and columns of an old notebook that may be sums of the others, so that nothing is counted twice.

A row that seems to be a sum is left out, and so is a column called one: a tick at its box counts it after all.
A column that only adds up counts, and a tick leaves it out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from hashlib import sha256

from games.files.services import notebook_cells
from games.files.services.notebook_cells import Sheet
from games.scoring.i18n import Text, _

SUM_WORD = re.compile(
    r"tot|(?:sub)?total\w*|sums?|sumas?|sumatoria|parcial(?:es)?|saldos?|balances?|acum\w*|accumulated"
    r"|cumulative|control|check"
)
SUM_SIGNS = ("Σ", "∑")
_KEY = re.compile(r"(\d{1,6})-([0-9a-f]{12})(?:-(\d{1,6}))?", re.ASCII)


class SumReason(Enum):
    """The reason why a row or column may be a sum."""

    ROW_CALLED_SUM = auto()
    ROW_ADDS_UP = auto()
    COLUMN_CALLED_SUM = auto()
    COLUMN_ADDS_UP = auto()  # in every row, its figure is the sum of the others
    COLUMN_IN_EXCESS = auto()  # without it, most rows add up to zero


@dataclass(frozen=True, order=True)
class SumKey:
    """The key of a possible sum's box: its line, a digest of the line's cells, and the place of a column.

    A column's line is that of the column names; the place of a row is -1.
    """

    line: int
    digest: str
    place: int = -1

    @classmethod
    def parse(cls, text: str) -> SumKey | None:
        """Return the key in this text; None if it is none."""
        match = _KEY.fullmatch(text)
        return cls(int(match[1]), match[2], int(match[3] or -1)) if match else None

    def __str__(self) -> str:
        return f"{self.line}-{self.digest}" + (f"-{self.place}" if self.place >= 0 else "")


@dataclass(frozen=True)
class PossibleSum:
    """A row or column that may be a sum. `text` is the row's cells or the column's name."""

    key: SumKey
    reason: SumReason
    text: str
    is_ticked: bool

    @property
    def counts_unticked(self) -> bool:
        return self.reason in (SumReason.COLUMN_ADDS_UP, SumReason.COLUMN_IN_EXCESS)

    @property
    def is_counted(self) -> bool:
        return self.is_ticked != self.counts_unticked


def is_called_sum(label: str) -> bool:
    """Return whether a word of this label means a sum, as in *Total*, *Subtotal mayo* or *Ana (acum.)*."""
    words = re.findall(r"[a-z]+", notebook_cells.comparison_key(label))
    return any(map(SUM_WORD.fullmatch, words)) or any(sign in label for sign in SUM_SIGNS)


def digest(cells: Sequence[str]) -> str:
    return sha256(repr(tuple(cells)).encode(errors="replace")).hexdigest()[:12]


# --- rows -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LabelledRow:
    """A row's figures by column, and what its label says."""

    line: int
    is_called_sum: bool
    has_day: bool
    figures: Mapping[int, int]


@dataclass
class _RowSum:
    """The sum of some rows."""

    figures: Counter[int] = field(default_factory=Counter)
    count: int = 0

    def add(self, row: LabelledRow) -> None:
        self.figures.update(row.figures)
        self.count += 1

    def equals(self, row: LabelledRow) -> bool:
        return _nonzero(self.figures) == _nonzero(row.figures)


def _nonzero(figures: Mapping[int, int]) -> Mapping[int, int]:
    return {place: figure for place, figure in figures.items() if figure}


def find_sum_rows(rows: Sequence[LabelledRow]) -> dict[int, SumReason]:
    """Return the rows that seem to be sums, by line: those called one, and those that add up.

    A row that adds up has no day, and its figures are the sum of rows above.
    """
    others = [row for row in rows if not row.is_called_sum]
    adding = _find_running_totals(others) or _find_adding_rows(rows)
    return dict.fromkeys(adding, SumReason.ROW_ADDS_UP) | {
        row.line: SumReason.ROW_CALLED_SUM for row in rows if row.is_called_sum
    }


def _find_running_totals(rows: Sequence[LabelledRow]) -> list[int]:
    """Return the lines of the rows without a day if each is the sum of all rows with one above it.

    The first of them may be the sum of a single row, and would otherwise be a second game of that night.
    """
    nights, lines, is_proved = _RowSum(), [], False
    for row in rows:
        if row.has_day:
            nights.add(row)
        elif nights.equals(row):
            lines.append(row.line)
            is_proved = is_proved or (nights.count > 1 and any(row.figures.values()))
        else:
            return []
    return lines if is_proved else []


def _find_adding_rows(rows: Sequence[LabelledRow]) -> list[int]:
    """Return the lines of the rows without a day that are the sum of at least two rows above.

    These are all rows, with or without such sums; all rows with a day; or the rows since the last sum.
    """
    counted, every, nights, since = _RowSum(), _RowSum(), _RowSum(), _RowSum()
    lines = []
    for row in rows:
        if row.is_called_sum:
            since = _RowSum()
            continue
        may_add_up = not row.has_day and any(row.figures.values())
        if may_add_up and any(
            above.count > 1 and above.equals(row) for above in (counted, every, nights, since)
        ):
            lines.append(row.line)
            since = _RowSum()
        else:
            counted.add(row)
            since.add(row)
            if row.has_day:
                nights.add(row)
        every.add(row)
    return lines


# --- columns ----------------------------------------------------------------------------------------------------------


def find_sum_columns(
    rows: Sequence[Mapping[int, int]], places: Collection[int], *, is_money: bool
) -> dict[int, SumReason]:
    """Return which of these columns seem to be sums, by the figures of every row.

    Money must add up to zero, so a column may also be one too many: without it, most rows add up.
    """
    adding, proved_adding = set(places), set[int]()
    matching, proved_in_excess = Counter[int](), set[int]()
    for figures in rows:
        total = sum(figures.values())
        adding = {place for place in adding if place in figures and figures[place] * 2 == total}
        in_excess = {place for place in places if figures.get(place, 0) == total} if is_money else set()
        matching.update(in_excess)
        if len(figures) > 2 and any(figures.values()):  # at least two others
            proved_adding |= adding
            proved_in_excess |= in_excess & _nonzero(figures).keys()
    return {
        **{
            place: SumReason.COLUMN_IN_EXCESS for place in proved_in_excess if matching[place] * 2 > len(rows)
        },
        **dict.fromkeys(proved_adding & adding, SumReason.COLUMN_ADDS_UP),
    }


# --- a whole notebook -------------------------------------------------------------------------------------------------


class PossibleSums:
    """The possible sums of a notebook: rows by line, columns by place.

    `kept_ticks` are keys of ticked boxes that are not offered now, but perhaps again after the next change.
    `lost_ticks` are sentences about those that a change has taken away.
    """

    def __init__(self, sheet: Sheet, ticks: Collection[SumKey], *, is_money: bool) -> None:
        self._ticks = set(ticks)
        called = {place for place, name in sheet.names.items() if is_called_sum(name)}
        others = sheet.names.keys() - called
        reasons = find_sum_rows([_label_row(sheet, line, cells, others) for line, cells in sheet.rows])
        self.rows = {
            line: self._offer(SumKey(line, digest(cells)), reasons[line], " · ".join(filter(None, cells)))
            for line, cells in sheet.rows
            if line in reasons
        }
        line, names = sheet.head
        keys = {place: SumKey(line, digest(names), place) for place in sheet.names}
        column_reasons = dict.fromkeys(called, SumReason.COLUMN_CALLED_SUM)
        counted = {place for place in called if keys[place] in self._ticks}
        nights = [cells for line, cells in sheet.rows if line not in reasons]
        for places in (others, others | counted) if counted else (others,):
            figures = [sheet.read_figures(cells, places) for cells in nights]
            found = find_sum_columns(figures, places, is_money=is_money)
            # If one that is called a sum is too many, no other is.
            column_reasons = found | column_reasons if called.isdisjoint(found) else column_reasons
        self.columns = {
            place: self._offer(keys[place], reason, sheet.names[place])
            for place, reason in sorted(column_reasons.items())
        }
        self.kept_ticks = self._find_kept_ticks()
        self.lost_ticks = [*dict.fromkeys(_lost_tick_sentences(self.kept_ticks, sheet))]

    def __iter__(self) -> Iterator[PossibleSum]:
        yield from (*self.columns.values(), *self.rows.values())

    def _offer(self, key: SumKey, reason: SumReason, text: str) -> PossibleSum:
        return PossibleSum(key, reason, text, is_ticked=key in self._ticks)

    def _find_kept_ticks(self) -> list[SumKey]:
        """Return the ticks that are not offered, unless the same column, line or cells have a new one."""
        offered = {possible_sum.key for possible_sum in self}
        new = [tick for tick in self._ticks if tick in offered]
        columns = {tick.place for tick in new if tick.place >= 0}
        rows = {name for tick in new if tick.place < 0 for name in (tick.line, tick.digest)}
        return sorted(
            tick
            for tick in self._ticks
            if tick not in offered
            and (tick.place not in columns if tick.place >= 0 else rows.isdisjoint((tick.line, tick.digest)))
        )


def _label_row(sheet: Sheet, line: int, cells: Sequence[str], places: Collection[int]) -> LabelledRow:
    """Return a row with its figures in these columns.

    Its label is in the column of the dates or, if that has none, in columns without a name.
    """
    day = sheet.date_cell(cells)
    labels = [day] if day else [cell for place, cell in enumerate(cells) if place not in sheet.names]
    return LabelledRow(
        line,
        is_called_sum=any(map(is_called_sum, labels)),
        has_day=any(map(str.isdigit, day)),  # even if the date is mistyped
        figures=sheet.read_figures(cells, places),
    )


def _lost_tick_sentences(ticks: Sequence[SumKey], sheet: Sheet) -> Iterator[Text]:
    """Yield a sentence for each tick whose line changed, or whose column looks like a sum no longer."""
    cells_by_line = dict((sheet.head, *sheet.rows))
    for tick in ticks:
        if tick.digest != digest(cells_by_line.get(tick.line, ())):
            yield _("Line {line} changed after its box was ticked: look at it again.", line=tick.line)
        elif tick.place in sheet.names:
            name = sheet.names[tick.place]
            yield _("The column “{name}” no longer looks like a sum, so it counts.", name=name)
