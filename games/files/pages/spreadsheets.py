"""A table's results and payments as CSV, in the format of the reader's region.

The first row of each spreadsheet has the headings of its columns.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import TypeAlias

from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from games.common.days import local
from games.common.played import title_in_words
from games.common.regions import current_region
from games.models import Game, Result, Table
from games.money.pages.rows import method_in_words, state_in_words
from games.tables.people import People, known_as

MARK = "\ufeff"  # the byte order mark, by which a spreadsheet recognizes the encoding
# The places where a spreadsheet would begin a formula: at the start of a cell or, if the spreadsheet expects
# another separator, inside a cell.
COMMAND = re.compile(r"(^|[,;|\t\r\n])(?=\s*[=+\-@])")


class Figure(str):
    """A formatted number, which is written as it is.

    Any other text is changed where a spreadsheet could take it for a formula.
    """


Cell: TypeAlias = "str | int | Figure | None"
Row: TypeAlias = Iterable[Cell]


def write_rows(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the rows as lines of CSV, with the separator that the reader's spreadsheet expects.

    The separator is a semicolon in a region with decimal commas, else a comma.
    """
    separator = ";" if current_region().decimal == "," else ","
    writer = csv.writer(_Echo(), delimiter=separator, quoting=csv.QUOTE_ALL)
    yield MARK
    for row in rows:
        yield writer.writerow([_written(cell) for cell in row])


class _Echo:
    """A file-like object for `csv.writer`, which returns each line instead of storing it."""

    def write(self, line: str) -> str:
        return line


def _written(cell: Cell) -> str:
    if isinstance(cell, str) and not isinstance(cell, Figure):
        return COMMAND.sub(r"\1'", cell)
    return "" if cell is None else str(cell)


def _amount(amount: int, table: Table) -> Figure:
    """Return an amount of the table's money as a cell: `-1234,50`.

    It has the table's decimals and the region's decimal separator, but no unit and no thousands separators.
    """
    whole, part = divmod(abs(amount), 10**table.decimals)
    decimals = f"{current_region().decimal}{part:0{table.decimals}d}" if table.decimals else ""
    return Figure(f"{'-' if amount < 0 else ''}{whole}{decimals}")


def _day(game: Game) -> str:
    return date.fromordinal(game.night_number).isoformat()


# --- results ----------------------------------------------------------------------------------------------------------


def result_rows(table: Table) -> Iterator[Row]:
    """Yield a row for each player of each finished game."""
    yield (
        *(_("Date"), _("Card game"), _("Code"), _("Player"), _("Place"), _("Points"), _("Money")),
        *(_("Re-entries"), _("Rounds won")),
    )
    people = People.of(table)
    results = Result.objects.filter(game__table=table).select_related("game")
    for result in results.order_by("game__started_at", "game", "pk").iterator(chunk_size=2000):
        yield (
            *(_day(result.game), title_in_words(result.variant), result.game.code),
            *(people.by_pk[result.member_id].name, result.place, result.total),
            *(_amount(result.net, table), result.reentries, result.rounds_won),
        )


# --- payments ---------------------------------------------------------------------------------------------------------


def payment_rows(table: Table) -> Iterator[Row]:
    """Yield a row for each payment with its state, including cancelled and disputed payments."""
    yield (
        *(_("Date"), _("Time"), _("Who paid"), _("To whom"), _("Amount"), _("How")),
        *(_("Note"), _("State"), _("Recorded by")),
    )
    people = People.of(table)
    payments = table.payments.select_related("recorded_by").order_by("made_at", "pk")
    for payment in payments.iterator(chunk_size=2000):
        made_at = local(payment.made_at, table)
        yield (
            *((payment.paid_on or made_at.date()).isoformat(), "" if payment.paid_on else f"{made_at:%H:%M}"),
            *(people.by_pk[payment.payer_id].name, people.by_pk[payment.payee_id].name),
            *(_amount(payment.amount, table), method_in_words(payment.method), payment.note),
            state_in_words(payment, people)[0],
            known_as(payment.recorded_by, people),
        )


# --- all of them ------------------------------------------------------------------------------------------------------

SPREADSHEETS: Mapping[str, Callable[[Table], Iterable[Row]]] = {
    "results": result_rows,
    "payments": payment_rows,
}


def write_lines(what: str, table: Table) -> Iterable[str]:
    """Return the lines of the spreadsheet `what`, a key of SPREADSHEETS, in the reader's language.

    The language is stored now, because Django asks for the lines when it has reset the request's language.
    """
    language = get_language()

    def written() -> Iterable[str]:
        with override(language):
            yield from write_rows(SPREADSHEETS[what](table))

    return written()
