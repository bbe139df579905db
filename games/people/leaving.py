"""Leaving a table for good, and putting it last on one's own home."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet

from games.locks import lock
from games.models import Grant, Role, Table
from games.people.claims import end_claims
from games.people.removals import end, ending_by_leaving


@transaction.atomic
def leave(table: Table, *, by: User, also: Collection[int] = ()) -> None:
    """Ends what somebody may do at a table, by himself; who he said he is, he is no longer.

    Only an invitation made since lets him in again, and no undo of others; the one he came by lets others in still.
    With an owner go his invitations, and `also` the grants he names. RuleError where nobody would own the table.
    """
    held = lock(table)
    grant = held.grants.standing().filter(user=by).first()
    if grant is None:  # a tap repeated
        return
    end(held, ending_by_leaving(grant), by=by, also=also if grant.role == Role.OWNER else ())
    end_claims(held, by)


def left_by_themselves(table: Table) -> QuerySet[Grant]:
    """The grants of those who left, and were not put out, the last one first; nobody but an invitation brings them back."""
    gone = table.grants.filter(removal__made_by=F("user"))
    return gone.select_related("user", "removal").order_by("-removal__made_at", "-pk")


def is_archived(table: Table, *, by: User) -> bool:
    """Whether the table stands last on this user's home."""
    return table.grants.filter(user=by, archived=True).exists()


def archive(table: Table, *, by: User, archived: bool) -> None:
    """Puts the table last on this user's home, or back among the others."""
    table.grants.filter(user=by).update(archived=archived)
