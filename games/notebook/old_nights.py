"""A tolerant reader for an old notebook (cuaderno) that was typed or exported as rows and columns of text.

There are two layouts. In the long layout each player of a night has a row, under columns such as *date,
player, points, money*. In the wide layout each night has a row, and each player has a column.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from games.names import likeness, same_name
from games.nights import FIRST_YEAR
from games.notebook.figures import folded, is_absent, read_day, read_figure, write_day
from games.notebook.totals import ALL, RunningSums
from games.scoring.words import Text, _

Row = tuple[int, Sequence[str]]  # the line at which a row begins, and its cells

LONGEST = 500_000
MOST_NIGHTS = 400
MOST_SEATS = 4000  # results of all nights of one import
MOST_AMOUNTS = 1000  # amounts of money in one import: each may need a payment too
MOST_COLUMNS = 100
MOST_SUMS = 400  # rows of sums that are compared: one for each night
END = "\0"  # an extra last line; it is not read as a row if a quote before it was never closed
BETWEEN_NOTES = " · "
EXAMPLE = date(2024, 5, 31)  # of a date: its day can be no month
HEAD_WITHIN = 10  # the header must be among the first rows

COLUMNS: Mapping[str, frozenset[str]] = {
    "day": frozenset({"fecha", "dia", "noche", "date", "day", "night"}),
    "game": frozenset({"juego", "partida", "game", "card game"}),
    "code": frozenset({"codigo", "code"}),
    "player": frozenset({"jugador", "jugadora", "nombre", "quien", "persona", "player", "name", "who"}),
    "place": frozenset({"puesto", "lugar", "posicion", "place", "position", "rank"}),
    "total": frozenset({"puntos", "total", "totales", "points", "score"}),
    "note": frozenset(
        {"nota", "notas", "observaciones", "comentario", "comentarios", "note", "notes", "comment"}
    ),
    "net": frozenset({"plata", "dinero", "neto", "saldo", "ganancia", "monto", "money", "net", "amount"}),
}
SUMS = frozenset({"total", "totales", "suma", "sumas", "subtotal", "saldo", "sum", "sums", "totals"})
NUMBERING = frozenset({"n", "no", "nro", "num", "numero", "number", "#"})


class Figures(StrEnum):
    """The meaning of a notebook's numbers: money, or points of which the fewest or the most win.

    GUESSED means that the user has not decided it, so that it is guessed from the numbers.
    """

    GUESSED = "guessed"
    FEWEST_WIN = "fewest"
    MOST_WIN = "most"
    MONEY = "money"


@dataclass(frozen=True)
class Problem:
    """A problem at a line of the text. The line 0 stands for the whole text."""

    line: int
    text: Text


@dataclass(frozen=True)
class Entry:
    """One player's result in a night: place, points (`total`) and money won or lost (`net`), if written."""

    name: str
    place: int | None = None
    total: int | None = None
    net: int | None = None


@dataclass(frozen=True)
class Night:
    """One night of the notebook, which begins at `line`.

    `game` is the notebook's own name for the card game. `note` is what was written beside the night, on one
    line.
    """

    line: int
    day: date
    game: str
    entries: tuple[Entry, ...]
    note: str = ""


