"""Starting balances: what people owed each other before this table. The form, and taking them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.common.amounts import money
from games.common.days import moment_in_words
from games.common.locks import KeyReused, new_key
from games.common.names import isolated, read_name
from games.common.regions import Region
from games.common.sent import UNPROCESSABLE, Refused, asked_about, sent_key, user_of, whole_number
from games.common.typed import read_amount, region_typed_in, wrong_amount
from games.common.words import translate
from games.models import MOST_MEMBERS, NAME_LENGTH, Entry, Member, Table
from games.money.balances import Accounts, StaleAccounts, newest_entry, read_accounts
from games.money.opening import StartingBalance, open_balances, openings_of, take_balances_back
from games.money.pages.paying import refused_at
from games.scoring.errors import RuleError
from games.tables.access import table_for
from games.tables.people import People, known_as

OWED, OWES = "owed", "owes"
MOST_ROWS = MOST_MEMBERS + 100  # the most rows of a form: all members, and 100 new people
BLANK_ROWS = 4  # blank rows for new people at first, and how many each tap on the button adds


class RowErrors(Exception):
    """Raised if rows of the form are wrong. `errors` has a message for each wrong row, by row number."""

    def __init__(self, errors: Mapping[int, str]) -> None:
        super().__init__()
        self.errors = errors


@dataclass(frozen=True)
class OpeningRow:
    """A row of the form: a person and a starting balance.

    `slug` is the member's id, and `title` the member's name; both are "" for a new person, whose name is
    `name`. `side` tells whether the person is owed `amount` or owes it. `balance` is the member's present
    balance; "" if it is zero.
    """

    number: int
    slug: str = ""
    name: str = ""
    amount: str = ""
    side: str = OWED
    title: str = ""
    balance: str = ""
    error: str = ""


@dataclass(frozen=True)
class Taker:
    """A person who may take the remainder: their balance would become `balance`, and the sum zero."""

    number: int
    name: str
    balance: str
    is_chosen: bool


@dataclass(frozen=True)
class Remainder:
    """The sum of the starting balances, if it is not zero although it should be.

    `total` is in the smallest coin; `words` is its absolute amount as text. `takers` are the people whose
    balance may be changed so that the sum is zero.
    """

    total: int
    words: str
    takers: tuple[Taker, ...]


@dataclass(frozen=True)
class OpeningShown:
    """Starting balances that stand: the number of their entry, when and by whom they were recorded, and each."""

    number: int
    recorded: str
    balances: tuple[tuple[str, str], ...]  # (name, balance)


def opening_shown(entry: Entry, people: People, table: Table) -> OpeningShown:
    """Return recorded starting balances, ready for the page on which they are taken back."""
    by = isolated(known_as(entry.by, people)) if entry.by else ""
    return OpeningShown(
        entry.number,
        ", ".join(filter(None, (moment_in_words(entry.at, table), by))),
        tuple(
            (people.by_slug[slug].name, money(amount, table, signed=True))
            for slug, amount in entry.differences.items()
        ),
    )


def member_rows(members: Iterable[Member]) -> list[OpeningRow]:
    """Return a row for each of these members; if there are none, `BLANK_ROWS` blank rows for new people."""
    rows = [OpeningRow(number, member.slug) for number, member in enumerate(members, start=1)]
    return rows or blank_rows(0, count=BLANK_ROWS)


def blank_rows(after: int, *, count: int) -> list[OpeningRow]:
    """Return `count` blank rows, or fewer at the form's limit. The first has the number `after` + 1."""
    return [OpeningRow(after + number) for number in range(1, min(count, MOST_ROWS - after) + 1)]


def posted_rows(post: Mapping[str, str]) -> list[OpeningRow]:
    """Return the rows of the submitted form as they were typed; they may be wrong."""
    count = post.get("rows", "")
    most = min(int(count), MOST_ROWS) if count.isascii() and count.isdigit() and len(count) < 9 else 0
    return [
        OpeningRow(
            number,
            slug=post.get(f"who-{number}", ""),
            name=post.get(f"name-{number}", ""),
            amount=post.get(f"amount-{number}", ""),
            side=OWES if post.get(f"side-{number}") == OWES else OWED,
        )
        for number in range(1, most + 1)
    ]


def read_rows(rows: Sequence[OpeningRow], table: Table, region: Region) -> dict[int, StartingBalance]:
    """Return the starting balances by row number, without the blank rows for new people.

    `region` has the number format in which the amounts were typed. Raise RowErrors if a row is wrong.
    """
    balances, errors = {}, {}
    for row in rows:
        amount = read_amount(row.amount, table, region) if row.amount.strip() else 0
        if amount is None:
            errors[row.number] = wrong_amount(
                row.amount, table, region, _("Write an amount, such as %(example)s.")
            )
        elif row.slug or amount or row.name.strip():
            signed = -amount if row.side == OWES else amount
            balances[row.number] = StartingBalance(signed, row.slug, row.name)
    errors |= dict(_wrong_names(balances))
    if errors:
        raise RowErrors(errors)
    return balances


def _wrong_names(balances: Mapping[int, StartingBalance]) -> Iterator[tuple[int, str]]:
    """Yield the number of each row whose new name cannot be stored, and the reason."""
    for number, balance in balances.items():
        try:
            if not balance.slug:
                read_name(balance.name, longest=NAME_LENGTH)
        except RuleError as refusal:
            yield number, translate(refusal.text)


