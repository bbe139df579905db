"""News for a payer: payments that did not arrive, and the outcome of each dispute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.common import amounts, naming
from games.common.naming import Person
from games.models import Member, Method, Payment, PaymentState, Table
from games.money.presenters import account_display
from games.money.services import accounting
from games.tables.services import roster
from games.tables.services.roster import People


@dataclass(frozen=True)
class PaymentNotice:
    """News about a payment for its payer: a sentence, details, and the available actions.

    While the dispute is open, the payer can send the text `proof` to the payee or void the payment. After the
    outcome they can dismiss the notice; `retry` is the URL of the form prefilled with the payment, and
    `retry_label` says that it was paid again.
    """

    payee: Person
    text: str
    detail: str
    href: str
    is_open: bool
    proof: str = ""
    retry: str = ""
    retry_label: str = ""


def payment_notices(member: Member, people: People, table: Table) -> list[PaymentNotice]:
    return [_notice(payment, people, table) for payment in accounting.payments_with_news(member, people)]


def _notice(payment: Payment, people: People, table: Table) -> PaymentNotice:
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    is_open = payment.state is PaymentState.DISPUTED
    amount, made = amounts.money(payment.amount, table), account_display.paid_on_label(payment, table)
    proof = _("%(payer)s → %(payee)s: %(amount)s, %(method)s, %(day)s") % {
        "payer": naming.isolate(payer.name),
        "payee": naming.isolate(payee.name),
        "amount": amount,
        "method": account_display.method_label(payment.method),
        "day": made,
    }
    is_refused = is_open or (payment.ended_at is not None and payment.ended_by_id in payee.user_ids)
    return PaymentNotice(
        roster.to_person(payee),
        _sentence(payment, is_refused=is_refused) % {"name": naming.isolate(payee.name), "amount": amount},
        " · ".join(_details(payment, made)),
        account_display.payment_url(payment, table),
        is_open,
        proof=proof if is_open else "",
        retry=account_display.pay_url(table, payer, payee, payment.amount, method=payment.method)
        if is_refused and not is_open
        else "",
        retry_label=_("I sent it again")
        if payment.method == Method.TRANSFER
        else _("I gave it to them again"),
    )


def _sentence(payment: Payment, *, is_refused: bool) -> str:
    if is_refused:
        return _("%(name)s says that your %(amount)s didn't arrive")
    if payment.ended_at is not None:
        return _("Your payment of %(amount)s to %(name)s was voided")
    return _("Your payment of %(amount)s to %(name)s counts after all")


def _details(payment: Payment, made: str) -> Iterator[str]:
    yield account_display.method_label(payment.method)
    yield made
    if note := payment.objection or payment.reason:
        yield f"“{note}”"
