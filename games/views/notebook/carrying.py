"""Carrying balances over to a new table in another currency: HTML form, preview, and the new table."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.keys import KeyReused, new_key
from games.models import DECIMALS, Table
from games.money.balances import StaleAccounts
from games.notebook import carrying
from games.notebook.carrying import NewTable
from games.people.access import get_table_or_404
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.shown.common.typed import read_rate
from games.shown.notebook.carrying import carried_shown
from games.views.common.opened import user_of
from games.views.common.recording import CONFLICT, UNPROCESSABLE, sent_key

FIELDS = ("name", "unit", "decimals", "rate")


@require_http_methods(["GET", "HEAD", "POST"])
def carry_over(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the HTML form, then the preview, then create the new table."""
    table = get_table_or_404(request, table_code, for_owning=True)
    sent = request.POST if request.method == "POST" else request.GET
    if "rate" not in sent:
        return _form(request, table, {"decimals": "0"})
    wanted = _read(sent)
    if wanted is None:
        message = _("Write a number, such as 1450 or 1450.50.")
        return _form(request, table, sent, {"rate": message}, status=UNPROCESSABLE)
    try:
        if request.method == "POST":
            return _carry(request, table, wanted)
        return _look(request, table, wanted)
    except RuleError as refusal:
        return _form(request, table, sent, {refusal.field: translate(refusal.text)}, status=UNPROCESSABLE)


def _carry(request: HttpRequest, table: Table, wanted: NewTable) -> HttpResponse:
    try:
        seen = request.POST.get("seen", "")
        new_table = carrying.carry_over(table, wanted, seen=seen, key=sent_key(request), by=user_of(request))
    except (StaleAccounts, KeyReused):
        notice = _("The result has changed since you saw it. Nothing was saved; check it again.")
        return _look(request, table, wanted, notice, status=CONFLICT)
    return redirect(reverse("table", args=[new_table.code]))


def _look(
    request: HttpRequest, table: Table, wanted: NewTable, notice: str = "", *, status: int = 200
) -> HttpResponse:
    preview = carrying.preview_carry_over(table, wanted)
    sent = request.POST if request.method == "POST" else request.GET
    context = {
        "table": table,
        "carried": carried_shown(preview, table),
        "wanted": preview.wanted,
        "sent": {name: sent.get(name, "") for name in FIELDS},
        "seen": preview.seen,
        "key": new_key(),
        "notice": notice,
    }
    return render(request, "games/notebook/carry_over.html", context, status=status)


def _form(
    request: HttpRequest,
    table: Table,
    sent: Mapping[str, str],
    errors: Mapping[str, str] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    errors = errors or {}
    context = {
        "table": table,
        "sent": {name: sent.get(name, "") for name in FIELDS},
        "errors": errors,
        "refused": next((message for field, message in errors.items() if field not in FIELDS), ""),
    }
    return render(request, "games/notebook/carry_over.html", context, status=status)


def _read(sent: Mapping[str, str]) -> NewTable | None:
    """Return the values of the HTML form; None if the exchange rate is not a number."""
    rate, decimals = read_rate(sent.get("rate", "")), sent.get("decimals", "")
    if rate is None:
        return None
    known = {str(number): number for number in range(DECIMALS + 1)}
    return NewTable(sent.get("name", ""), sent.get("unit", ""), known.get(decimals, -1), rate)
