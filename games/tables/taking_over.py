"""Taking over a table whose owners are gone, e.g. because the only owner's phone is lost.

If no owner has opened the table for thirty days, a confirmed scorer may ask to take over; at a table without
one, a confirmed member. Everybody at the table sees it. Seven days later it holds, unless an owner came. The
first owner who returns may end it, and who took over cannot erase the table for sixty days.
"""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import localdate, now

from games.common.locks import lock, revise
from games.models import Access, Role, Table
from games.scoring.errors import RuleError
from games.scoring.words import _

AWAY = timedelta(days=30)  # how long no owner has opened the table
WAITS = timedelta(days=7)  # how long an owner has to come back
KEEPS = timedelta(days=60)  # how long who took over cannot erase the table


def note_opening(access: Access) -> str:
    """Note that this user opens the table. Return the access's role, which may change by it.

    An owner's first opening of a day is stored and ends every wish to take over. Who asked seven days ago
    becomes an owner.
    """
    is_due = access.asked_at is not None and access.asked_at + WAITS < now()
    if (access.role == Role.OWNER and access.opened_on != localdate()) or is_due:
        _store(access)
    return access.role


@transaction.atomic
def _store(access: Access) -> None:
    table = lock(access.table)
    access.refresh_from_db(fields=["role", "asked_at", "took_over_at"])
    if access.role != Role.OWNER:
        if access.asked_at is None:  # an owner came meanwhile
            return
        access.role, access.took_over_at = Role.OWNER, now()
    table.accesses.exclude(asked_at=None).update(asked_at=None)
    access.asked_at, access.opened_on = None, localdate()
    access.save(update_fields=["role", "took_over_at", "asked_at", "opened_on"])
    revise(table)


def may_ask(access: Access) -> bool:
    """Return whether this user may ask to take over the table."""
    return (
        access.is_for_good and access.asked_at is None and _heirs(access.table).filter(pk=access.pk).exists()
    )


def _heirs(table: Table) -> QuerySet[Access]:
    """Return the accesses of those who may ask to take over; none while an owner comes."""
    lately = localdate() - AWAY
    owners = table.accesses.owning()
    if owners.filter(opened_on__gt=lately).exists() or table.created_at.date() > lately:
        return table.accesses.none()
    heirs = table.accesses.for_good().exclude(role=Role.OWNER)
    scorers = heirs.filter(role=Role.SCORER)
    return scorers if scorers.exists() else heirs


@transaction.atomic
def ask_to_take_over(table: Table, *, by: User) -> None:
    """Store that `by` wants to take over the table. Raise RuleError if they may not ask."""
    held = lock(table)
    access = held.accesses.standing().filter(user=by).select_related("table").first()
    if access is None or (access.asked_at is None and not may_ask(access)):
        raise RuleError(_("An owner has opened this table in the last thirty days."))
    if access.asked_at is None:
        access.asked_at = now()
        access.save(update_fields=["asked_at"])
        revise(held)


def heir_of(table: Table) -> Access | None:
    """Return the access of who asked first to take over the table, or None."""
    return table.accesses.standing().exclude(asked_at=None).order_by("asked_at").first()


def check_may_erase(access: Access) -> None:
    """Raise RuleError if this user took over the table less than sixty days ago."""
    if access.took_over_at is not None and access.took_over_at + KEEPS > now():
        raise RuleError(_("You took over this table: you can erase it after sixty days."))
