"""The owners of a table, in order. Nobody else can remove the first owner, who may hand the table over."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction

from games.locks import lock
from games.models import Grant, Table
from games.scoring.errors import RuleError
from games.scoring.words import _

MOMENT = timedelta(microseconds=1)


class OwnsNoLonger(Exception):
    """Raised when the user owned the table when the page was shown and no longer does."""


def hold(table: Table, by: User) -> Table:
    """Lock the table for one of its owners. Raise OwnsNoLonger if they were removed meanwhile."""
    held = lock(table)
    if not held.grants.owning().filter(user=by).exists():
        raise OwnsNoLonger
    return held


def first_owner(table: Table) -> Grant | None:
    """Return the grant of the first owner, or None if the table has no owner any more."""
    return table.grants.owning().first()


@transaction.atomic
def hand_over(grant: Grant, *, by: User) -> None:
    """Make the owner with this grant the first one, so that the previous first owner can be removed."""
    table = hold(grant.table, by)
    first, *others = table.grants.owning()
    if first.user_id != by.pk:
        raise RuleError(_("Only the first owner can hand the table over."))
    if grant not in others:
        raise RuleError(_("Choose another owner of the table."), field="grant")
    table.grants.filter(pk=grant.pk).update(ranks_from=first.ranks_from - MOMENT)


def take_place(grant: Grant, of: User) -> None:
    """Move a new owner into the rank of another owner, who comes directly behind."""
    before = grant.table.grants.owning().get(user=of)
    grant.ranks_from, before.ranks_from = before.ranks_from, before.ranks_from + MOMENT
    for moved in (grant, before):
        moved.save(update_fields=["ranks_from"])


def check_owners(table: Table, *, without: Collection[Grant], by: User) -> None:
    """Raise RuleError if these grants cannot end: the first owner's by anybody else, or the last owner's."""
    owners = list(table.grants.owning())
    if owners and owners[0] in without and owners[0].user_id != by.pk:
        raise RuleError(_("The first owner is removed by nobody else, but can hand the table over."))
    if owners and not set(owners) - set(without):
        raise RuleError(_("A table is never without an owner: let another owner in first."))
