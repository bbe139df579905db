"""A user's own money at their tables: what they owe, what they are owed, and what they have to confirm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Max, Sum

from games.models import Member
from games.money.balances import Line, People, awaiting, to_pay_at


@dataclass(frozen=True)
class Unconfirmed:
    """The claims that a user has to answer at a table: number, sum, and the id of the newest."""

    count: int
    amount: int
    newest: int


@dataclass(frozen=True)
class OwnMoney:
    """A member's lines of the plan (who pays whom) at a table, and the payments they have yet to confirm.

    A line that the payer claims to have paid in full is left out.
    """

    member: Member
    to_pay: tuple[Line, ...]
    to_receive: tuple[Line, ...]
    unconfirmed: Unconfirmed | None

    @property
    def is_even(self) -> bool:
        """True if there is nothing to pay, to receive or to confirm."""
        return not (self.to_pay or self.to_receive or self.unconfirmed)


def own_money_of(user: User, tables: Mapping[int, People]) -> dict[int, OwnMoney]:
    """Return, by the table's id, the user's money at each table with something to pay, receive or confirm.

    Only a member whom an owner confirmed to be this user counts. This takes four queries, whatever the number
    of tables, and none for a user who is no member.
    """
    own = {pk: member for pk, people in tables.items() for member in people.own if member.is_of(user)}
    if not own:
        return {}
    lines = to_pay_at({pk: tables[pk] for pk in own})
    unconfirmed = _unconfirmed([row for pk, member in own.items() for row in tables[pk].rows_of(member)])
    money = {
        pk: OwnMoney(
            member,
            tuple(line for line in lines[pk] if line.payer == member and line.unsaid),
            tuple(line for line in lines[pk] if line.payee == member and line.unsaid),
            unconfirmed.get(pk),
        )
        for pk, member in own.items()
    }
    return {pk: at_table for pk, at_table in money.items() if not at_table.is_even}


def _unconfirmed(members: list[int]) -> dict[int, Unconfirmed]:
    rows = awaiting(members).order_by().values("table")
    rows = rows.annotate(count=Count("pk"), amount=Sum("amount"), newest=Max("pk"))
    return {row["table"]: Unconfirmed(row["count"], int(row["amount"]), row["newest"]) for row in rows}
