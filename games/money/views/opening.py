"""The pages of starting balances: the form, and voiding them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.common import amounts, days, locks, naming, parsing, request_handling, texts
from games.common.locks import IdempotencyKeyReused
from games.common.request_handling import PageRefusal
from games.models import Entry, Member, Table
from games.money.services import accounting, starting_balances
from games.money.services.accounting import Accounts, StaleAccounts
from games.money.views.debt_pages import refusal_for
from games.scoring.errors import RuleError
from games.tables.services import authorization, lobby, roster, users
from games.tables.services.roster import People
from games.tables.views.lobby import add_from_form

OWES = "owes"
NAME_ERROR = ""  # the key in `errors` for the name field; no member's slug is empty


def parse_balances(data: Mapping[str, str], table: Table) -> tuple[dict[str, int], dict[str, str]]:
    """Return the posted balances by member's slug, and an error message for each invalid amount."""
    region, balances, errors = parsing.form_region(data), {}, {}
    for member in table.members.active():
        text = data.get(f"amount-{member.slug}", "")
        amount = parsing.parse_amount(text, table, region) if text.strip() else 0
        if amount is None:
            example = _("Write an amount, such as %(example)s.")
            errors[member.slug] = parsing.amount_error(text, table, region, example)
        else:
            balances[member.slug] = -amount if data.get(f"side-{member.slug}") == OWES else amount
    return balances, errors


@request_handling.require_form
def opening_balances(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the form. On POST, record the balances.

    If a name was typed, add that member instead, and show the form again with its input.
    """
    table = authorization.get_table(request.user, table_code, for_owning=True)[0]
    data = request.POST
    if request.method != "POST":
        return _show(request, table)
    name = data.get("name", "").strip()
    if name or not data.keys().isdisjoint(("add", "back")):
        try:
            return _show(request, table, added=add_from_form(data, table).name)
        except RuleError as refusal:
            errors = {NAME_ERROR: texts.translate(refusal.text)}
            return _show(request, table, errors=errors, retired=lobby.find_retired(name, table))
    balances, errors = parse_balances(data, table)
    if errors:
        return _show(request, table, errors=errors)
    try:
        seen = request_handling.parse_int(data.get("seen", ""), most_digits=8)
        saved = starting_balances.record(
            table,
            balances,
            seen=seen,
            key=request_handling.form_key(request),
            by=request_handling.current_user(request),
        )
    except (RuleError, StaleAccounts, IdempotencyKeyReused) as refusal:
        return _show(request, table, refusal=refusal_for(refusal, table))
    return redirect(f"{reverse('accounts', args=[table.code])}?opened={saved.number}")


@require_POST
def undo_balances(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    table = authorization.get_table(request.user, table_code, for_owning=True)[0]
    try:
        starting_balances.void(table, number, by=request_handling.current_user(request))
    except RuleError as refusal:
        return _show(request, table, refusal=refusal_for(refusal, table))
    return redirect("opening-balances", table.code)


def _show(
    request: HttpRequest,
    table: Table,
    *,
    errors: Mapping[str, str] | None = None,
    refusal: PageRefusal | None = None,
    added: str = "",
    retired: Member | None = None,
) -> HttpResponse:
    """Show the form with its input. `errors` are messages by member's slug or at NAME_ERROR."""
    errors = errors or {}
    # read before the accounts, so that a concurrent entry makes the form stale
    seen, accounts = accounting.latest_entry_number(table), accounting.load_accounts(table)
    rows = [
        _member_row(member, accounts, request.POST, errors.get(member.slug, ""))
        for member in table.members.active()
    ]
    context = {
        "table": table,
        "rows": rows,
        "sentences": [*filter(None, [errors.get(NAME_ERROR), *(row["sentence"] for row in rows)])],
        "script_data": json.dumps({"decimals": table.decimals, "words": _script_words()}),
        "keyboard": parsing.input_mode(table),
        "openings": [
            _entry_item(entry, accounts.people, table) for entry in starting_balances.list_valid(table)
        ],
        "added": added,
        "retired": retired,
        "name": "" if added else request.POST.get("name", ""),
        "errors": {"name": errors.get(NAME_ERROR, "")},
        "seen": seen,
        "key": locks.new_form_key(),
    }
    status = request_handling.UNPROCESSABLE if errors else 200
    return request_handling.render_page(
        request, "money/opening_balances.html", context, refusal, status=status
    )


def _member_row(member: Member, accounts: Accounts, data: Mapping[str, str], error: str) -> dict[str, object]:
    balance = accounts.balances[member.slug]
    return {
        "member": member,
        "balance": amounts.money(balance, member.table, signed=True) if balance else "",
        "amount": data.get(f"amount-{member.slug}", ""),
        "owes": data.get(f"side-{member.slug}") == OWES,
        "error": error,
        "person": roster.to_person(member),
        "sentence": f"{naming.isolate(member.name)}: {error}" if error else "",
    }


def _script_words() -> dict[str, str]:
    """Return what the rows and the closer say as one types (`scripts/money/balances.js`)."""
    return {
        "owes": _("owes"),
        "owed": _("is owed"),
        "short": _("{rest} short of zero"),
        "save": _("Save {owed} among {count} people"),
        "rest_owes": _("{name} owes the rest"),
        "rest_owed": _("{name} is owed the rest"),
    }


def _entry_item(entry: Entry, people: People, table: Table) -> dict[str, object]:
    by = naming.isolate(users.name_at_table(entry.by, people)) if entry.by else ""
    return {
        "number": entry.number,
        "recorded": ", ".join(filter(None, (days.format_datetime(entry.at, table), by))),
        "balances": [
            (people.by_slug[slug].name, amounts.money(amount, table, signed=True))
            for slug, amount in entry.differences.items()
        ],
    }
