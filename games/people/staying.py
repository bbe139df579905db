"""Access that does not expire: of witnesses whom an owner lets stay, and of users who are members.

A *grant* gives a user a role at a table. That of a witness, who only watches, usually expires within a day.
An owner who confirms that a user is a member lets the user stay until somebody ends that access.
"""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from games.locks import lock
from games.models import Grant, Table


@transaction.atomic
def keep_grant(grant: Grant) -> None:
    """Remove the end date of a witness's grant, which an owner lets stay."""
    table = lock(grant.table)
    table.grants.filter(pk=grant.pk).update(expires_at=None)


def keep_members(table: Table, users: Collection[int | None]) -> None:
    """Make the access of these users, given by id, permanent if an owner confirmed that they are members.

    A grant that has expired is valid again, without the tokens that ended with it. A grant that a removal
    ended stays ended, and so does an expired one whose invitation ended. The caller holds the table's lock.
    """
    members = table.members.filter(user__in=users, claimed_at__isnull=False, merged_into=None)
    ending = table.grants.filter(user__in=members.values("user"), removal=None, expires_at__isnull=False)
    is_open = Q(expires_at__gt=now()) | Q(invite__revoked_at=None, invite__removal=None)
    grants = list(ending.filter(is_open))
    lapsed = [grant.user_id for grant in grants if grant.expires_at and grant.expires_at <= now()]
    table.tokens.filter(user__in=lapsed).revoke()
    for grant in grants:
        grant.expires_at = None
    Grant.objects.bulk_update(grants, ["expires_at"])


def is_a_member(user: User, table: Table) -> bool:
    """Return whether an owner confirmed that this user is a member of the table."""
    return table.members.filter(user=user, claimed_at__isnull=False, merged_into=None).exists()
