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
from games.files.services import notebook_cells, notebook_subtotals, other_apps, reading_report
from games.files.services.notebook_cells import LineProblem, Row, Sheet
from games.files.services.notebook_subtotals import PossibleSum, PossibleSums, SumKey
from games.files.services.reading_report import ReadingReport
from games.models import NAME_LENGTH, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import Text, _

LONGEST = 500_000
MOST_NIGHTS = 400
MOST_SEATS = 4000  # results of all nights of one import
MOST_COLUMNS = 100  # of people; the dates take one more
MOST_ROWS, LONGEST_CELL = 1000, 200
MOST_PROBLEMS = 20  # shown; at one more, reading ends
END_MARK = "\0"  # an extra last line; it is not read as a row if a quote before it was never closed
EXAMPLE_DATE = date(2024, 5, 31)  # its day cannot be a month
HEADER_ROWS = 10  # the header must be among the first rows
SEPARATOR_HINT = "sep="  # a row for Excel

TICKED = _("It counts because its box below is ticked.")
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
    """The nights read so far, in the order of the text.

    `kept_ticks` and `lost_ticks` are those of `PossibleSums`. `cures` are sentences on how a line would add up
    to zero.
    """

    figures: Figures
    nights: list[Night] = field(default_factory=list)
    problems: list[LineProblem] = field(default_factory=list)
    possible_sums: Sequence[PossibleSum] = ()
    kept_ticks: Sequence[SumKey] = ()
    lost_ticks: Sequence[Text] = ()
    cures: dict[int, Text] = field(default_factory=dict)
    report: ReadingReport = field(default_factory=ReadingReport)

    def add_problem(self, line: int, text: Text, cure: Text | None = None) -> None:
        """Add a problem at this line. Raise UnreadableNotebook if there are too many to show."""
        if len(self.problems) == MOST_PROBLEMS:
            raise UnreadableNotebook(0, _("… and perhaps more."))
        self.problems.append(LineProblem(line, text, cure))


def decode(content: bytes) -> str:
    """Return the text of a file in UTF-8, in UTF-16 with a byte order mark, or otherwise in Windows-1252."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def read_notebook(
    text: str,
    table: Table,
    *,
    today: date,
    figures: Figures = Figures.MONEY,
    ticked: Collection[str] = (),
) -> OldNotebook:
    """Return the nights of a notebook, and its first problems with their lines.

    `table` has the unit and the decimals of money. `today` is the last date that a night may have. `figures`
    is the meaning that the user chose for the figures, and `ticked` are the keys of the possible sums whose
    boxes they ticked.
    """
    ticks = {tick for key in ticked if (tick := SumKey.parse(key))}
    notebook = OldNotebook(figures, kept_ticks=sorted(ticks))
    if len(text) > LONGEST:
        notebook.add_problem(0, _("This has more than {most} characters. Import it in parts.", most=LONGEST))
        return notebook
    counted_in = table if figures is Figures.MONEY else Table(unit=table.unit, decimals=0)
    try:
        head, rows = _find_header(text, notebook.report)
        sheet = _build_sheet(head, rows, counted_in, notebook.report)
        _NotebookReader(notebook, sheet, today).read()
    except UnreadableNotebook as unread:
        notebook.problems = [*notebook.problems, unread.problem][: MOST_PROBLEMS + 1]
        return notebook
    if len(notebook.nights) > MOST_NIGHTS:
        notebook.add_problem(0, _("There are more than {most} nights. Split the file.", most=MOST_NIGHTS))
    elif not notebook.nights and not notebook.problems:
        are_sums = _("All lines are left out as sums: their boxes are below.")
        no_nights = _("There are no nights below the column names.")
        notebook.add_problem(0, are_sums if notebook.report.left_out_lines else no_nights)
    notebook.report.nights = len(notebook.nights)
    return notebook


# --- rows and columns -------------------------------------------------------------------------------------------------


def _find_header(text: str, report: ReadingReport) -> tuple[Row, Iterator[Row]]:
    """Return the header row, and the rows below it, which are read lazily. Report the rows above it.

    Raise UnreadableNotebook if no column separator yields a header among the first rows.
    """
    lines = [*(f"{line}\n" for line in text.replace(END_MARK, "").splitlines()), END_MARK]
    first_error: UnreadableNotebook | None = None
    first = lines[:HEADER_ROWS]
    for separator in sorted(
        "\t;,|", key=lambda delimiter: sum(line.count(delimiter) for line in first), reverse=True
    ):
        rows, above = _rows(lines, separator), list[Sequence[str]]()
        try:
            for line, cells in islice((row for row in rows if row[1]), HEADER_ROWS):
                if len(cells) > 1 and DAY_HEADERS & set(map(notebook_cells.comparison_key, cells)):
                    for row in above:
                        if not row[0].startswith(SEPARATOR_HINT):
                            reading_report.quote(report.above_names, " ".join(filter(None, row)))
                    return (line, cells), rows
                above.append(cells)
        except UnreadableNotebook as problem:
            first_error = first_error or problem
    raise first_error or UnreadableNotebook(
        0, _("The column names are missing. One of the first rows must have “date” or “fecha”.")
    )


def _rows(lines: Sequence[str], separator: str) -> Iterator[Row]:
    """Yield the rows, each with the number of its first line. Only column separators are a row without cells.

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
            elif len(cells) > 1:
                yield begins, ()
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


