"""A user's own money at their tables: what they owe, what they are owed, and what waits for an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q

from games.models import Member, Payment
from games.money.balances import Owed, People, read_accounts_of


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


def own_money_of(user: User, tables: Mapping[int, People]) -> dict[int, OwnMoney]:
    """Return, by the table's id, the user's money at each table with something to pay, receive or confirm.

    Only a member whom an owner confirmed to be this user counts. This takes three queries, whatever the
    number of tables, and none for a user who is no member.
    """
    own = {pk: member for pk, people in tables.items() for member in people.own if member.is_of(user)}
    if not own:
        return {}
    accounts = read_accounts_of({pk: tables[pk] for pk in own})
    rows = [row for pk, member in own.items() for row in tables[pk].rows_of(member)]
    claims = list(Payment.objects.claimed().filter(Q(payer__in=rows) | Q(payee__in=rows)))
    money = {
        pk: OwnMoney(
            member,
            tuple(debt for debt in accounts[pk].to_pay if debt.payer == member and debt.unsaid),
            tuple(debt for debt in accounts[pk].to_pay if debt.payee == member and debt.unsaid),
            tuple(claim for claim in claims if tables[pk].by_pk.get(claim.payee_id) == member),
            tuple(claim for claim in claims if tables[pk].by_pk.get(claim.payer_id) == member),
            tables[pk],
        )
        for pk, member in own.items()
    }
    return {pk: at_table for pk, at_table in money.items() if not at_table.is_even}
