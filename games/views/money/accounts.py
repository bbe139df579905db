"""The accounts of a table: payments to be made, balances, open questions, and changes of the plan."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db.models import Count, Window
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models import Payment, Role, Table
from games.money.balances import (
    People,
    read_accounts,
    waiting_for,
)
from games.money.closings import closing_of, last_night
from games.people.access import WRITERS, accounts_open_to
from games.shown.common.amounts import money
from games.shown.common.days import day_in_words, moment_in_words
from games.shown.money import accounts as shown
from games.shown.money.nights import no_longer_in_words
from games.shown.money.plans import fewest_in_words, plan_change, plan_lines
from games.shown.people.claims import claims_of
from games.views.common.opened import user_of
from games.views.common.paying import asked_page, payers_for

PAYMENTS_SHOWN = 5
CHANGES_SHOWN = 10


@require_GET
def accounts(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the plan of payments, all balances, the last payments and the last night."""
    table, role = accounts_open_to(request, table_code)
    books = read_accounts(table, People(tuple(table.members.select_related("user"))))
    payments = list(table.payments.all()[:PAYMENTS_SHOWN])
    payers = payers_for(user_of(request), role, books.people)
    context = {
        "table": table,
        "may_pay": bool(payers),
        **_waiting(user_of(request), role, books.people, table),
        "lines": plan_lines(books, table, payers=payers),
        "may_claim": role not in WRITERS,
        "to_pay": len(books.to_pay),
        "fewest": fewest_in_words(books),
        "change": books.plan and plan_change(books.plan, books.people, table),
        "balances": shown.balance_rows(books, table),
        "retired": shown.retired_rows(books, table),
        "total": money(sum(books.balances.values()), table),
        "payments": [shown.payment_row(payment, books.people, table) for payment in payments],
        "night": _last_night(table, books.people, may_close=role in WRITERS),
        "done": _just_paid(request, role, payments, books.people),
        "message": shown.message_of(books, table),
    }
    return render(request, "games/money/accounts.html", context)


def _waiting(user: User, role: Role, people: People, table: Table) -> dict[str, object]:
    """Return the open questions to this user: payments to confirm, and claims to be a member.

    `waiting` is the number of all such payments; `to_confirm` has only the newest.
    """
    unanswered = waiting_for(user, table, people, is_keeper=role in WRITERS)
    payments = list(unanswered.annotate(count=Window(Count("pk")))[:PAYMENTS_SHOWN])
    claims = claims_of(people.own, besides=user) if role is Role.OWNER else ()
    return {
        "waiting": payments[0].count if payments else 0,
        "to_confirm": [shown.payment_row(payment, people, table) for payment in payments],
        "claims": [claim for claim in claims if not claim.is_agreed],
    }


def _last_night(table: Table, people: People, *, may_close: bool) -> dict[str, object] | None:
    """Return the newest night, its closing time, and why the closing no longer holds, if so.

    Return None without nights.
    """
    night = last_night(table)
    if night is None:
        return None
    closing = closing_of(night, table, people)
    return {
        "day": day_in_words(night),
        "night": night.isoformat(),
        "closed": closing and moment_in_words(closing.note.made_at, table),
        "no_longer": no_longer_in_words(closing, may_close=may_close)
        if closing and not closing.holds
        else "",
    }


def _just_paid(
    request: HttpRequest, role: Role, payments: Sequence[Payment], people: People
) -> dict[str, object] | None:
    """Return the payment in the query string, if it is one of the last payments of the table; else None.

    `action` is the address that cancels or withdraws the payment, or "" if the user may not.
    """
    done = request.GET.get("done", "")
    payment = next((payment for payment in payments if str(payment.pk) == done and payment.stands), None)
    if payment is None:
        return None
    names = {
        "payment": shown.payment_in_words(payment, people),
        "amount": money(payment.amount, payment.table),
    }
    words = (
        _("Said: %(payment)s, %(amount)s. It waits to be confirmed.")
        if payment.is_claimed
        else _("Recorded: %(payment)s, %(amount)s")
    )
    is_own_claim = payment.is_claimed and payment.recorded_by_id == user_of(request).pk
    may_take_back = role in WRITERS or is_own_claim
    action = reverse("cancel-payment", args=[payment.table.code, payment.pk]) if may_take_back else ""
    return {"said": words % names, "action": action}


# --- changes of the plan ----------------------------------------------------------------------------------


@require_GET
def plan_changes(request: HttpRequest, table_code: str) -> HttpResponse:
    """List the changes of the plan, each with its time, reason and payments."""
    table, _role = accounts_open_to(request, table_code)
    people, page = People.of(table), asked_page(request)
    start = (page - 1) * CHANGES_SHOWN
    plans = list(table.plans.select_related("game", "payment", "cost")[start : start + CHANGES_SHOWN + 1])
    changes = (plan_change(plan, people, table) for plan in plans[:CHANGES_SHOWN])
    context = {
        "table": table,
        "changes": [change for change in changes if change is not None],
        "older": page + 1 if len(plans) > CHANGES_SHOWN else None,
        "newer": page - 1 if page > 1 else None,
    }
    return render(request, "games/money/plan_changes.html", context)
