"""The owners (a cargo) of a table: who may change the access of an owner, and that one always stays."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.http import Http404

from games.common.locks import lock
from games.common.roles import check_role
from games.models import Access, Role, Table
from games.scoring.errors import RuleError
from games.scoring.words import _


class MayNoLonger(Http404):
    """Raised when the user has lost the access since the page was shown; they get a 404."""


def hold(table: Table, by: User, *roles: Role) -> tuple[Table, Access]:
    """Lock the table. Return it and the access of `by`, both as they are stored now.

    Raise MayNoLonger unless `by` has access, and RoleMissing unless it is with one of these roles, by default
    an owner's.
    """
    held = lock(table)
    access = held.accesses.standing().filter(user=by).first()
    if access is None:
        raise MayNoLonger
    check_role(Role(access.role), roles or (Role.OWNER,))
    return held, access


def may_change(access: Access, *, by: User) -> bool:
    """Return whether `by`, an owner, may change or end this access.

    An owner's access is changed by themselves or by the owner who made them one. Of somebody who took over a
    table without an owner, any other owner may do so.
    """
    is_of_an_owner = access.stands and access.role == Role.OWNER
    is_theirs = by.pk in (access.user_id, access.raised_by_id)
    return is_theirs or not is_of_an_owner or access.took_over_at is not None


def check_may_change(access: Access, *, by: User) -> None:
    """Raise RuleError if `by` may not change or end this access (`may_change`)."""
    if not may_change(access, by=by):
        raise RuleError(_("Only they themselves can change that, or who made them an owner."))


def check_owner_stays(table: Table, *, without: Access) -> None:
    """Raise RuleError if the table would have no owner without this access."""
    if not table.accesses.owning().exclude(pk=without.pk).exists():
        raise RuleError(_("A table always needs an owner. Make another owner first."))


def only_ways_in(tables: Iterable[Table], me: User) -> Collection[int]:
    """Return the ids of the tables that would have no owner left if the user `me` lost this phone.

    A user with a password loses none. A guest loses a table without another owner.
    """
    if me.has_usable_password():
        return ()
    owners = Access.objects.owning().filter(table=OuterRef("pk"))
    mine = Table.objects.filter(pk__in=[table.pk for table in tables])
    lost = mine.filter(Exists(owners.filter(user=me)), ~Exists(owners.exclude(user=me)))
    return set(lost.values_list("pk", flat=True))