def _build_sheet(head: Row, rows: Iterable[Row], table: Table, report: ReadingReport) -> Sheet:
    """Return the rows with cells below the header; report how many there are, and how many without.

    Raise UnreadableNotebook if the columns are those of another app.
    """
    _line, names = head
    if (seems := other_apps.find_column_advice(names)) is not None:
        raise UnreadableNotebook(0, seems)
    keys = [*map(notebook_cells.comparison_key, names)]
    day = next(place for place, key in enumerate(keys) if key in DAY_HEADERS)
    filled_rows = []
    for row in rows:
        if row[1]:
            filled_rows.append(row)
        else:
            report.empty_rows += 1
    report.rows = len(filled_rows)
    return Sheet(head, day, filled_rows, table)


class _NotebookReader:
    """A reader that turns rows into nights."""

    def __init__(self, notebook: OldNotebook, sheet: Sheet, today: date) -> None:
        self._notebook, self._sheet, self._today = notebook, sheet, today
        is_money = notebook.figures is Figures.MONEY
        self._sums = PossibleSums(sheet, notebook.kept_ticks, is_money=is_money)
        notebook.possible_sums = [*self._sums]
        notebook.kept_ticks, notebook.lost_ticks = self._sums.kept_ticks, self._sums.lost_ticks
        left_out = {place: column for place, column in self._sums.columns.items() if not column.is_counted}
        notebook.report.left_out_columns = [column.text[:NAME_LENGTH] for column in left_out.values()]
        self._people = {place: name for place, name in sheet.names.items() if place not in left_out}

    def read(self) -> None:
        """Read the rows. Every named column except the date's is a person's, unless left out as a sum."""
        self._check_names()
        report, unseen = self._notebook.report, dict(self._people)
        night: date | None = None  # a row without a date belongs to the night above
        for line, cells in self._sheet.rows:
            possible_sum, label = self._sums.rows.get(line), self._sheet.date_cell(cells)
            if possible_sum is not None and not possible_sum.is_counted:
                report.left_out_lines.append(line)
                continue
            self._check_unnamed_columns(line, cells)
            if possible_sum is not None and notebook_cells.parse_day(label) is None:
                label = ""  # such as *Total*
            if night is None or label:
                night = self._parse_day(line, label)
            if night is not None:
                results = self._read_results(line, cells, unseen)
                self._find_cure(line, cells, results)
                self._notebook.nights.append(Night(line, night, results))
        report.empty_columns = [name[:NAME_LENGTH] for name in unseen.values()]

    def _check_names(self) -> None:
        line, _names = self._sheet.head
        for place, name in self._people.items():
            if any(
                naming.names_match(name, other) for before, other in self._people.items() if before < place
            ):
                self._notebook.add_problem(line, _("Two columns are called {name}.", name=name))
            try:
                naming.clean_name(name, longest=NAME_LENGTH)
            except RuleError as error:
                self._notebook.add_problem(
                    line, _("{where}: {problem}", where=f"“{name[:40]}”", problem=error.text)
                )

    def _check_unnamed_columns(self, line: int, cells: Sequence[str]) -> None:
        """Report a cell in a column without a name, usually caused by a superfluous comma.

        There a row that counts after all may be called a sum.
        """
        may_be_label = line in self._sums.rows and not self._sheet.date_cell(cells)
        for place, cell in enumerate(cells):
            is_unnamed = cell and place != self._sheet.day and place not in self._sheet.names
            if is_unnamed and not (may_be_label and notebook_subtotals.is_called_sum(cell)):
                self._notebook.add_problem(line, _("“{text}” is in a column without a name.", text=cell[:40]))

    def _read_results(self, line: int, cells: Sequence[str], unseen: dict[int, str]) -> dict[str, int]:
        """Return the figures of a row by name, and remove their columns from `unseen`."""
        results: dict[str, int] = {}
        for place, name in self._people.items():
            written = cells[place] if place < len(cells) else ""
            if not notebook_cells.is_absent(written):
                unseen.pop(place, None)
                figure = self._parse_figure(line, written)
                if figure is not None:
                    results[name] = figure
            elif written:
                reading_report.quote(self._notebook.report.absences, written)
        return results

    def _find_cure(self, line: int, cells: Sequence[str], results: Mapping[str, int]) -> None:
        """Note which box would make this row add up to zero or give it enough players, if one would."""
        is_money = self._notebook.figures is Figures.MONEY
        total = sum(results.values()) if is_money else 0
        cures = []
        for place, figure in self._sheet.read_figures(cells, self._sums.columns).items():
            name, is_counted = self._sheet.names[place][:NAME_LENGTH], self._sums.columns[place].is_counted
            if total and figure == (total if is_counted else -total):
                without = _("Without the column “{name}” it adds up to zero: its box is below.", name=name)
                with_it = _("With the column “{name}” it adds up to zero: its box is below.", name=name)
                cures.append(without if is_counted else with_it)
            elif len(results) < 2 and not is_counted:
                cures.append(_("The column “{name}” is left out: its box is below.", name=name))
        if line in self._sums.rows:
            cures.append(TICKED)
        if cures:
            self._notebook.cures[line] = cures[0]

    def _parse_day(self, line: int, written: str) -> date | None:
        """Return the date of this row; report a wrong one and return None."""
        day = notebook_cells.parse_day(written)
        if not written:
            cure = TICKED if line in self._sums.rows else None
            self._notebook.add_problem(line, _("This line has no date, and there is none above it."), cure)
        elif day is None:
            self._notebook.add_problem(
                line,
                _(
                    "“{text}” is not a date. Write it like {example}.",
                    text=written[:40],
                    example=days.format_numeric_date(EXAMPLE_DATE),
                ),
            )
        elif day > self._today or day.year < days.FIRST_YEAR:
            self._notebook.add_problem(line, _("{day} is in the future or too long ago.", day=written[:40]))
        else:
            for note in notebook_cells.find_day_notes(written):
                reading_report.quote(self._notebook.report.day_notes, note)
            return day
        return None

    def _parse_figure(self, line: int, written: str) -> int | None:
        number, decimals = self._sheet.parse_figure(written), self._sheet.table.decimals
        if number is None:
            self._notebook.add_problem(
                line,
                _(
                    "“{text}” is not a number with at most {decimals} decimals.",
                    text=written[:40],
                    decimals=decimals,
                )
                if decimals
                else _("“{text}” is not a whole number.", text=written[:40]),
            )
        return number
