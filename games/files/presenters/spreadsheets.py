"""A table's results, payments and ledger entries as CSV, in the format of the reader's region.

The first row of each spreadsheet has the headings of its columns.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import cache, lru_cache, partial
from io import StringIO
from typing import Any, TypeAlias
from unicodedata import category, normalize

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.common import days, game_labels, name_marks, regions
from games.models import Entry, EntryKind, Method, Result, Table
from games.money.presenters import account_display
from games.tables.services import roster, users
from games.tables.services.roster import People

BYTE_ORDER_MARK = "\ufeff"  # tells a spreadsheet the encoding
FORMULA_SIGNS = "=+-@\u2212"  # and the forms of these signs, such as the full-width ones
INVISIBLE = {"Cc", "Cf", "Mn"}  # Unicode's categories of control, format and combining characters
# Where a cell begins if the spreadsheet expects another separator.
SEPARATOR = re.compile(r"([,;|\t\r\n])")


class FormattedNumber(str):
    """A formatted number, written as it is.

    Any other text is changed where a spreadsheet could take it for a formula.
    """


Cell: TypeAlias = "str | int | FormattedNumber | None"
Row: TypeAlias = Iterable[Cell]


def _write_rows(rows: Iterable[Row]) -> str:
    """Return the rows as CSV.

    The separator is a semicolon in a region with decimal commas and a comma elsewhere, as the reader's
    spreadsheet expects.
    """
    separator = ";" if regions.active_region().decimal == "," else ","
    text = StringIO(newline="")
    text.write(BYTE_ORDER_MARK)
    writer = csv.writer(text, delimiter=separator, quoting=csv.QUOTE_ALL)
    writer.writerows([_cell_text(cell) for cell in row] for row in rows)
    return text.getvalue()


def _cell_text(cell: Cell) -> str:
    if isinstance(cell, str) and not isinstance(cell, FormattedNumber):
        return escape_formulas(cell)
    return "" if cell is None else str(cell)


@lru_cache(maxsize=1000)  # of the names and words that many rows repeat
def escape_formulas(text: str) -> str:
    """Return the text with an apostrophe wherever a spreadsheet could take it for a formula.

    That is at a sign, in any of its forms and after blanks and invisible characters, and at a tab or line end
    that begins the cell.
    """
    pieces = "".join(f"'{piece}" if _begins_formula(piece) else piece for piece in SEPARATOR.split(text))
    return f"'{pieces}" if text.startswith(("\t", "\r", "\n")) else pieces


def _begins_formula(text: str) -> bool:
    letters = (letter for letter in text if not letter.isspace() and category(letter) not in INVISIBLE)
    first = next(letters, "")
    return first != "" and normalize("NFKC", first)[0] in FORMULA_SIGNS


def _amount(amount: int, table: Table) -> FormattedNumber:
    """Return an amount of the table's money as a cell: `-1234,50`.

    It has the table's decimals and the region's decimal separator, but no unit and no thousands separators.
    """
    whole, part = divmod(abs(amount), 10**table.decimals)
    decimals = f"{regions.active_region().decimal}{part:0{table.decimals}d}" if table.decimals else ""
    return FormattedNumber(f"{'-' if amount < 0 else ''}{whole}{decimals}")


def _day(night_number: int) -> str:
    return date.fromordinal(night_number).isoformat()


# --- results ----------------------------------------------------------------------------------------------------------


def result_rows(table: Table) -> Iterator[Row]:
    """Yield a row for each player of each finished game."""
    yield (
        *(_("Date"), _("Card game"), _("Code"), _("Player"), _("Place"), _("Points"), _("Money")),
        *(_("Comebacks"), _("Rounds won")),
    )
    names = {pk: member.name for pk, member in People.of(table).by_pk.items()}
    results = Result.objects.filter(game__table=table).order_by("game__started_at", "game", "pk")
    columns = ("game__night_number", "variant", "game__code", "member", "place", "total", "net")
    rows = results.values_list(*columns, "reentries", "rounds_won")
    for night, variant, code, member, place, total, net, reentries, won in rows.iterator(chunk_size=2000):
        yield (
            *(_day(night), game_labels.variant_label(variant), code, names[member], place, total),
            *(_amount(net, table), reentries, won),
        )


# --- payments ---------------------------------------------------------------------------------------------------------


def payment_rows(table: Table) -> Iterator[Row]:
    """Yield a row for each payment with its state, including voided and disputed payments."""
    yield (
        *(_("Date"), _("Time"), _("Who paid"), _("To whom"), _("Amount"), _("How")),
        *(_("Note"), _("State"), _("Recorded by")),
    )
    people = People.of(table)
    payments = table.payments.select_related("recorded_by").order_by("made_at", "pk")
    for payment in payments.iterator(chunk_size=2000):
        made_at = days.to_table_time(payment.made_at, table)
        yield (
            *((payment.paid_on or made_at.date()).isoformat(), "" if payment.paid_on else f"{made_at:%H:%M}"),
            *(people.by_pk[payment.payer_id].name, people.by_pk[payment.payee_id].name),
            *(_amount(payment.amount, table), account_display.method_label(payment.method), payment.note),
            account_display.state_label(payment, people)[0],
            users.name_at_table(payment.recorded_by, people),
        )


# --- ledger entries ---------------------------------------------------------------------------------------------------


def entry_rows(table: Table) -> Iterator[Row]:
    """Yield a row for each ledger entry (asiento) and each person whose balance it moved.

    The rows of an entry add up to 0, and those of a person to their balance. A game that was paid on the table
    by habit has no entry: its rows, what was won and lost and what was paid, have no number, and come before
    the first entry recorded after its end.
    """
    people = People.of(table)
    yield (
        *(_("No."), _("Date"), _("Recorded"), _("What"), _("Details"), _("Code"), _("Who")),
        *(_("Person"), _("Amount")),
    )
    names = cache(partial(users.name_at_table, people=people))  # many entries have one user
    by_habit = _games_paid_on_table(table)
    corrected = table.costs.filter(first__isnull=False, replaced_at=None)
    notes = {cost.first_pk: cost.note for cost in corrected}
    entries = table.entries.select_related("game", "payment", "cost", "by").defer("before", "after")
    for entry in entries.order_by("number").iterator(chunk_size=2000):
        while by_habit and by_habit[0].ended_at <= entry.at:
            yield from _spot_rows(by_habit.popleft(), people, table)
        amounts = roster.sum_by_current_member(entry.differences, people.slugs)
        if any(amounts.values()):
            what, detail, code = _entry_labels(entry, notes)
            recorded = days.to_table_time(entry.at, table).date().isoformat()
            who = names(entry.by) if entry.by else ""
            cells = (entry.number, entry.night.isoformat(), recorded, what, detail, code, who)
            yield from _person_rows(cells, amounts, people, table)
    for game in by_habit:
        yield from _spot_rows(game, people, table)


def _person_rows(
    cells: tuple[Cell, ...], amounts: Mapping[str, int], people: People, table: Table
) -> Iterator[Row]:
    """Yield these cells with each person, in the order of joining, and the amount that their balance moved."""
    for slug in sorted(amounts, key=people.seats.__getitem__):
        if amounts[slug]:
            yield (*cells, people.by_slug[slug].name, _amount(amounts[slug], table))


def _games_paid_on_table(table: Table) -> deque[Any]:
    """Return the games without an entry, because their money was paid on the table, by when they ended."""
    ends = table.entries.filter(kind=EntryKind.ENDED, game__isnull=False).values("game")
    paid = table.games.filter(spot_nets__isnull=False, ended_at__isnull=False, discarded_at=None)
    return deque(paid.exclude(pk__in=ends).order_by("ended_at", "pk"))


def _spot_rows(game: Any, people: People, table: Table) -> Iterator[Row]:
    """Yield the rows of such a game: what was won and lost, and what was paid on the table."""
    nets = roster.sum_by_current_member(game.spot_nets, people.slugs)
    day = days.to_table_time(game.ended_at, table).date().isoformat()
    paid = {slug: -amount for slug, amount in nets.items()}
    for what, amounts in ((_("A game"), nets), (pgettext("entry", "Paid on the spot"), paid)):
        if any(amounts.values()):
            label = game_labels.variant_label(game.variant)
            cells = ("", _day(game.night_number), day, what, label, game.code, "")
            yield from _person_rows(cells, amounts, people, table)


def _entry_labels(entry: Entry, notes: Mapping[int, str]) -> tuple[str, str, str]:
    """Return an entry's cause in words, a detail of it, and the code of its game, "" for none.

    `notes` are the notes of corrected expenses.
    """
    kind, game, payment, cost = EntryKind(entry.kind), entry.game, entry.payment, entry.cost
    if game is not None:
        return _GAME_LABELS[kind](), game_labels.variant_label(game.variant), game.code
    if payment is not None:
        method = "" if payment.method == Method.FORGIVEN else account_display.method_label(payment.method)
        return (
            account_display.payment_title(payment, kind),
            " · ".join(filter(None, (method, payment.note))),
            "",
        )
    if cost is not None:
        return _expense_label(kind, is_forgiven=cost.is_forgiven), notes.get(cost.pk, cost.note), ""
    opening_label = _("Starting balances")
    return opening_label if kind is EntryKind.OPENED else _("Starting balances, voided"), "", ""


def _expense_label(kind: EntryKind, *, is_forgiven: bool) -> str:
    if kind is EntryKind.SHARED:
        return _("Forgiven together") if is_forgiven else _("Expense")
    return _("Expense corrected") if kind is EntryKind.CORRECTED else _("Expense voided")


_GAME_LABELS: Mapping[EntryKind, Callable[[], str]] = {
    EntryKind.ENDED: lambda: _("A game"),
    EntryKind.CORRECTED: lambda: _("Correction"),
    EntryKind.REOPENED: lambda: _("Reopened"),
    EntryKind.DISCARDED: lambda: _("Game deleted"),
    EntryKind.RESTORED: lambda: _("Game restored"),
    EntryKind.ON_THE_SPOT: lambda: pgettext("entry", "Paid on the spot"),
}


# --- all of them ------------------------------------------------------------------------------------------------------

SPREADSHEETS: Mapping[str, Callable[[Table], Iterable[Row]]] = {
    "results": result_rows,
    "payments": payment_rows,
    "entries": entry_rows,
}


def write(what: str, table: Table) -> str:
    """Return the text of the spreadsheet `what`, a key of SPREADSHEETS, in the reader's language."""
    with name_marks.leave_out_marks():
        return _write_rows(SPREADSHEETS[what](table))
