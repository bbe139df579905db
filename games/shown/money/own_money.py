"""A user's own money at a table in words, each line with a link to the page where it is settled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Table
from games.money.balances import Line
from games.money.own_money import OwnMoney, Unconfirmed
from games.names import isolated
from games.shown.common.amounts import money
from games.shown.common.people import all_of
from games.shown.money.accounts import account_page, pay_page

MOST_NAMED = 2


@dataclass(frozen=True)
class OwnRow:
    """One line of a user's own money: the text, the amount, its colour as a CSS class, and a link."""

    text: str
    amount: str
    tone: str
    href: str


def own_rows(own: OwnMoney, table: Table) -> tuple[OwnRow, ...]:
    """Return up to three lines: payments for the user to confirm, the user's debts, and money owed to them.

    A line without any such payment or debt is left out.
    """
    return tuple(_rows(own, table))


def _rows(own: OwnMoney, table: Table) -> Iterator[OwnRow]:
    if own.unconfirmed:
        yield _unconfirmed(own.unconfirmed, table)
    if own.to_pay:
        only, *others = own.to_pay
        names = _whom([isolated(line.payee.name) for line in own.to_pay])
        yield OwnRow(
            _("You owe %(names)s") % {"names": names},
            money(_sum(own.to_pay), table),
            "red",
            account_page(table, own.member.slug)
            if others
            else pay_page(table, only.payer, only.payee, only.unsaid),
        )
    if own.to_receive:
        only, *others = own.to_receive
        names = _whom([isolated(line.payer.name) for line in own.to_receive])
        template = ngettext("%(names)s owes you", "%(names)s owe you", len(own.to_receive))
        yield OwnRow(
            template % {"names": names},
            money(_sum(own.to_receive), table),
            "green",
            account_page(table, own.member.slug if others else only.payer.slug),
        )


def _unconfirmed(unconfirmed: Unconfirmed, table: Table) -> OwnRow:
    count = unconfirmed.count
    text = ngettext("A payment to confirm", "%(count)s payments to confirm", count) % {"count": count}
    page = reverse("payment", args=[table.code, unconfirmed.newest])
    waiting = f"{reverse('accounts', args=[table.code])}#to-confirm"
    return OwnRow(text, money(unconfirmed.amount, table), "gold", page if count == 1 else waiting)


def _whom(names: Sequence[str]) -> str:
    """Return the names joined or, for more than two, only their number: `3 people`."""
    if len(names) <= MOST_NAMED:
        return all_of(names)
    return ngettext("%(count)s person", "%(count)s people", len(names)) % {"count": len(names)}


def _sum(lines: Sequence[Line]) -> int:
    return sum(line.unsaid for line in lines)
