"""The four tabs of a table: what they show depends on the reader."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest

from games.common.roles import WRITERS
from games.models import Role, Table
from games.money.balances import waiting_for
from games.tables.access import Visitor
from games.tables.people import People


def tabs_of(request: HttpRequest, table: Table, role: Role, people: People | None = None) -> dict[str, int]:
    """Return the template variables of the tabs: whether the reader may see the accounts, and what waits there.

    `waits` is the number of payments that wait for the reader's answer.
    """
    user = request.user
    if not isinstance(user, User) or not Visitor(user).sees_accounts(table, role):
        return {"may_see_accounts": False, "waits": 0}
    members = people or People.of(table)
    waits = waiting_for(user, table, members, is_keeper=role in WRITERS).count()
    return {"may_see_accounts": True, "waits": waits}
