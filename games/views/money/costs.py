"""The HTML form of a shared cost, e.g. the dinner. `cost.py` has the page of each cost."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.keys import KeyReused, new_key
from games.models import NOTE_LENGTH, SharedCost, Table
from games.money import costs as services
from games.money.balances import People
from games.money.costs import CostWords
from games.money.dating import moment_on
from games.people.access import accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.days import day_in_words
from games.shown.common.members import person_of
from games.shown.common.typed import read_day, read_typed, region_typed_in, wrong_amount
from games.shown.money.costs import FOR, effect_in_words
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import UNPROCESSABLE, Refused, sent_key

FIELDS = ("payer", "amount", "sharers", "note")


@require_http_methods(["GET", "HEAD", "POST"])
def share_cost(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Record a shared cost of a night, or an amount of a debt that several forgive.

    If the form has `look`, only preview everybody's part of the cost and the balances after it. The query
    string may fill the form in.
    """
    table, _role = accounts_open_to(request, table_code, for_writing=True)
    night = read_day(day)
    if night is None:
        raise Http404
    if request.method != "POST":
        _check_night(night, table)
        return _show_form(request, table, night)
    people = People.of(table)
    words = _read_cost(request.POST, table, people)
    if isinstance(words, Refused):
        return _show_form(request, table, night, words)
    try:
        words = services.checked_words(words, people, user_of(request))
        if "look" in request.POST:
            return _show_form(request, table, night, words=words)
        cost = services.share_cost(table, night, words, key=sent_key(request), by=user_of(request))
    except (RuleError, KeyReused) as refusal:
        return _show_form(request, table, night, refused_at(refusal, table))
    return redirect(f"{reverse('cost', args=[table_code, cost.pk])}?done=recorded")


def _check_night(night: date, table: Table) -> None:
    """Raise Http404 if the night is in the future or before the table was opened."""
    try:
        moment_on(night, table, now())
    except RuleError as refusal:
        raise Http404 from refusal


def _read_cost(sent: Mapping[str, str], table: Table, people: People) -> CostWords | Refused:
    """Return the shared cost in the form data, or the errors by field."""
    payer, amount = people.by_slug.get(sent.get("payer", "")), read_typed(sent, table)
    errors = {}
    if payer is None:
        errors["payer"] = _("Choose who paid.")
    if not amount:
        errors["amount"] = wrong_amount(
            sent.get("amount", ""),
            table,
            region_typed_in(sent),
            _("Enter the amount paid, such as %(example)s."),
        )
    sharers = [member for slug, member in people.by_slug.items() if _is_ticked(slug, sent)]
    if not sharers:
        errors["sharers"] = _("Choose for whom it was paid.")
    if errors or payer is None or not amount:
        return Refused(UNPROCESSABLE, errors)
    return CostWords(payer, amount, tuple(sharers), sent.get("note", ""), is_forgiven="forgiven" in sent)


def _is_ticked(slug: str, sent: Mapping[str, str]) -> bool:
    """Return whether the form says that the member with this slug shares the cost."""
    return f"{FOR}{slug}" in sent


def _show_form(
    request: HttpRequest,
    table: Table,
    night: date,
    refused: Refused | None = None,
    *,
    words: CostWords | None = None,
) -> HttpResponse:
    people = People.of(table)
    context = {
        "table": table,
        "day": day_in_words(night),
        "night": night.isoformat(),
        "key": new_key(),
        **_choices(request, table, night, people),
        "longest": NOTE_LENGTH,
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside(*FIELDS),
        "effect": words and effect_in_words(words, people, table),
    }
    return render(request, "games/money/share_cost.html", context, status=refused.status if refused else 200)


def _choices(request: HttpRequest, table: Table, night: date, people: People) -> dict[str, object]:
    """Return the template variables of the people to choose from, and of what is filled in.

    In an empty form, all who played that night are ticked.
    """
    present = services.present_at(night, table, people)
    members = [member for member in people.own if member.retired_at is None or member in present]
    sent = _sent(request) or {f"{FOR}{member.slug}": "yes" for member in present}
    return {
        "was_played": bool(present),
        "people": [person_of(member) for member in members],
        "sharers": [member.slug for member in members if _is_ticked(member.slug, sent)],
        "sent": sent,
    }


def _sent(request: HttpRequest) -> Mapping[str, str]:
    """Return the fields of the sent form, or those with which the query string fills an empty form in."""
    if request.method == "POST":
        return request.POST.dict()
    return request.GET.dict() if "payer" in request.GET else {}


def cost_or_404(table: Table, number: int) -> SharedCost:
    """Return the shared cost with this primary key; raise Http404 if the table has none."""
    costs = table.costs.select_related("table", "payer", "recorded_by", "ended_by")
    return get_object_or_404(costs, pk=number)
