"""Helpers for the pages of the accounts: the form of a payment, refusals, who may record, and pagination."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.common.amounts import money_of
from games.common.keys import KeyReused
from games.common.refused import CONFLICT, UNPROCESSABLE, Refused
from games.common.roles import WRITERS
from games.common.sent import whole_number
from games.common.sentences import translate
from games.common.typed import read_day, read_typed, region_typed_in, wrong_amount
from games.models import Method, Role, Table
from games.money.balances import StaleAccounts
from games.money.booking import PaymentTyped
from games.money.payments import MoreThanOwed
from games.scoring.errors import ScoringError
from games.tables.people import People

PAGE = 30
MOST_PAGES = 10_000


def refused_at(refusal: ScoringError | StaleAccounts | KeyReused, table: Table) -> Refused:
    """Return the refusal (HTTP status and messages) with which a page of the table shows this exception."""
    match refusal:
        case StaleAccounts():
            return Refused(
                CONFLICT, news=_("Not recorded: the accounts have changed. This is how they are now.")
            )
        case KeyReused():
            return Refused(
                CONFLICT, {"": _("This form already recorded another payment. Check the payments.")}
            )
        case _error:
            return Refused(UNPROCESSABLE, {refusal.field: translate(refusal.text, money_of(table))})


def may_pay(user: User, role: Role, people: People) -> bool:
    """Return whether this user may record any payment: as one who may record, or as a member."""
    return role in WRITERS or any(member.is_of(user) for member in people.own)


def asked_page(request: HttpRequest) -> int:
    """Return the page number in the query string, counted from 1; 1 if it is missing or no number."""
    return min(max(whole_number(request.GET.get("page", ""), most_digits=8), 1), MOST_PAGES)


# --- the form of a payment, also one that waited on a phone -----------------------------------------------------------


def is_about(typed: PaymentTyped | MoreThanOwed) -> str:
    """Return the value that the form sends to confirm a payment of more than is owed.

    It names the payer, the payee and the amount. If the user changes one of them, the value no longer matches,
    and the user is asked again.
    """
    return f"{typed.payer.slug} {typed.payee.slug} {typed.amount}"


def read_payment(sent: Mapping[str, str], table: Table, people: People) -> PaymentTyped | Refused:
    """Return the payment in the form data, or the errors by field."""
    payer, payee = (people.by_slug.get(sent.get(field, "")) for field in ("payer", "payee"))
    amount, method = read_typed(sent, table), sent.get("method", "")
    typed_day = sent.get("day", "").strip()
    day = read_day(typed_day)
    errors = {}
    if payer is None:
        errors["payer"] = _("Choose who paid.")
    if payee is None:
        errors["payee"] = _("Choose who was paid.")
    if not amount:
        errors["amount"] = wrong_paid(sent, table)
    if method not in set(Method):
        errors["method"] = _("Choose how it was paid.")
    if typed_day and day is None:
        errors["day"] = wrong_day()
    if errors or payer is None or payee is None or not amount:
        return Refused(UNPROCESSABLE, errors)
    return PaymentTyped(payer, payee, amount, Method(method), sent.get("note", ""), day)


def wrong_paid(sent: Mapping[str, str], table: Table) -> str:
    """Return what is wrong with the amount that was paid, as it was typed."""
    otherwise = _("Enter the amount paid, such as %(example)s.")
    return wrong_amount(sent.get("amount", ""), table, region_typed_in(sent), otherwise)


def wrong_day() -> str:
    """Return the message at a field whose text is no day."""
    return _("Write the day like this: 2024-05-31.")
