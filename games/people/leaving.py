"""Leave a table for good.

A *grant* gives a user a role at a table, and by a *claim* the user says which member of the table they are.
"""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet

from games.locks import lock
from games.models import Grant, Role, Table
from games.people.claims import end_claim
from games.people.removals import end, ending_by_leaving


@transaction.atomic
def leave(table: Table, *, by: User, also: Collection[int] = ()) -> None:
    """End a user's own grant and claims at a table.

    Nobody can undo this: the user comes back only with an invitation made later. The invitation that the user
    accepted stays valid for others. If the user is an owner, the invitations that the user made end too.
    `also` has the ids of the grants of other users that an owner ends at the same time, e.g. of users whom
    they invited. Raise RuleError if no owner would be left.
    """
    held = lock(table)
    grant = held.grants.standing().filter(user=by).first()
    if grant is None:  # a repeated tap
        return
    end(held, ending_by_leaving(grant), by=by, also=also if grant.role == Role.OWNER else ())
    for member in held.members.filter(user=by):
        end_claim(member, of=by.pk)


def left_by_themselves(table: Table) -> QuerySet[Grant]:
    """Return the ended grants of users who left on their own, the last to leave first."""
    gone = table.grants.filter(removal__made_by=F("user"))
    return gone.select_related("user", "removal").order_by("-removal__made_at", "-pk")
