"""Taking over a table: one whose owners are gone, and that of an owner whose new phone others recognize.

A scorer asks for a table that no owner has opened for `OWNER_ABSENCE`, and takes it over after `TAKEOVER_DELAY`
unless an owner opens it. An owner's new phone takes over beside the old one after the same delay, once
`VOUCHERS` people have said that it is the same person (`phone_changes.py`), unless the old phone sends any
request. Nothing runs later: the moments are compared at a visit (`record_visit`).
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, QuerySet, When
from django.utils.timezone import localdate, now

from games.common import days, locks, roles
from games.models import Access, Role, Table, Vouch
from games.scoring.errors import RuleError
from games.scoring.i18n import _

OWNER_ABSENCE = timedelta(days=30)  # since an owner last opened the table
TAKEOVER_DELAY = timedelta(days=7)  # from the request, for an owner to come back
ERASURE_BAN = timedelta(days=60)  # from the takeover, until the new owner can erase the table
VOUCHERS = 2  # people who say that an owner has a new phone


def potential_owners(table: Table) -> QuerySet[Access]:
    """Return the lasting accesses that could become an owner's, scorers first."""
    rows = table.accesses.lasting().exclude(role=Role.OWNER).select_related("member__merged_into")
    return rows.order_by(Case(When(role=Role.SCORER, then=0), default=1), "made_at", "pk")


def record_visit(access: Access) -> str:
    """Record that this user opens the table, and return their role, which this may change.

    An owner's first visit of a day is stored and ends all takeover requests. Any request of an owner's old
    phone ends the question about a new one. A user becomes an owner if their own request, or that question, is
    older than `TAKEOVER_DELAY`. All of these lock the table, even if the request is a GET.
    """
    if access.is_questioned:
        end_questions(access.user_id)
    moments = [moment for moment in (access.asked_at, access.vouched_at) if moment is not None]
    is_due = any(moment + TAKEOVER_DELAY < now() for moment in moments)
    if (access.role == Role.OWNER and access.opened_on != localdate()) or is_due:
        _store_visit(access)
    return access.role


@transaction.atomic
def _store_visit(access: Access) -> None:
    table = locks.lock(access.table)
    access.refresh_from_db(fields=["role", "asked_at", "took_over_at", "vouched_at", "opened_on"])
    is_vouched = access.vouched_at is not None and access.vouched_at + TAKEOVER_DELAY < now()
    if access.role != Role.OWNER:
        if is_vouched and not _take_over_beside(table, access):
            return
        if not is_vouched and access.asked_at is None:  # an owner has opened the table meanwhile
            return
        access.role, access.took_over_at = Role.OWNER, now()
    table.accesses.exclude(asked_at=None).update(asked_at=None)
    access.asked_at, access.opened_on = None, localdate()
    access.save(update_fields=["role", "took_over_at", "asked_at", "opened_on"])
    locks.bump_revision(table)


# --- an owner's new phone ---------------------------------------------------------------------------------------------


def count_vouchers(access: Access) -> int:
    """Return how many people say that the owner whom this access claims to be uses it now.

    They count as long as they are confirmed for good.
    """
    lasting = access.table.accesses.lasting().values("user")
    vouches = access.vouches.filter(user__in=lasting).select_related("member__merged_into")
    return len({vouch.member.current for vouch in vouches})


def _take_over_beside(table: Table, access: Access) -> bool:
    """Confirm that this access is the owner's whose old phone was silent. The caller stores its role.

    Return False, and end the question, if too few people still say so or the claim has changed.
    """
    stored = table.accesses.select_related("member__merged_into").get(pk=access.pk)
    is_open = stored.person is not None and stored.confirmed_at is None
    if not is_open or count_vouchers(access) < VOUCHERS:
        end_question(table, stored)
        locks.bump_revision(table)
        return False
    confirmed = {"confirmed_at": now(), "until": None, "vouched_at": None, "denied_member": None}
    table.accesses.filter(pk=access.pk).update(**confirmed)
    _phones_of_owner(table, stored).update(questioned_at=None)
    return True


def _phones_of_owner(table: Table, access: Access) -> QuerySet[Access]:
    """Return the owners' accesses of the person whom this access claims to be."""
    owners = table.accesses.owners().select_related("member__merged_into")
    return table.accesses.filter(pk__in=[phone.pk for phone in owners if phone.person == access.person])


def start_question(table: Table, access: Access) -> None:
    """Store that enough people say that this is an owner's new phone. It may watch on until then.

    The caller holds the table's lock and raises the revision.
    """
    at = now()
    table.accesses.filter(pk=access.pk).update(vouched_at=at, until=None)
    _phones_of_owner(table, access).update(questioned_at=at)


def end_question(table: Table, access: Access) -> None:
    """Forget what others said about an owner's new phone. If it lasted only for that, it ends with the night.

    The caller holds the table's lock and raises the revision.
    """
    Vouch.objects.filter(access=access).delete()
    was_vouched = table.accesses.filter(pk=access.pk).exclude(vouched_at=None)
    was_vouched.filter(confirmed_at=None).update(until=days.tonight_end(now(), table))
    was_vouched.update(vouched_at=None)
    _phones_of_owner(table, access).update(questioned_at=None)


def forget_answered(table: Table, accesses: Collection[Access]) -> None:
    """Forget what others said about these phones, which are confirmed now. The caller holds the table's lock."""
    pks, people = [access.pk for access in accesses], {access.member_id for access in accesses}
    Vouch.objects.filter(access__in=pks).delete()
    table.accesses.filter(pk__in=pks).update(vouched_at=None)
    table.accesses.filter(member__in=people).update(questioned_at=None)
    users_with_role = [access.user_id for access in accesses if access.role in roles.WRITERS]
    table.pens.filter(user__in=users_with_role, ended_at=None).update(ended_at=now())


@transaction.atomic
def end_questions(user: int) -> None:
    """End the questions whether the user with this id has a new phone, after any request of the old one."""
    asked = Access.objects.filter(user=user, questioned_at__isnull=False)
    for table in locks.lock_all(Table.objects.filter(pk__in=asked.values("table"))):
        phones = asked.filter(table=table).select_related("member__merged_into")
        people = {phone.person for phone in phones}
        claims = table.accesses.exclude(vouched_at=None).select_related("member__merged_into")
        for claim in claims:
            if claim.person in people:
                end_question(table, claim)
        phones.update(questioned_at=None)
        locks.bump_revision(table)


# --- a table whose owners are gone ------------------------------------------------------------------------------------


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
