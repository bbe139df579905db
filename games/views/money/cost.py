"""The page of one shared cost, and the HTML form to amend it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.models import Role, SharedCost
from games.money import costs as services
from games.money.balances import People, StaleAccounts
from games.money.costs import CostWords, amendments_of
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.amounts import money
from games.shown.common.days import day_in_words, moment_in_words
from games.shown.common.members import known_as, person_of
from games.shown.money.costs import cost_steps_shown, cost_title, cost_typed, effect_in_words, parts_shown
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import Refused, sent_after
from games.views.money.costs import cost_or_404, fields_shown, read_cost


@require_GET
def cost(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Show a shared cost: the payer, everybody's part, and its history (recorded, amended, cancelled)."""
    table, role = accounts_open_to(request, table_code)
    return _show_cost(request, role, cost_or_404(table, number))


@require_POST
def cancel_cost(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Cancel a wrong shared cost."""
    table, _role = accounts_open_to(request, table_code, for_writing=True)
    services.cancel_cost(cost_or_404(table, number), by=user_of(request))
    return redirect("cost", table_code, number)


@require_http_methods(["GET", "HEAD", "POST"])
def amend_cost(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Amend who paid a shared cost, how much, for whom, or its note; the earlier values stay visible."""
    table, _role = accounts_open_to(request, table_code, for_writing=True)
    cost = cost_or_404(table, number)
    if not cost.counts:
        return redirect("cost", table_code, number)
    if request.method != "POST":
        return _show_form(request, cost)
    words = read_cost(request.POST, table, People.of(table))
    if isinstance(words, Refused):
        return _show_form(request, cost, words)
    if "look" in request.POST:
        return _show_form(request, cost, words=words)
    text = request.POST.get("text", "")
    try:
        services.amend_cost(cost, words, after=sent_after(request), by=user_of(request), text=text)
    except (RuleError, StaleAccounts) as refusal:
        cost.refresh_from_db()
        return _show_form(request, cost, refused_at(refusal, table))
    return redirect(f"{reverse('cost', args=[table_code, number])}?done=amended")


def _show_form(
    request: HttpRequest, cost: SharedCost, refused: Refused | None = None, *, words: CostWords | None = None
) -> HttpResponse:
    table, people = cost.table, People.of(cost.table)
    present = CostWords.of(cost, people)
    context = {
        "table": table,
        "cost": cost,
        "title": cost_title(cost),
        "after": len(amendments_of(cost)),
        "text": request.POST.get("text", ""),
        **fields_shown(
            request, people, (present.payer, *present.sharers), refused, cost_typed(present, table)
        ),
        "effect": words and effect_in_words(words, people, table, instead_of=cost),
    }
    return render(request, "games/money/amend_cost.html", context, status=refused.status if refused else 200)


def _show_cost(request: HttpRequest, role: Role, cost: SharedCost) -> HttpResponse:
    table, people = cost.table, People.of(cost.table)
    may_change = role in WRITERS and cost.counts
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
        "steps": cost_steps_shown(cost, people),
        "may_change": may_change,
        "undo": _undo(request, cost, people) if may_change else None,
    }
    return render(request, "games/money/cost.html", context)


def _undo(request: HttpRequest, cost: SharedCost, people: People) -> dict[str, object] | None:
    """Return the template variables of the form that undoes a recording or amendment made just now.

    Return None if the query string does not say that the cost was just recorded or amended.
    """
    steps, done = amendments_of(cost), request.GET.get("done")
    if done == "recorded" and not steps:
        action = reverse("cancel-cost", args=[cost.table.code, cost.pk])
        return {"said": _("Recorded"), "action": action, "fields": {}}
    if done == "amended" and steps:
        fields = {**cost_typed(CostWords.of(steps[-1], people), cost.table), "after": len(steps)}
        action = reverse("amend-cost", args=[cost.table.code, cost.pk])
        sentence = _("Amended. The earlier version stays visible.")
        return {"said": sentence, "action": action, "fields": fields}
    return None
