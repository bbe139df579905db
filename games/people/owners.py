"""The owners of a table, by rank: those who became owners earlier rank before the others.

Nobody else can remove the first owner, who may hand over the first rank. A *grant* gives a user a role at a
table, here that of an owner.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404

from games.locks import lock
from games.models import Grant, Table
from games.scoring.errors import RuleError
from games.scoring.words import _

MOMENT = timedelta(microseconds=1)


class OwnsNoLonger(Http404):
    """Raised when the user has lost ownership of the table since the page was shown; they get a 404."""


def hold(table: Table, by: User) -> Table:
    """Lock the table and return it as it is stored now. Raise OwnsNoLonger if `by` is no longer an owner."""
    held = lock(table)
    if not held.grants.owning().filter(user=by).exists():
        raise OwnsNoLonger
    return held


def first_owner(table: Table) -> Grant | None:
    """Return the grant of the first owner, or None if the table no longer has an owner."""
    return table.grants.owning().first()


@transaction.atomic
def hand_over(grant: Grant, *, by: User) -> None:
    """Make the owner with this grant the first owner. The previous first owner can then be removed.

    Raise RuleError unless `by` is the first owner and the grant is another owner's.
    """
    table = hold(grant.table, by)
    first, *others = table.grants.owning()
    if first.user_id != by.pk:
        raise RuleError(_("Only the first owner can hand the table over."))
    if grant not in others:
        raise RuleError(_("Choose another owner of the table."), field="grant")
    table.grants.filter(pk=grant.pk).update(ranks_from=first.ranks_from - MOMENT)


def take_place(grant: Grant, of: User) -> None:
    """Give the owner with this grant the rank of the owner `of`, who moves directly behind them."""
    before = grant.table.grants.owning().get(user=of)
    grant.ranks_from, before.ranks_from = before.ranks_from, before.ranks_from + MOMENT
    for moved in (grant, before):
        moved.save(update_fields=["ranks_from"])


def check_owners(table: Table, *, without: Collection[Grant], by: User) -> None:
    """Raise RuleError if `by` may not end these grants.

    Only the first owner may end the first owner's grant, and the table must keep an owner.
    """
    owners = list(table.grants.owning())
    if owners and owners[0] in without and owners[0].user_id != by.pk:
        raise RuleError(_("Nobody can remove the first owner. The first owner can hand the table over."))
    if owners and not set(owners) - set(without):
        raise RuleError(_("A table always needs an owner. Invite another owner first."))
