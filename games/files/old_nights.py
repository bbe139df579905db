"""Read an old notebook (cuaderno) of past nights: rows and columns of text, as of a spreadsheet.

Each night has a row, with a date and a column for each person.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from games.common.days import FIRST_YEAR, date_in_figures
from games.common.names import read_name, same_name
from games.files.figures import folded, is_absent, read_day, read_figure
from games.models import NAME_LENGTH, Table
from games.scoring.errors import RuleError
from games.scoring.words import Text, _

Row = tuple[int, Sequence[str]]  # the line at which a row begins, and its cells

LONGEST = 500_000
MOST_NIGHTS = 400
MOST_SEATS = 4000  # results of all nights of one import
MOST_COLUMNS = 100
END = "\0"  # an extra last line; it is not read as a row if a quote before it was never closed
EXAMPLE = date(2024, 5, 31)  # of a date: its day can be no month
HEAD_WITHIN = 10  # the header must be among the first rows

DAY = frozenset({"fecha", "dia", "noche", "date", "day", "night"})


class Figures(StrEnum):
    """The meaning of a notebook's figures: money, or points of which the fewest or the most win."""

    MONEY = "money"
    FEWEST_WIN = "fewest"
    MOST_WIN = "most"


@dataclass(frozen=True)
class Problem:
    """A problem at a line of the text. The line 0 stands for the whole text."""

    line: int
    text: Text


@dataclass(frozen=True)
class Night:
    """One night of the notebook, at `line`: points, or money won or lost in the smallest coin, by name."""

    line: int
    day: date
    results: Mapping[str, int]


@dataclass
class OldNotebook:
    """The nights that were read so far, in the order of the text."""

    figures: Figures
    nights: list[Night] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, line: int, text: Text) -> None:
        """Add a problem at this line."""
        self.problems.append(Problem(line, text))


