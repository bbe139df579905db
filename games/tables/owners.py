"""The owners (a cargo) of a table: who may change the access of an owner, and that one always stays."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, Exists, OuterRef, QuerySet, When
from django.http import Http404
from django.utils.timezone import localdate, now

from games.common.locks import lock, revise
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


def is_only_owner(access: Access) -> bool:
    """Return whether this access is that of the table's only owner."""
    return access.role == Role.OWNER and not access.table.accesses.owning().exclude(pk=access.pk).exists()


def check_owner_stays(access: Access) -> None:
    """Raise RuleError if the table would have no owner without this access."""
    if is_only_owner(access):
        raise RuleError(_("A table always needs an owner. Make another owner first."))


def owned_alone(user: User) -> QuerySet[Table]:
    """Return the tables of which this user is the only owner."""
    owning = Access.objects.owning().filter(table=OuterRef("pk"))
    mine = Table.objects.filter(Exists(owning.filter(user=user)), ~Exists(owning.exclude(user=user)))
    return mine.filter(erased_at=None).order_by("name", "pk")


def lost_with(me: User) -> Collection[int]:
    """Return the ids of the tables that would have no owner left if the user `me` lost this phone.

    A user with a password loses none.
    """
    return () if me.has_usable_password() else set(owned_alone(me).values_list("pk", flat=True))


def heirs_of(table: Table) -> QuerySet[Access]:
    """Return the accesses of who could be an owner too, confirmed for good: those who record first."""
    rows = table.accesses.for_good().exclude(role=Role.OWNER).select_related("member__merged_into")
    return rows.order_by(Case(When(role=Role.SCORER, then=0), default=1), "made_at", "pk")


# --- taking over a table whose owners are gone, e.g. because the only owner's phone is lost ---------------------------

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


def may_ask_from(table: Table) -> date:
    """Return the day from which somebody may ask to take over the table, unless an owner opens it before."""
    opened = table.accesses.owning().exclude(opened_on=None).values_list("opened_on", flat=True)
    return max([localdate(table.created_at), *filter(None, opened)]) + AWAY


def _heirs(table: Table) -> QuerySet[Access]:
    """Return the accesses of those who may ask to take over; none while an owner comes."""
    if localdate() < may_ask_from(table):
        return table.accesses.none()
    heirs = heirs_of(table)
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
