"""The reader of an old notebook (cuaderno) of past nights: rows and columns of text, as from a spreadsheet.

Each night has a row, with a date and a column for each person.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from itertools import islice

from games.common import days, naming
from games.files.services import notebook_cells, notebook_subtotals, other_apps
from games.files.services.notebook_cells import LineProblem
from games.files.services.notebook_subtotals import RunningTotals
from games.models import NAME_LENGTH, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import Text, _

Row = tuple[int, Sequence[str]]  # the number of the row's first line, and its cells

LONGEST = 500_000
MOST_NIGHTS = 400
MOST_SEATS = 4000  # results of all nights of one import
MOST_COLUMNS = 100  # of people; the dates take one more
MOST_ROWS, LONGEST_CELL = 1000, 200
MOST_PROBLEMS = 20  # shown; at one more, reading ends
END_MARK = "\0"  # an extra last line; it is not read as a row if a quote before it was never closed
EXAMPLE_DATE = date(2024, 5, 31)  # its day cannot be a month
HEADER_ROWS = 10  # the header must be among the first rows

DAY_HEADERS = frozenset({"fecha", "dia", "noche", "date", "day", "night"})


class Figures(StrEnum):
    """The meaning of a notebook's figures: money, or points where the fewest or the most win."""

    MONEY = "money"
    FEWEST_WIN = "fewest"
    MOST_WIN = "most"


@dataclass(frozen=True)
class Night:
    """One night of the notebook, at `line`, with its results by name.

    The results are points, or money won or lost in the smallest coin.
    """

    line: int
    day: date
    results: Mapping[str, int]


class UnreadableNotebook(Exception):
    """Reading ends here; `problem` is the reason."""

    def __init__(self, line: int, text: Text) -> None:
        super().__init__(line, text)
        self.problem = LineProblem(line, text)


@dataclass
class OldNotebook:
    """The nights read so far, in the order of the text."""

    figures: Figures
    nights: list[Night] = field(default_factory=list)
    problems: list[LineProblem] = field(default_factory=list)
    skipped_sums: list[Text] = field(default_factory=list)  # rows and columns that are sums of others

    def add_problem(self, line: int, text: Text) -> None:
        """Add a problem at this line. Raise UnreadableNotebook if there are too many to show."""
        if len(self.problems) == MOST_PROBLEMS:
            raise UnreadableNotebook(0, _("… and perhaps more."))
        self.problems.append(LineProblem(line, text))