def decode(content: bytes) -> str:
    """Return the text of a file in UTF-8, in UTF-16 with a byte order mark, or else in Windows-1252."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def read_old_notebook(
    text: str, table: Table, *, today: date, figures: Figures = Figures.MONEY
) -> OldNotebook:
    """Return the nights of a notebook, and its problems with their lines.

    `table` has the unit and the decimals of money. `today` is the last date that a night may have. `figures` is
    the user's word on the meaning of the figures.
    """
    notebook = OldNotebook(figures)
    if len(text) > LONGEST:
        notebook.wrong(0, _("This exceeds {most} characters: import it in parts.", most=LONGEST))
        return notebook
    head_and_rows, open_quote = _find_head(text)
    if open_quote:
        notebook.wrong(open_quote, _("A double quote is never closed."))
        return notebook
    if head_and_rows is None:
        notebook.wrong(
            0, _("The column names are missing. One of the first rows must have “date” or “fecha”.")
        )
        return notebook
    head, rows = head_and_rows
    counted_in = table if figures is Figures.MONEY else Table(unit=table.unit, decimals=0)
    _Reader(notebook, counted_in, today).read(head, rows)
    if len(notebook.nights) > MOST_NIGHTS:
        notebook.wrong(0, _("There are more than {most} nights. Split the file.", most=MOST_NIGHTS))
    elif not notebook.nights and not notebook.problems:
        notebook.wrong(0, _("There are no nights below the names of the columns."))
    return notebook


# --- rows and columns -------------------------------------------------------------------------------------------------


def _find_head(text: str) -> tuple[tuple[Row, list[Row]] | None, int]:
    """Return the header row with the rows below it, and the line of a double quote that is never closed.

    The first value is None if no separator of columns yields a header. The line is 0 if every double quote is
    closed.
    """
    open_quotes = 0
    for separator in "\t;,|":
        rows, open_quote = _rows(text, separator)
        for place, (line, cells) in enumerate(rows[:HEAD_WITHIN]):
            if len(cells) > 1 and DAY & set(map(folded, cells)):
                return ((line, cells), rows[place + 1 :]), open_quote
        open_quotes = open_quotes or open_quote
    return None, open_quotes


def _rows(text: str, separator: str) -> tuple[list[Row], int]:
    """Return the rows that are not blank, and the line of a double quote that is never closed.

    Each row comes with the number of its first line. The line is 0 if every double quote is closed.
    """
    rows: list[Row] = []
    lines = [*(f"{line}\n" for line in text.replace(END, "").splitlines()), END]
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    begins = 1
    try:
        for cells in reader:
            if cells == [END]:
                return rows, 0
            if any(cell.strip() for cell in cells):
                rows.append((begins, [cell.strip().replace("\n", " ") for cell in cells]))
            begins, quote_line = reader.line_num + 1, begins
    except csv.Error:  # a quoted cell longer than the reader accepts
        quote_line = begins
    return rows, quote_line


# --- nights -----------------------------------------------------------------------------------------------------------


@dataclass
class _Reader:
    """A reader that turns rows into nights. `table` has the unit and the decimals of the figures."""

    notebook: OldNotebook
    table: Table
    today: date

    def read(self, head: Row, rows: Sequence[Row]) -> None:
        """Read the rows. Every column with a name is a person's, apart from that of the dates."""
        line, names = head
        day = next(place for place, name in enumerate(names) if folded(name) in DAY)
        people = {place: name for place, name in enumerate(names) if name and place != day}
        if len(people) > MOST_COLUMNS:
            self.notebook.wrong(line, _("More than {most} columns look like players.", most=MOST_COLUMNS))
            return
        for place, name in people.items():
            if any(same_name(name, other) for before, other in people.items() if before < place):
                self.notebook.wrong(line, _("Two columns are called {name}.", name=name))
            try:
                read_name(name, longest=NAME_LENGTH)
            except RuleError as error:
                self.notebook.wrong(line, _("{where}: {problem}", where=f"“{name[:40]}”", problem=error.text))
        night: date | None = None  # a row without a date is of the night above
        for number, cells in rows:
            self._refuse_more(number, cells, people.keys() | {day})
            if night is None or _cell(cells, day):
                night = self._day(number, _cell(cells, day))
            if night is None:
                continue
            read = {
                name: self._figure(number, _cell(cells, place))
                for place, name in people.items()
                if not is_absent(_cell(cells, place))
            }
            results = {name: figure for name, figure in read.items() if figure is not None}
            self.notebook.nights.append(Night(number, night, results))

    def _refuse_more(self, line: int, cells: Sequence[str], places: Collection[int]) -> None:
        """Report a cell in a column without a name: most often one comma too many."""
        for place, cell in enumerate(cells):
            if cell and place not in places:
                self.notebook.wrong(line, _("“{text}” is in a column without a name.", text=cell[:40]))

    def _day(self, line: int, written: str) -> date | None:
        """Return the date that is written in this row; None if it is wrong."""
        day = read_day(written)
        if day is None:
            self.notebook.wrong(
                line,
                _(
                    "“{text}” is not a date. Write it like {example}.",
                    text=written[:40],
                    example=date_in_figures(EXAMPLE),
                ),
            )
        elif day > self.today or day.year < FIRST_YEAR:
            self.notebook.wrong(line, _("The day {day} is in the future or too long ago.", day=written[:40]))
        else:
            return day
        return None

    def _figure(self, line: int, written: str) -> int | None:
        number = read_figure(written, self.table)
        if number is None:
            self.notebook.wrong(
                line,
                _(
                    "“{text}” is not a number with at most {decimals} decimals.",
                    text=written[:40],
                    decimals=self.table.decimals,
                )
                if self.table.decimals
                else _("“{text}” is not a whole number.", text=written[:40]),
            )
        return number


def _cell(cells: Sequence[str], place: int) -> str:
    return cells[place] if place < len(cells) else ""
