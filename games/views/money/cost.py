"""The page of one shared cost, and taking it back."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.models import NOTE_LENGTH, Role, SharedCost
from games.money import costs as services
from games.money.balances import People
from games.money.costs import CostWords
from games.money.payments import is_free
from games.people.access import accounts_open_to
from games.people.roles import WRITERS
from games.scoring.errors import RuleError
from games.shown.common.amounts import money
from games.shown.common.days import day_in_words, moment_in_words
from games.shown.common.members import known_as, person_of
from games.shown.money.costs import cost_title, cost_typed, ended_in_words, parts_shown
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import Refused
from games.views.money.costs import cost_or_404


@require_GET
def cost(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Show a shared cost: the payer, everybody's part, and whether it was taken back."""
    table, role = accounts_open_to(request, table_code)
    return _show_cost(request, role, cost_or_404(table, number))


@require_POST
def cancel_cost(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Take a wrong shared cost back."""
    table, role = accounts_open_to(request, table_code, for_writing=True)
    cost = cost_or_404(table, number)
    try:
        services.cancel_cost(cost, by=user_of(request), reason=request.POST.get("reason", ""))
    except RuleError as refusal:
        return _show_cost(request, role, cost, refused_at(refusal, table))
    return redirect("cost", table_code, number)


def _show_cost(
    request: HttpRequest, role: Role, cost: SharedCost, refused: Refused | None = None
) -> HttpResponse:
    table, people = cost.table, People.of(cost.table)
    context = {
        "table": table,
        "cost": cost,
        "title": cost_title(cost),
        "payer": person_of(people.by_pk[cost.payer_id]),
        "amount": money(cost.amount, table),
        "parts": parts_shown(cost, people, table),
        "day": day_in_words(cost.night),
        "night": cost.night.isoformat(),
        "recorded": moment_in_words(cost.recorded_at, table),
        "by": known_as(cost.recorded_by, people),
        "ended": ended_in_words(cost, people),
        **(_actions(request, cost, people) if role in WRITERS else {}),
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("reason"),
    }
    return render(request, "games/money/cost.html", context, status=refused.status if refused else 200)


def _actions(request: HttpRequest, cost: SharedCost, people: People) -> dict[str, object]:
    """Return the template variables of what may be done with the cost: take it back, or enter it again."""
    if not cost.counts:
        form = reverse("share-cost", args=[cost.table.code, cost.night.isoformat()])
        return {"again": f"{form}?{urlencode(cost_typed(CostWords.of(cost, people), cost.table))}"}
    return {
        "may_cancel": True,
        "needs_reason": not is_free(cost, user_of(request)),
        "typed": request.POST.get("reason", ""),
        "longest": NOTE_LENGTH,
        "undo": _undo(request, cost),
    }


def _undo(request: HttpRequest, cost: SharedCost) -> dict[str, object] | None:
    """Return the template variables of the form that takes back the cost that was just recorded.

    Return None if the query string does not say that it was.
    """
    if request.GET.get("done") != "recorded":
        return None
    action = reverse("cancel-cost", args=[cost.table.code, cost.pk])
    return {"said": _("Recorded"), "action": action, "fields": {}}