def decode(content: bytes) -> str:
    """Return the text of a file in UTF-8, in UTF-16 with a byte order mark, or otherwise in Windows-1252."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def read_notebook(text: str, table: Table, *, today: date, figures: Figures = Figures.MONEY) -> OldNotebook:
    """Return the nights of a notebook, and its first problems with their lines.

    `table` has the unit and the decimals of money. `today` is the last date that a night may have. `figures`
    is the meaning that the user chose for the figures.
    """
    notebook = OldNotebook(figures)
    if len(text) > LONGEST:
        notebook.add_problem(0, _("This has more than {most} characters. Import it in parts.", most=LONGEST))
        return notebook
    counted_in = table if figures is Figures.MONEY else Table(unit=table.unit, decimals=0)
    try:
        head, rows = _find_header(text)
        _NotebookReader(notebook, counted_in, today).read(head, rows)
    except UnreadableNotebook as unread:
        notebook.problems = [*notebook.problems, unread.problem][: MOST_PROBLEMS + 1]
        return notebook
    if len(notebook.nights) > MOST_NIGHTS:
        notebook.add_problem(0, _("There are more than {most} nights. Split the file.", most=MOST_NIGHTS))
    elif not notebook.nights and not notebook.problems:
        notebook.add_problem(0, _("There are no nights below the column names."))
    return notebook


# --- rows and columns -------------------------------------------------------------------------------------------------


def _find_header(text: str) -> tuple[Row, Iterator[Row]]:
    """Return the header row, and the rows below it, which are read lazily.

    Raise UnreadableNotebook if no column separator yields a header among the first rows.
    """
    lines = [*(f"{line}\n" for line in text.replace(END_MARK, "").splitlines()), END_MARK]
    first_error: UnreadableNotebook | None = None
    first = lines[:HEADER_ROWS]
    for separator in sorted(
        "\t;,|", key=lambda delimiter: sum(line.count(delimiter) for line in first), reverse=True
    ):
        rows = _rows(lines, separator)
        try:
            for line, cells in islice(rows, HEADER_ROWS):
                if len(cells) > 1 and DAY_HEADERS & set(map(notebook_cells.comparison_key, cells)):
                    return (line, cells), rows
        except UnreadableNotebook as problem:
            first_error = first_error or problem
    raise first_error or UnreadableNotebook(
        0, _("The column names are missing. One of the first rows must have “date” or “fecha”.")
    )


def _rows(lines: Sequence[str], separator: str) -> Iterator[Row]:
    """Yield the rows that are not blank, each with the number of its first line.

    Raise UnreadableNotebook at the first row that is too long or one too many, or whose double quote is never
    closed.
    """
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    begins, count = 1, 0
    try:
        for cells in reader:
            if cells == [END_MARK]:
                return
            if cells and END_MARK in cells[-1]:
                raise UnreadableNotebook(begins, _("A double quote is never closed."))
            if any(cell.strip() for cell in cells):
                count += 1
                _check_size(begins, cells, count)
                yield begins, [cell.strip().replace("\n", " ") for cell in cells]
            begins = reader.line_num + 1
    except csv.Error:  # a quoted cell longer than the reader accepts
        raise UnreadableNotebook(begins, _("A double quote is never closed.")) from None


def _check_size(line: int, cells: Sequence[str], count: int) -> None:
    """Raise UnreadableNotebook if row number `count` is one too many, too wide or has a long cell."""
    if count > MOST_ROWS:
        raise UnreadableNotebook(line, _("There are more than {most} rows. Split the file.", most=MOST_ROWS))
    if sum(map(bool, cells)) > MOST_COLUMNS + 1:
        raise UnreadableNotebook(line, _("There are more than {most} columns.", most=MOST_COLUMNS + 1))
    if max(map(len, cells)) > LONGEST_CELL:
        raise UnreadableNotebook(line, _("At most {longest} characters fit here.", longest=LONGEST_CELL))


# --- nights -----------------------------------------------------------------------------------------------------------


@dataclass
class _NotebookReader:
    """A reader that turns rows into nights. `table` has the unit and the decimals of the figures."""

    notebook: OldNotebook
    table: Table
    today: date

    def read(self, head: Row, rows: Iterable[Row]) -> None:
        """Read the rows. Every named column except the date's is a person's."""
        line, names = head
        if (seems := other_apps.find_column_advice(names)) is not None:
            raise UnreadableNotebook(0, seems)
        day = next(
            place for place, name in enumerate(names) if notebook_cells.comparison_key(name) in DAY_HEADERS
        )
        people, rows = {place: name for place, name in enumerate(names) if name and place != day}, list(rows)
        named = people.keys() | {day}
        for place in sorted(
            notebook_subtotals.find_sum_columns(people, [cells for _line, cells in rows], self.table)
        ):
            text = _("The column “{name}” is a sum of others: it is skipped.", name=people.pop(place)[:40])
            self.notebook.skipped_sums.append(text)
        for place, name in people.items():
            if any(naming.names_match(name, other) for before, other in people.items() if before < place):
                self.notebook.add_problem(line, _("Two columns are called {name}.", name=name))
            try:
                naming.clean_name(name, longest=NAME_LENGTH)
            except RuleError as error:
                self.notebook.add_problem(
                    line, _("{where}: {problem}", where=f"“{name[:40]}”", problem=error.text)
                )
        night: date | None = None  # a row without a date belongs to the night above
        above = RunningTotals()
        for number, cells in rows:
            label = _cell(cells, day)
            if notebook_subtotals.is_total(label) and above.is_sum(label, {}):
                self._skip_sum(number)
                continue
            self._check_unnamed_columns(number, cells, named)
            if night is None or label:
                night = self._parse_day(number, label)
            if night is None:
                continue
            read = {
                name: self._parse_figure(number, _cell(cells, place))
                for place, name in people.items()
                if not notebook_cells.is_absent(_cell(cells, place))
            }
            results = {name: figure for name, figure in read.items() if figure is not None}
            if above.is_sum(label, results):
                self._skip_sum(number)
                continue
            above.add(results)
            self.notebook.nights.append(Night(number, night, results))

    def _skip_sum(self, line: int) -> None:
        self.notebook.skipped_sums.append(
            _("Line {line} is a sum of the rows above: it is skipped.", line=line)
        )

    def _check_unnamed_columns(self, line: int, cells: Sequence[str], places: Collection[int]) -> None:
        """Report a cell in a column without a name, usually caused by a superfluous comma."""
        for place, cell in enumerate(cells):
            if cell and place not in places:
                self.notebook.add_problem(line, _("“{text}” is in a column without a name.", text=cell[:40]))

    def _parse_day(self, line: int, written: str) -> date | None:
        """Return the date of this row; report a wrong one and return None."""
        day = notebook_cells.parse_day(written)
        if day is None:
            self.notebook.add_problem(
                line,
                _(
                    "“{text}” is not a date. Write it like {example}.",
                    text=written[:40],
                    example=days.format_numeric_date(EXAMPLE_DATE),
                ),
            )
        elif day > self.today or day.year < days.FIRST_YEAR:
            self.notebook.add_problem(line, _("{day} is in the future or too long ago.", day=written[:40]))
        else:
            return day
        return None

    def _parse_figure(self, line: int, written: str) -> int | None:
        number = notebook_cells.parse_figure(written, self.table)
        if number is None:
            self.notebook.add_problem(
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
