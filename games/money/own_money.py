"""A user's own money at a table: what they owe, what they are owed, and what waits for an answer."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q

from games.models import Member, Payment, Table
from games.money.balances import Owed, read_accounts
from games.tables.people import People


@dataclass(frozen=True)
class OwnMoney:
    """A member's debts at a table, and the claims that wait: those to answer, and their own.

    A debt that the payer claims to have paid in full is left out.
    """

    member: Member
    to_pay: tuple[Owed, ...]
    to_receive: tuple[Owed, ...]
    to_answer: tuple[Payment, ...]
    claims: tuple[Payment, ...]
    people: People

    @property
    def is_even(self) -> bool:
        """True if there is nothing to pay or to receive, and nothing waits."""
        return not (self.to_pay or self.to_receive or self.to_answer or self.claims)


def own_money_of(user: User, table: Table, people: People) -> OwnMoney | None:
    """Return the user's money at the table; None without anything to pay, to receive or to confirm.

    Only a member whom an owner confirmed to be this user has money. This takes three queries.
    """
    member = next((member for member in people.own if member.is_of(user)), None)
    if member is None:
        return None
    to_pay, rows = read_accounts(table, people).to_pay, people.rows_of(member)
    claims = list(Payment.objects.claimed().filter(Q(payer__in=rows) | Q(payee__in=rows)))
    own = OwnMoney(
        member,
        tuple(debt for debt in to_pay if debt.payer == member and debt.unsaid),
        tuple(debt for debt in to_pay if debt.payee == member and debt.unsaid),
        tuple(claim for claim in claims if claim.payee_id in rows),
        tuple(claim for claim in claims if claim.payer_id in rows),
        people,
    )
    return None if own.is_even else own
