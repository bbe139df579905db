"""The accounts of a table: the plan (who pays whom), the balances, and open questions.

The open questions are payments to confirm, and claims: users who say which member they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db.models import Count, Window
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models import Payment, PaymentState, Role, Table
from games.money.balances import (
    Accounts,
    People,
    read_accounts,
    waiting_for,
)
from games.money.payments import is_free
from games.nights import last_night
from games.people.access import WRITERS, accounts_open_to
from games.shown.common.amounts import money
from games.shown.money import accounts as shown
from games.shown.money.nights import NightRow, night_rows
from games.shown.money.plans import fewest_in_words, plan_lines
from games.shown.people.claims import Claim, claims_of
from games.views.common.opened import user_of
from games.views.common.paying import may_pay

PAYMENTS_SHOWN = 5


@require_GET
def accounts(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the plan of payments, all balances, the last payments and the last night."""
    table, role = accounts_open_to(request, table_code)
    books = read_accounts(table, People(tuple(table.members.select_related("user"))))
    payments = list(table.payments.all()[:PAYMENTS_SHOWN])
    context = {
        "table": table,
        "may_pay": may_pay(user_of(request), role, books.people),
        "claims": _unanswered_claims(user_of(request), role, books.people),
        **_plan_and_payments(user_of(request), role, table, books, payments),
        "to_pay": len(books.to_pay),
        "fewest": fewest_in_words(books),
        "balances": shown.balance_rows(books, table),
        "retired": shown.retired_rows(books, table),
        "total": money(sum(books.balances.values()), table),
        "night": _last_night(table, books.people),
        "done": _just_paid(request, payments, books.people),
        "message": shown.message_of(books, table),
    }
    return render(request, "games/money/accounts.html", context)


def _plan_and_payments(
    user: User,
    role: Role,
    table: Table,
    books: Accounts,
    payments: Sequence[Payment],
) -> dict[str, object]:
    """Return the template variables of three lists: payments to confirm, the plan, and the last payments.

    A payment that waits for an answer is shown only in the first of these lists that has it. `payments` are
    the last payments of the table.
    """
    people = books.people
    waiting, unanswered = _payments_asked(user, role, people, table)
    lines = plan_lines(books, table, user=user, role=role, unanswered=unanswered)
    claimed = {(line.payer.id, line.payee.id) for line in lines if line.claimed}
    return {
        "waiting": waiting,
        "to_confirm": [shown.payment_row(payment, people, table) for payment in unanswered],
        "lines": lines,
        "has_payments": bool(payments),
        "payments": [
            shown.payment_row(payment, people, table)
            for payment in payments
            if payment not in unanswered
            and not (payment.state is PaymentState.CLAIMED and people.slugs_of(payment) in claimed)
        ],
    }


def _payments_asked(user: User, role: Role, people: People, table: Table) -> tuple[int, list[Payment]]:
    """Return the number of payments that wait for an answer of this user, and a list of the newest few."""
    rows = waiting_for(user, table, people, is_keeper=role in WRITERS)
    payments = list(rows.annotate(count=Window(Count("pk")))[:PAYMENTS_SHOWN])
    return payments[0].count if payments else 0, [*payments]


def _unanswered_claims(user: User, role: Role, people: People) -> list[Claim]:
    """Return the unconfirmed claims of other users to be a member; empty unless the user is an owner."""
    claims = claims_of(people.own, besides=user) if role is Role.OWNER else ()
    return [claim for claim in claims if not claim.is_agreed]


def _last_night(table: Table, people: People) -> NightRow | None:
    """Return the newest night as the list of nights shows it; None without nights."""
    night = last_night(table)
    return None if night is None else night_rows([night], table, people)[0]


def _just_paid(request: HttpRequest, payments: Sequence[Payment], people: People) -> dict[str, object] | None:
    """Return a notice about the payment named in the query string, if it is one of `payments`; else None.

    `action` is the address that takes the payment back, or "" if that needs a reason.
    """
    done = request.GET.get("done", "")
    payment = next(
        (payment for payment in payments if str(payment.pk) == done and payment.ended_at is None), None
    )
    if payment is None:
        return None
    names = {
        "payment": shown.payment_in_words(payment, people),
        "amount": money(payment.amount, payment.table),
    }
    words = (
        _("Reported: %(payment)s, %(amount)s. It counts when confirmed.")
        if payment.state is PaymentState.CLAIMED
        else _("Recorded: %(payment)s, %(amount)s")
    )
    action = reverse("take-back-payment", args=[payment.table.code, payment.pk])
    return {"said": words % names, "action": action if is_free(payment, user_of(request)) else ""}
