"""Read the payments and shared costs in a table's file. `value` is always the JSON object to read."""

from __future__ import annotations

from typing import Any

from games.common.fields import Fields, Unreadable
from games.files.contents import Contents
from games.files.parts import COST, PAYMENT, read_row
from games.models import MOST_MEMBERS, Method, Payment, SharedCost
from games.scoring.words import _


def read_payment(value: Any, contents: Contents) -> None:
    """Add one payment to the contents. Raise Unreadable if it is invalid."""
    payment = Payment(table=contents.table, **read_row(value, PAYMENT, contents))
    if payment.method not in set(Method):
        raise Unreadable(_("“{method}” is not a way of paying.", method=payment.method))
    _check(payment, contents)
    contents.payments.append(payment)


def _check(payment: Payment, contents: Contents) -> None:
    if payment.payer.slug == payment.payee.slug:
        raise Unreadable(_("Payer and payee are the same: choose two people."))
    was_open = payment.is_claim or payment.disputed_at is not None
    if payment.confirmed_at is not None and not was_open:
        raise Unreadable(_("A payment was confirmed that was neither claimed nor disputed."))
    if (payment.objection and payment.disputed_at is None) or (payment.reason and payment.ended_at is None):
        raise Unreadable(_("A payment has a reason for what was not done."))
    if payment.made_at > payment.recorded_at:
        raise Unreadable(_("A payment is recorded before it was made."))
    same = (payment.key, payment.payer.slug, payment.payee.slug)
    if same in contents.paid_together:
        raise Unreadable(_("Two payments between the same two people have the same time."))
    contents.paid_together.add(same)


def read_cost(value: Any, contents: Contents) -> None:
    """Add one shared cost to the contents. Raise Unreadable if it is invalid."""
    cost = SharedCost(table=contents.table, **read_row(value, COST, contents))
    contents.unused_key(cost.key, contents.cost_keys)
    values = Fields(value, *COST).list_of("sharers", most=MOST_MEMBERS)
    named = {contents.member(slug).slug for slug in values}
    if values != [slug for slug in contents.members if slug in named] or not named - {cost.payer.slug}:
        raise Unreadable(
            _("A cost is shared by members in the order in which they joined, not by its payer alone.")
        )
    if cost.made_at > cost.recorded_at:
        raise Unreadable(_("A cost is recorded before it was made."))
    if cost.ended_at is None:
        cost.reason = ""
    contents.costs.append(cost)
