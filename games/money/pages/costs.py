"""Recording a shared cost (gasto compartido), such as the dinner."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.common.keys import KeyReused
from games.common.refused import UNPROCESSABLE, Refused
from games.common.sent import sent_key, user_of
from games.common.typed import read_day, read_typed
from games.models import Table
from games.money import costs as services
from games.money.costs import CostWords
from games.money.pages.accounts import show_accounts
from games.money.pages.cost_words import FOR
from games.money.pages.forms import expense_sheet
from games.money.pages.paying import refused_at, wrong_day, wrong_paid
from games.scoring.errors import RuleError
from games.tables.access import accounts_for
from games.tables.people import People


@require_POST
def share_cost(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a shared cost of a night, or an amount of a debt that several forgive."""
    table, _role = accounts_for(request.user, table_code, for_writing=True)
    people = People.of(table)
    read = _read_cost(request.POST, table, people)
    try:
        if not isinstance(read, Refused):
            cost = services.share_cost(table, *read, key=sent_key(request), by=user_of(request))
            return redirect(f"{reverse('accounts', args=[table_code])}?shared={cost.pk}#debts")
        refused = read
    except (RuleError, KeyReused) as refusal:
        refused = refused_at(refusal, table)
    sheet = expense_sheet(request, table, people, refused)
    return show_accounts(request, table_code, expense=sheet)


def _read_cost(sent: Mapping[str, str], table: Table, people: People) -> tuple[date, CostWords] | Refused:
    """Return the night and the shared cost in the form data, or the errors by field."""
    payer, amount = people.by_slug.get(sent.get("payer", "")), read_typed(sent, table)
    night, errors = read_day(sent.get("night", "")), {}
    if payer is None:
        errors["payer"] = _("Choose who paid.")
    if not amount:
        errors["amount"] = wrong_paid(sent, table)
    sharers = [member for slug, member in people.by_slug.items() if f"{FOR}{slug}" in sent]
    if not sharers:
        errors["sharers"] = _("Choose for whom it was paid.")
    if night is None:
        errors["night"] = wrong_day()
    if errors or payer is None or not amount or night is None:
        return Refused(UNPROCESSABLE, errors)
    words = CostWords(payer, amount, tuple(sharers), sent.get("note", ""), is_forgiven="forgiven" in sent)
    return night, words
