"""The page of an expense: its history, the actions of the user, and the form that corrects it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.common import days, request_handling, roles
from games.common.locks import IdempotencyKeyReused
from games.models import ExpenseState, Role, SharedCost, Table
from games.money.forms import ExpenseForm, MovementActionForm
from games.money.presenters import expense_display
from games.money.presenters.debt_list import PageReader
from games.money.services import expense_corrections, expenses, payments, proposals
from games.money.services.expenses import Expense, StaleExpense
from games.money.services.payments import PaymentPermissions
from games.money.views import movement
from games.money.views.debt_pages import expense_undo_act, redirect_back
from games.scoring.errors import RuleError
from games.tables.services import authorization, roster
from games.tables.services.roster import People

VOIDING = ("", "take-back")


@request_handling.require_form
def cost(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Show an expense; an earlier version leads to the current one. On POST, take the action `act`.

    Without one the expense is voided. A list that answers an expense sends its `page`, and the response
    returns there.
    """
    is_sent = request.method == "POST"
    table, role = authorization.get_accounts(request.user, table_code)
    costs = table.costs.select_related(
        "table", "payer", *("recorded_by", "ended_by", "accepted_by", "refused_by")
    )
    cost = get_object_or_404(costs, pk=number)
    if not is_sent:
        if cost.replaced_at is not None:
            return redirect("cost", table_code, expenses.current_version(cost).pk)
        return _show_cost(request, role, cost, MovementActionForm())
    form, act = MovementActionForm(request.POST), request.POST.get("act", "")
    is_own = proposals.can_take_back(cost, People.of(table), by=request_handling.current_user(request))
    if act != "see" and not (is_own and act in VOIDING):
        roles.check_role(role, roles.WRITERS)
    try:
        cost = _change_cost(request, cost, act)
    except (RuleError, StaleExpense) as refusal:
        form.refuse(refusal)
        return _show_cost(request, role, expenses.current_version(cost), form)
    if "page" in request.POST:
        return redirect_back(request, cost, is_news=act != "see")
    return redirect("cost", table_code, cost.pk)


def _change_cost(request: HttpRequest, cost: SharedCost, act: str) -> SharedCost:
    user, data = request_handling.current_user(request), request.POST
    match act:
        case "accept":
            return proposals.accept(cost, by=user)
        case "refuse":
            return proposals.refuse(cost, by=user, objection=data.get("objection", ""))
        case "undo-answer":
            return proposals.undo_answer(cost, by=user)
        case "undo-correction":
            return expense_corrections.undo(cost, by=user)
        case "see":
            return proposals.mark_seen(cost, by=user)
    return expenses.void(cost, by=user, reason=data.get("reason", ""))


def _former_versions(cost: SharedCost, people: People) -> Iterator[tuple[str, str]]:
    """Yield what each version before this one said, and who corrected it when and why, newest first."""
    if cost.first is None:
        return
    versions = cost.table.costs.filter(Q(pk=cost.first_id) | Q(first=cost.first_id), pk__lt=cost.pk)
    for former in versions.exclude(replaced_at=None).select_related("replaced_by").order_by("-pk"):
        correction = movement.action_label(
            former.replaced_at, former.replaced_by, people, cost.table, former.reason
        )
        yield (
            _("Corrected"),
            f"{expense_display.expense_message_line(former, people, cost.table)} ({correction})",
        )


def _put_in_label(expense: Expense) -> str:
    if expense.is_forgiven:
        return _("is forgiven")
    return pgettext("several people", "paid") if len(expense.paid) > 1 else pgettext("expense", "paid")


def _expense_form_url(cost: SharedCost, expense: Expense, people: People) -> str:
    """Return the URL of the form prefilled with this expense."""
    initial = expense_display.expense_form_data(expense, cost.night, people, cost.table)
    return f"{reverse('accounts', args=[cost.table.code])}?{urlencode(initial)}"


def _show_cost(request: HttpRequest, role: Role, cost: SharedCost, form: MovementActionForm) -> HttpResponse:
    table, people = cost.table, People.of(cost.table)
    may_write, user = role in roles.WRITERS, request_handling.current_user(request)
    is_waiting = cost.state is ExpenseState.WAITS
    is_own = is_waiting and proposals.can_take_back(cost, people, by=user)
    facts = [(_("Recorded"), movement.action_label(cost.recorded_at, cost.recorded_by, people, table))]
    for act, done_at, by, text in (
        (_("Accepted"), cost.accepted_at, cost.accepted_by, ""),
        (_("Not recorded"), cost.refused_at, cost.refused_by, cost.objection),
    ):
        if done_at is not None:
            facts.append((act, movement.action_label(done_at, by, people, table, text)))
    if cost.ended_at is not None:
        facts.append(
            (_("Voided"), movement.action_label(cost.ended_at, cost.ended_by, people, table, cost.reason))
        )
    facts += _former_versions(cost, people)
    expense, may_correct = Expense.of(cost, people), may_write and (cost.counts or is_waiting)
    several = expense_display.person_amounts(expense.paid, table) if len(expense.paid) > 1 else []
    context = {
        "title": expense_display.expense_title(cost),
        "payer": roster.to_person(expense.payer),
        "others": [person for person, _amount in several if person.id != expense.payer.slug],
        "payers": several,
        "put_in": _put_in_label(expense),
        "row": expense_display.expense_item(cost, people, table),
        "is_over": not cost.counts and not is_waiting,
        "is_waiting": is_waiting,
        "is_answerable": is_waiting and may_write,
        "facts": facts,
        "parts": expense_display.person_amounts(expense.borne, table),
        "day": days.format_day(cost.night),
        "night": cost.night.isoformat(),
        "acts": PaymentPermissions(
            False,
            False,
            can_void=is_own or (may_write and cost.counts),
            needs_reason=not (is_own or payments.can_undo_freely(cost, user)),
        ),
        "correct": reverse("correct-cost", args=[table.code, cost.pk]) if may_correct else "",
        "undo": expense_undo_act(cost, people, user, role) or "",
        "again": _expense_form_url(cost, expense, people) if may_write and not cost.counts else "",
    }
    return movement.show(request, table, context, form)


# --- correcting -------------------------------------------------------------------------------------------------------


@request_handling.require_form
def correct_cost(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Show the form of an expense filled in with it. On POST, correct the expense."""
    table, role = authorization.get_accounts(request.user, table_code, for_writing=True)
    cost = get_object_or_404(table.costs.select_related("table", "payer"), pk=number)
    people, user = People.of(table), request_handling.current_user(request)
    reader = PageReader.of(user, role, people)
    if request.method != "POST":
        if not (cost.counts or cost.state is ExpenseState.WAITS):
            return redirect("cost", table_code, number)
        initial = expense_display.expense_form_data(Expense.of(cost, people), cost.night, people, table)
        form = ExpenseForm(table, people, initial=initial, cost=cost, reader=reader)
        return _show_correction(request, table, form)
    form = ExpenseForm(table, people, request.POST, cost=cost, reader=reader)
    if form.is_valid():
        _night, expense = form.expense_data
        try:
            key, reason = request_handling.form_key(request), form.cleaned_data.get("reason", "")
            new = expense_corrections.correct(cost, expense, key=key, by=user, reason=reason)
            return redirect("cost", table_code, new.pk)
        except (RuleError, IdempotencyKeyReused, StaleExpense) as refusal:
            form.refuse(refusal)
    return _show_correction(request, table, form)


def _show_correction(request: HttpRequest, table: Table, form: ExpenseForm) -> HttpResponse:
    return render(request, "money/correct_cost.html", {"table": table, "expense": form}, status=form.status)
