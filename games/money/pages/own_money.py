"""A user's own money at a table: what they owe, what they are owed, and what waits for an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.common.amounts import money
from games.common.names import isolated
from games.common.people import Person
from games.models import Payment, Table
from games.money.balances import Owed
from games.money.own_money import OwnMoney
from games.money.pages.debt_rows import claimed_in_words
from games.money.pages.rows import account_page, pay_page
from games.tables.pages.people import person_of


@dataclass(frozen=True)
class OwnRow:
    """One line of a user's own money: the other person, the text, the amount, its colour, and a link.

    What the user owes has the other's `account`, if it is known. With `tick`, the user can say by one tap
    that they paid it all.
    """

    person: Person
    text: str
    amount: str
    tone: str
    href: str
    detail: str = ""
    account: str = ""
    tick: Owed | None = None


def own_rows(own: OwnMoney, table: Table) -> tuple[OwnRow, ...]:
    """Return what waits for the user's answer, what they owe and are owed, and what they say to have paid."""
    return (
        *(_answer(claim, own, table) for claim in own.to_answer),
        *_owed(own, table),
        *(_claim(claim, own, table) for claim in own.claims),
    )


def _owed(own: OwnMoney, table: Table) -> Iterator[OwnRow]:
    for debt in sorted(own.to_pay, key=lambda debt: -debt.unsaid):
        yield OwnRow(
            person_of(debt.payee),
            _("You owe %(names)s") % {"names": isolated(debt.payee.name)},
            money(debt.unsaid, table),
            "red",
            pay_page(table, debt.payer, debt.payee, debt.unsaid),
            account=debt.payee.account,
            tick=None if debt.claimed else debt,
        )
    for debt in sorted(own.to_receive, key=lambda debt: -debt.unsaid):
        yield OwnRow(
            person_of(debt.payer),
            _("%(name)s owes you") % {"name": isolated(debt.payer.name)},
            money(debt.unsaid, table),
            "green",
            account_page(table, debt.payer.slug),
            detail=claimed_in_words(debt, table),
        )


def _answer(claim: Payment, own: OwnMoney, table: Table) -> OwnRow:
    payer = own.people.by_pk[claim.payer_id]
    text = _("Did %(name)s pay you?") % {"name": isolated(payer.name)}
    return OwnRow(person_of(payer), text, money(claim.amount, table), "gold", _page(claim, table))


def _claim(claim: Payment, own: OwnMoney, table: Table) -> OwnRow:
    payee = own.people.by_pk[claim.payee_id]
    name = {"name": isolated(payee.name)}
    text, detail = _("You paid %(name)s") % name, _("%(name)s still has to confirm it") % name
    return OwnRow(
        person_of(payee), text, money(claim.amount, table), "soft", _page(claim, table), detail=detail
    )


def _page(payment: Payment, table: Table) -> str:
    return reverse("payment", args=[table.code, payment.pk])