def with_the_rest(balances: Mapping[int, StartingBalance], taker: int) -> dict[int, StartingBalance]:
    """Return the balances, with the one of row number `taker` changed so that the sum of all is zero.

    Both dicts are keyed by row number.
    """
    missing = -sum(balance.amount for balance in balances.values())
    return {
        number: replace(balance, amount=balance.amount + missing) if number == taker else balance
        for number, balance in balances.items()
    }


def remainder_of(
    balances: Mapping[int, StartingBalance], people: People, table: Table, *, chosen: str = ""
) -> Remainder | None:
    """Return the sum of the balances, and for each person the balance that would make the sum zero.

    Return None if the sum is zero. `chosen` is the row number, as text, of the person whom the user chose.
    """
    total = sum(balance.amount for balance in balances.values())
    if not total:
        return None
    takers = []
    for number, balance in balances.items():
        name = people.by_slug[balance.slug].name if balance.slug in people.by_slug else balance.name
        amount = with_the_rest(balances, number)[number].amount
        takers.append(Taker(number, name, money(amount, table, signed=True), is_chosen=str(number) == chosen))
    return Remainder(total, money(abs(total), table), tuple(takers))


def rows_shown(
    rows: Sequence[OpeningRow], accounts: Accounts, table: Table, errors: Mapping[int, str]
) -> list[OpeningRow]:
    """Return the rows with the members' names and present balances, and with the error of each.

    `errors` has the messages by row number.
    """
    shown = []
    for row in rows:
        member = accounts.people.by_slug.get(row.slug)
        balance = 0 if member is None else accounts.balances[member.slug]
        shown.append(
            replace(
                row,
                title="" if member is None else member.name,
                balance=money(balance, table, signed=True) if balance else "",
                error=errors.get(row.number, ""),
            )
        )
    return shown


@require_http_methods(["GET", "HEAD", "POST"])
def opening_balances(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the form; record the balances once they add up to zero."""
    table = table_for(request.user, table_code, for_owning=True)[0]
    if request.method != "POST":
        return _show(request, table, member_rows(table.members.active()))
    rows = posted_rows(request.POST)
    if "more" in request.POST:
        last = max((row.number for row in rows), default=0)
        return _show(request, table, [*rows, *blank_rows(last, count=BLANK_ROWS)])
    try:
        balances = read_rows(rows, table, region_typed_in(request.POST))
    except RowErrors as wrong:
        return _show(request, table, rows, errors=wrong.errors, status=UNPROCESSABLE)
    if "look" in request.POST:
        return _show(request, table, rows, balances)
    return _save(request, table, rows, balances)


@require_POST
def undo_balances(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Take starting balances back."""
    table = table_for(request.user, table_code, for_owning=True)[0]
    try:
        take_balances_back(table, number, by=user_of(request))
    except RuleError as refusal:
        return _show(request, table, member_rows(table.members.active()), refused=refused_at(refusal, table))
    return redirect("opening-balances", table.code)


def _save(
    request: HttpRequest, table: Table, rows: Sequence[OpeningRow], balances: Mapping[int, StartingBalance]
) -> HttpResponse:
    """Record the starting balances, which must add up to zero; `balances` are by the number of the row.

    If they do not add up to zero, the user can choose a row that gets the missing amount. The form's `rest`
    is the number of this row. If the missing amount is not the one that the page showed, show the page again
    with the present one.
    """
    rest, total = request.POST.get("rest", ""), sum(balance.amount for balance in balances.values())
    is_taken = rest in map(str, balances) and request.POST.get("total", "") == str(total)
    wanted = with_the_rest(balances, int(rest)) if is_taken else balances
    try:
        open_balances(
            table,
            list(wanted.values()),
            seen=whole_number(request.POST.get("seen", ""), most_digits=8),
            key=sent_key(request),
            by=user_of(request),
            apart=request.POST.getlist("apart"),
        )
    except (RuleError, StaleAccounts, KeyReused) as refusal:
        refused = refused_at(refusal, table)
        return _show(request, table, rows, balances, refused=refused, alike=asked_about(refusal))
    return redirect("accounts", table.code)


def _show(
    request: HttpRequest,
    table: Table,
    rows: Sequence[OpeningRow],
    balances: Mapping[int, StartingBalance] | None = None,
    *,
    errors: Mapping[int, str] | None = None,
    refused: Refused | None = None,
    alike: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show the form with these rows and, if `balances` are given, what they add up to.

    `balances` and `errors` are by the number of the row. `status` is the HTTP status unless `refused` has one.
    """
    seen, accounts = newest_entry(table), read_accounts(table)  # in this order: later entries make it stale
    context = {
        "table": table,
        **_rows(rows, accounts, table, errors or {}),
        **_sum(balances or {}, accounts.people, table, chosen=request.POST.get("rest", "")),
        "openings": [opening_shown(entry, accounts.people, table) for entry in openings_of(table)],
        "apart": request.POST.getlist("apart"),
        "refused": refused,
        "seen": seen,
        "key": new_key(),
        "alike": alike,
    }
    status = refused.status if refused else status
    return render(request, "files/opening_balances.html", context, status=status)


def _rows(
    rows: Sequence[OpeningRow], accounts: Accounts, table: Table, errors: Mapping[int, str]
) -> dict[str, object]:
    return {
        "rows": rows_shown(rows, accounts, table, errors),
        "last": max((row.number for row in rows), default=0),
        "keyboard": "decimal" if table.decimals else "numeric",
    }


def _sum(
    balances: Mapping[int, StartingBalance], people: People, table: Table, *, chosen: str
) -> dict[str, object]:
    return {
        "remainder": remainder_of(balances, people, table, chosen=chosen),
        "is_even": any(balance.amount for balance in balances.values()),
    }