@dataclass
class OldNotebook:
    """The nights that were read so far, in the order of the text.

    `sums` are the lines that only add up other lines; `differences` tell where they differ from the lines
    above. `unread` are the columns that were ignored although they are not empty: the number, from 1, and the
    name of each. `is_wide` is True for the wide layout (a row for each night). `is_unclear` is True if the
    notebook has only one night, which may have points or money. `either_way` is a date of a notebook whose dates fit both orders of day and month:
    its text, and the day as which it was read.
    """

    figures: Figures
    is_wide: bool = False
    is_unclear: bool = False
    nights: list[Night] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)
    differences: list[Problem] = field(default_factory=list)
    unread: tuple[tuple[int, str], ...] = ()
    either_way: tuple[str, date] | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_too_much(self) -> bool:
        """True if importing the notebook at once would block other users for too long."""
        entries = [entry for night in self.nights for entry in night.entries]
        amounts = sum(entry.net is not None for entry in entries)
        return len(entries) > MOST_SEATS or amounts > MOST_AMOUNTS

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
    text: str,
    *,
    decimals: int,
    today: date,
    figures: Figures = Figures.GUESSED,
    is_month_first: bool = False,
) -> OldNotebook:
    """Return the nights of a notebook, and its problems with their lines.

    `decimals` are those of the table's currency. `today` is the last date that a night may have. `figures` is
    the user's decision on the meaning of the numbers. `is_month_first` is the table's order of dates.
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
    (line, names), rows = head_and_rows
    columns = {kind: place for place, name in reversed(list(enumerate(names))) if (kind := _kind_of(name))}
    reader = _Reader(notebook, columns, decimals, today, is_month_first)
    if "player" in columns:
        reader.read_long(rows)
    else:
        reader.read_wide((line, names), rows)
    notebook.nights = [draft.night for draft in reader.drafts]
    notebook.either_way = reader.either_way
    notebook.unread = tuple(_unread(names, rows, reader.read))
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
            if len(cells) > 1 and "day" in map(_kind_of, cells):
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


def _unread(names: Sequence[str], rows: Sequence[Row], read: Collection[int]) -> Iterator[tuple[int, str]]:
    widest = max((len(cells) for _line, cells in rows), default=0)
    for place in range(widest):
        if place not in read and any(place < len(cells) and cells[place] for _line, cells in rows):
            yield place + 1, names[place] if place < len(names) else ""


def _kind_of(name: str) -> str | None:
    """Return the kind of a column with this name: a key of `COLUMNS`, such as "day" for the name *fecha*.

    Return None for a player's name or an unknown name.
    """
    plain = folded(name)
    return next((kind for kind, names in COLUMNS.items() if plain in names), None)


@dataclass
class _Draft:
    """A night whose rows are still being read: its entries, and its notes without repetitions."""

    line: int
    day: date
    game: str
    entries: dict[str, Entry] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    def add_note(self, text: str) -> None:
        """Add a note; one that is repeated in each row of the night is kept once."""
        words = " ".join(text.split())
        if words:
            self.notes[words] = None

    @property
    def night(self) -> Night:
        """The night as it was read."""
        entries = tuple(self.entries.values())
        return Night(self.line, self.day, self.game, entries, BETWEEN_NOTES.join(self.notes))


@dataclass
class _Reader:
    """A reader that turns rows into nights. `columns` has the position of each kind of column."""

    notebook: OldNotebook
    columns: Mapping[str, int]
    decimals: int
    today: date
    is_month_first: bool
    day: date | None = None
    swapped: tuple[str, date] | None = None  # the first date that is another day in the other order
    fits_both_orders: bool = True
    read: set[int] = field(default_factory=set)
    drafts: list[_Draft] = field(default_factory=list)
    points: RunningSums = field(default_factory=RunningSums)  # in the wide layout, of points or money
    money: RunningSums = field(default_factory=RunningSums)

    @property
    def either_way(self) -> tuple[str, date] | None:
        """A date that is another day in the other order, and its day here; None if not all dates fit both."""
        return self.swapped if self.fits_both_orders else None

    # --- a row for each player ----------------------------------------------------------------------------------------

    def read_long(self, rows: Sequence[Row]) -> None:
        """Read rows of the long layout, in which several rows belong to one night.

        Such rows have the same date, card game and code (a file exported from the app has the code of each
        game). If a player's name repeats, a new night begins.
        """
        self.read.update(self.columns.values())
        open_nights: dict[tuple[date, str, str], _Draft] = {}
        for line, cells in rows:
            if self._is_sum(line, cells):
                if len(self.notebook.sums) <= MOST_SUMS:
                    self._compare_long(line, cells)
                continue
            entry = None if self._is_note_line(cells) else self._entry(line, cells)
            if entry is None:
                continue
            self.points.add(entry.name, entry.total)
            self.money.add(entry.name, entry.net)
            assert self.day is not None
            key = (self.day, self._cell(cells, "game"), self._cell(cells, "code"))
            night, name = open_nights.get(key), likeness(entry.name)
            if night is None or name in night.entries:
                night = open_nights[key] = _Draft(line, self.day, key[1])
                self.drafts.append(night)
            night.entries[name] = entry
            night.add_note(self._cell(cells, "note"))

    def _entry(self, line: int, cells: Sequence[str]) -> Entry | None:
        if not self._read_day(line, cells):
            return None
        name = self._cell(cells, "player")
        if not name:
            self.notebook.wrong(line, _("This row names no player."))
            return None
        return Entry(
            name,
            place=self._figure(line, cells, "place", 0),
            total=self._figure(line, cells, "total", 0),
            net=self._figure(line, cells, "net", self.decimals),
        )

    def _compare_long(self, line: int, cells: Sequence[str]) -> None:
        """Compare a row of sums with the rows above it.

        If the row names a player, only the rows of that player count, else the rows of all players.
        """
        player = self._cell(cells, "player")
        name = ALL if folded(player) in SUMS else player
        for kind, sums, decimals in (("total", self.points, 0), ("net", self.money, self.decimals)):
            number = read_figure(self._cell(cells, kind), decimals)
            if number is not None:
                self._compare(line, sums, {name: number}, is_money=kind == "net")

    def _compare(self, line: int, sums: RunningSums, written: Mapping[str, int], *, is_money: bool) -> None:
        compared = sums.compared(written, is_money=is_money)
        self.notebook.differences += (Problem(line, text) for text in compared)

    def _figure(self, line: int, cells: Sequence[str], kind: str, decimals: int) -> int | None:
        written = self._cell(cells, kind)
        return None if is_absent(written) else self._number(line, written, decimals)

    # --- a row for each night -----------------------------------------------------------------------------------------

    def read_wide(self, head: Row, rows: Sequence[Row]) -> None:
        """Read rows of the wide layout. Every column with an unknown name is a player's."""
        self.notebook.is_wide = True
        line, names = head
        players = {
            place: name
            for place, name in enumerate(names)
            if name and not _kind_of(name) and folded(name) not in SUMS | NUMBERING
        }
        self.read.update(
            players, (self.columns[kind] for kind in ("day", "game", "note") if kind in self.columns)
        )
        if len(players) > MOST_COLUMNS:
            self.notebook.wrong(line, _("More than {most} columns look like players.", most=MOST_COLUMNS))
            return
        for place, name in players.items():
            if any(same_name(name, other) for before, other in players.items() if before < place):
                self.notebook.wrong(line, _("Two columns are called {name}.", name=name))
        if self.notebook.figures is Figures.GUESSED:
            self.notebook.figures = self._guess(rows, players)
            if self.notebook.is_unclear:
                return
        is_money = self.notebook.figures is Figures.MONEY
        for line, cells in rows:
            if self._is_sum(line, cells):
                if len(self.notebook.sums) <= MOST_SUMS:
                    written = self._written(cells, players, self.decimals if is_money else 0)
                    self._compare(line, self.points, written, is_money=is_money)
            elif not self._is_note_line(cells) and self._read_day(line, cells):
                assert self.day is not None
                entries = tuple(self._played(line, cells, players))
                for entry in entries:
                    self.points.add(entry.name, entry.net if is_money else entry.total)
                night = _Draft(line, self.day, self._cell(cells, "game"))
                night.entries = {str(place): entry for place, entry in enumerate(entries)}
                night.add_note(self._cell(cells, "note"))
                self.drafts.append(night)

    def _played(self, line: int, cells: Sequence[str], players: Mapping[int, str]) -> Iterator[Entry]:
        is_money = self.notebook.figures is Figures.MONEY
        for place, name in players.items():
            written = cells[place] if place < len(cells) else ""
            if is_absent(written):
                continue
            number = self._number(line, written, self.decimals if is_money else 0)
            yield Entry(name, net=number) if is_money else Entry(name, total=number)

    def _guess(self, rows: Sequence[Row], players: Mapping[int, str]) -> Figures:
        """Guess the meaning of the numbers: money if at least half of the rows add up to zero, else points.

        Half of the rows is enough because the other rows may contain mistakes, which are then reported.
        """
        even = odd = 0
        firsts = [next(cell for cell in cells if cell) for _line, cells in rows]
        nights = [
            row
            for row, first in zip(rows, firsts, strict=True)
            if folded(first) not in SUMS and _kind_of(first) != "note"
        ]
        for line, cells in nights:
            read = [
                read_figure(cells[place], self.decimals)
                for place in players
                if place < len(cells) and not is_absent(cells[place])
            ]
            amounts = [amount for amount in read if amount is not None]
            if len(amounts) < len(read) or sum(amounts) != 0:
                odd += 1
            elif any(amounts):
                even += 1
            is_readable = len(amounts) == len(read) and not self.notebook.problems
            if len(nights) == 1 and is_readable and sum(amounts) != 0:
                return self._ask(line)
        return Figures.MONEY if even and even >= odd else Figures.FEWEST_WIN

    def _ask(self, line: int) -> Figures:
        """Add a problem that asks the user for the meaning of the numbers. Return GUESSED, for unknown.

        A single night whose numbers do not add up to zero may have points, or money with a mistake.
        """
        self.notebook.is_unclear = True
        self.notebook.wrong(
            line, _("These numbers do not add up to zero: say whether they are points or money.")
        )
        return Figures.GUESSED

    def _written(self, cells: Sequence[str], players: Mapping[int, str], decimals: int) -> dict[str, int]:
        """Return the number that the row has for each player, by name; cells without a number are left out.

        The numbers are multiplied by `10 ** decimals`. `players` has the names by column.
        """
        read = {
            name: read_figure(cells[place], decimals) for place, name in players.items() if place < len(cells)
        }
        return {name: number for name, number in read.items() if number is not None}

    # --- cells --------------------------------------------------------------------------------------------------------

    def _cell(self, cells: Sequence[str], kind: str) -> str:
        place = self.columns.get(kind)
        return cells[place] if place is not None and place < len(cells) else ""

    def _is_sum(self, line: int, cells: Sequence[str]) -> bool:
        """Return whether the row only adds up other rows. If it does, add it to the notebook's `sums`."""
        first = next(cell for cell in cells if cell)
        if folded(first) not in SUMS:
            return False
        self.notebook.sums.append(line)
        return True

    def _is_note_line(self, cells: Sequence[str]) -> bool:
        """Return whether the row is a note on the night above it. If it is, add it to that night."""
        first, *others = [cell for cell in cells if cell]
        if not self.drafts or _kind_of(first) != "note":
            return False
        self.drafts[-1].add_note(" ".join(others))
        return True

    def _read_day(self, line: int, cells: Sequence[str]) -> bool:
        """Set the reader's `day` to the row's date and return whether the date is valid.

        A row without a date has the same date as the row above.
        """
        written = self._cell(cells, "day")
        if not written and self.day is not None:
            return True
        day = read_day(written, is_month_first=self.is_month_first)
        if day is None:
            example = write_day(EXAMPLE, is_month_first=self.is_month_first)
            self.notebook.wrong(
                line,
                _("“{text}” is not a date. Write it like {example}.", text=written[:40], example=example),
            )
        elif day > self.today or day.year < FIRST_YEAR:
            self.notebook.wrong(line, _("The day {day} is in the future or too long ago.", day=written[:40]))
        else:
            self.day = day
            self._compare_orders(written, day)
            return True
        return False

    def _compare_orders(self, written: str, day: date) -> None:
        """Keep whether all dates fit both orders of day and month, and the first that is another day then."""
        other = read_day(written, is_month_first=not self.is_month_first)
        if other is None:
            self.fits_both_orders = False
        elif other != day and self.swapped is None:
            self.swapped = written, day

    def _number(self, line: int, written: str, decimals: int) -> int | None:
        number = read_figure(written, decimals)
        if number is None:
            self.notebook.wrong(
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
