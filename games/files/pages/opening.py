"""Starting balances: what people owed each other before this table. The form, and taking them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.common.amounts import money
from games.common.days import moment_in_words
from games.common.locks import KeyReused, new_key
from games.common.names import isolated, read_name
from games.common.regions import Region
from games.common.sent import UNPROCESSABLE, Refused, sent_key, user_of, whole_number
from games.common.typed import read_amount, region_typed_in, wrong_amount
from games.common.words import translate
from games.models import MOST_MEMBERS, NAME_LENGTH, Entry, Table
from games.money.balances import Accounts, StaleAccounts, newest_entry, read_accounts
from games.money.opening import StartingBalance, open_balances, openings_of, take_balances_back
from games.money.pages.paying import refused_at
from games.scoring.errors import RuleError
from games.tables.access import table_for
from games.tables.people import People, known_as

OWED, OWES = "owed", "owes"
MOST_ROWS = MOST_MEMBERS + 100  # the most rows of a form: all members, and 100 new people
BLANK_ROWS = 4  # blank rows for new people at first, and how many each tap on the button adds


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


def first_rows(table: Table) -> list[OpeningRow]:
    """Return a row for each member; if there are none, `BLANK_ROWS` blank rows for new people."""
    rows = [OpeningRow(number, member.slug) for number, member in enumerate(table.members.active(), start=1)]
    return rows or blank_rows(0)


def blank_rows(after: int) -> list[OpeningRow]:
    """Return `BLANK_ROWS` blank rows, or fewer at the form's limit. The first has the number `after` + 1."""
    return [OpeningRow(after + number) for number in range(1, min(BLANK_ROWS, MOST_ROWS - after) + 1)]


def posted_rows(post: Mapping[str, str]) -> list[OpeningRow]:
    """Return the rows of the submitted form as they were typed; they may be wrong."""
    most = min(whole_number(post.get("rows", ""), most_digits=8), MOST_ROWS)
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


def read_rows(
    rows: Sequence[OpeningRow], table: Table, region: Region
) -> tuple[list[StartingBalance], dict[int, str]]:
    """Return the starting balances, without blank rows for new people, and the messages by wrong row's number.

    `region` has the number format in which the amounts were typed.
    """
    balances, errors = [], {}
    for row in rows:
        amount = read_amount(row.amount, table, region) if row.amount.strip() else 0
        if amount is None:
            example = _("Write an amount, such as %(example)s.")
            errors[row.number] = wrong_amount(row.amount, table, region, example)
        elif row.slug or amount or row.name.strip():
            balances.append(StartingBalance(-amount if row.side == OWES else amount, row.slug, row.name))
            try:
                if not row.slug:
                    read_name(row.name, longest=NAME_LENGTH)
            except RuleError as refusal:
                errors[row.number] = translate(refusal.text)
    return balances, errors


@require_http_methods(["GET", "HEAD", "POST"])
def opening_balances(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the form; record the balances that were sent if they add up to zero."""
    table = table_for(request.user, table_code, for_owning=True)[0]
    sent = request.POST
    if request.method != "POST":
        return _show(request, table, first_rows(table))
    rows = posted_rows(sent)
    if "more" in sent:
        return _show(request, table, [*rows, *blank_rows(len(rows))])
    balances, errors = read_rows(rows, table, region_typed_in(sent))
    if errors:
        return _show(request, table, rows, errors=errors)
    try:
        seen = whole_number(sent.get("seen", ""), most_digits=8)
        saved = open_balances(table, balances, seen=seen, key=sent_key(request), by=user_of(request))
    except (RuleError, StaleAccounts, KeyReused) as refusal:
        return _show(request, table, rows, refused=refused_at(refusal, table))
    return redirect(f"{reverse('accounts', args=[table.code])}?opened={saved.number}")


@require_POST
def undo_balances(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Take starting balances back."""
    table = table_for(request.user, table_code, for_owning=True)[0]
    try:
        take_balances_back(table, number, by=user_of(request))
    except RuleError as refusal:
        return _show(request, table, first_rows(table), refused=refused_at(refusal, table))
    return redirect("opening-balances", table.code)


def _show(
    request: HttpRequest,
    table: Table,
    rows: Sequence[OpeningRow],
    *,
    errors: Mapping[int, str] | None = None,
    refused: Refused | None = None,
) -> HttpResponse:
    """Show the form with these rows. `errors` are messages by the number of the row."""
    seen, accounts = newest_entry(table), read_accounts(table)  # in this order: later entries make it stale
    context = {
        "table": table,
        "rows": [_shown(row, accounts, table, (errors or {}).get(row.number, "")) for row in rows],
        "keyboard": "decimal" if table.decimals else "numeric",
        "openings": [_opening(entry, accounts.people, table) for entry in openings_of(table)],
        "refused": refused,
        "seen": seen,
        "key": new_key(),
    }
    status = refused.status if refused else UNPROCESSABLE if errors else 200
    return render(request, "files/opening_balances.html", context, status=status)


def _shown(row: OpeningRow, accounts: Accounts, table: Table, error: str) -> OpeningRow:
    """Return the row with its member's name and present balance, and with its error."""
    member = accounts.people.by_slug.get(row.slug)
    if member is None:
        return replace(row, error=error)
    balance = accounts.balances[member.slug]
    now = money(balance, table, signed=True) if balance else ""
    return replace(row, title=member.name, balance=now, error=error)


def _opening(entry: Entry, people: People, table: Table) -> dict[str, object]:
    """Return recorded starting balances: the number of their entry, when and by whom, and each person's."""
    by = isolated(known_as(entry.by, people)) if entry.by else ""
    return {
        "number": entry.number,
        "recorded": ", ".join(filter(None, (moment_in_words(entry.at, table), by))),
        "balances": [
            (people.by_slug[slug].name, money(amount, table, signed=True))
            for slug, amount in entry.differences.items()
        ],
    }
