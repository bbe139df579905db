"""Taking over a table whose owners are gone: a scorer asks, and gets it unless an owner opens it.

A table can be asked for that no owner has opened for `OWNER_ABSENCE`; the scorer takes it over after
`TAKEOVER_DELAY`. Nothing runs later: the moments are compared at a visit (`record_visit`). An owner's new
phone takes over in another way (`vouches.py`).
"""

from __future__ import annotations

from copy import copy
from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, QuerySet, When
from django.utils.timezone import localdate, now

from games.common import locks
from games.models import Access, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import vouches

OWNER_ABSENCE = timedelta(days=30)  # since an owner last opened the table
TAKEOVER_DELAY = timedelta(days=7)  # from the request, for an owner to come back
ERASURE_BAN = timedelta(days=60)  # from the takeover, until the new owner can erase the table


def potential_owners(table: Table) -> QuerySet[Access]:
    """Return the lasting accesses that could become an owner's, scorers first."""
    rows = table.accesses.lasting().exclude(role=Role.OWNER).select_related("member__merged_into")
    return rows.order_by(Case(When(role=Role.SCORER, then=0), default=1), "made_at", "pk")


VISIT_FIELDS = ("role", "took_over_at", "asked_at", "opened_on")


def record_visit(access: Access) -> str:
    """Record that this user opens the table, and return their role, which this may change.

    An owner's first visit of a day is stored and ends all takeover requests. A user becomes an owner if their
    own request is older than `TAKEOVER_DELAY`, or the vouches for their new phone are. All of these lock the
    table, even if the request is a GET. If the database cannot be written at once, nothing changes, and the
    next visit tries again.
    """
    is_due = access.asked_at is not None and access.asked_at + TAKEOVER_DELAY < now()
    if is_due or (access.role == Role.OWNER and access.opened_on != localdate()):
        visited = copy(access)
        if locks.attempt(lambda: _store_visit(visited)):
            for name in VISIT_FIELDS:
                setattr(access, name, getattr(visited, name))
    else:
        vouches.take_over_if_due(access)
    return access.role


@transaction.atomic
def _store_visit(access: Access) -> None:
    table = locks.lock(access.table)
    access.refresh_from_db(fields=VISIT_FIELDS)
    if access.role != Role.OWNER:
        if access.asked_at is None:  # an owner has opened the table meanwhile
            return
        access.role, access.took_over_at = Role.OWNER, now()
    table.accesses.exclude(asked_at=None).update(asked_at=None)
    access.asked_at, access.opened_on = None, localdate()
    access.save(update_fields=VISIT_FIELDS)
    locks.bump_revision(table)


def can_request_takeover(access: Access) -> bool:
    return (
        access.is_lasting
        and access.asked_at is None
        and _takeover_candidates(access.table).filter(pk=access.pk).exists()
    )


def takeover_allowed_from(table: Table) -> date:
    """Return the first day for a takeover request, provided no owner opens the table before."""
    visit_days = table.accesses.owners().exclude(opened_on=None).values_list("opened_on", flat=True)
    return max([localdate(table.created_at), *filter(None, visit_days)]) + OWNER_ABSENCE


def _takeover_candidates(table: Table) -> QuerySet[Access]:
    """Return the accesses that may request a takeover: scorers, or other members if there are none.

    Nobody may while the last visit of an owner is more recent than `OWNER_ABSENCE`.
    """
    if localdate() < takeover_allowed_from(table):
        return table.accesses.none()
    heirs = potential_owners(table)
    scorers = heirs.filter(role=Role.SCORER)
    return scorers if scorers.exists() else heirs


@transaction.atomic
def request_takeover(table: Table, *, by: User) -> None:
    """Store that `by` wants to take over the table. A repeated call keeps the earlier time.

    Lock the table. Raise RuleError if they may not request it.
    """
    locked_table = locks.lock(table)
    access = locked_table.accesses.valid().filter(user=by).select_related("table").first()
    if access is None or (access.asked_at is None and not can_request_takeover(access)):
        raise RuleError(_("An owner has opened this table in the last thirty days."))
    if access.asked_at is None:
        access.asked_at = now()
        access.save(update_fields=["asked_at"])
        locks.bump_revision(locked_table)


def takeover_request(table: Table) -> Access | None:
    return table.accesses.valid().exclude(asked_at=None).order_by("asked_at").first()


def check_can_erase(access: Access) -> None:
    if access.took_over_at is not None and access.took_over_at + ERASURE_BAN > now():
        raise RuleError(_("You took over this table: you can delete it after sixty days."))
