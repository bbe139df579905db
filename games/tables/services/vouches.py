"""The vouches for an owner's new phone (`Vouch`), and the table that it gets after seven days of silence.

A pending claim to be an owner who is a guest without a password can be vouched for (`phone_changes.py`). Once
`VOUCHERS` people have done so, the new phone owns beside the old one after `SILENCE`, unless a phone of that
owner sends any request (`end_about`). Who counts, and since when, is computed from the rows at each visit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.utils.timezone import localdate, now

from games.common import days, locks
from games.models import Access, AccessQuerySet, Role, Table, Vouch

VOUCHERS = 2  # people who say that an owner has a new phone
SILENCE = timedelta(days=7)  # of the old phone, until the new one owns too
OPENING_TIME = timedelta(days=7)  # for the new phone to open the table after that


def find_owner_phones(claim: Access, phones: Iterable[Access]) -> list[Access]:
    """Return the owners' phones of the person whom a pending access claims to be; [] if it does not wait."""
    if claim.person is None or claim.confirmed_at is not None:
        return []
    return [
        phone
        for phone in phones
        if phone.is_confirmed and phone.role == Role.OWNER and phone.person == claim.person
    ]


def can_be_vouched_for(owner_phones: Sequence[Access]) -> bool:
    """Return whether the owner with these phones still plays, and has no password to sign in with."""
    return (
        bool(owner_phones)
        and all(is_active(phone) for phone in owner_phones)
        and not any(phone.user.has_usable_password() for phone in owner_phones)
    )


def is_active(access: Access) -> bool:
    """Return whether the person of this access still plays."""
    return access.person is not None and access.person.retired_at is None


def moments(claim: Access, phones: Iterable[Access]) -> Sequence[datetime]:
    """Return when each person vouched for this claim, in order.

    They count while they are confirmed for good, still play, and are not who the claim is about. `phones` are
    the table's valid accesses with their members.
    """
    people = {
        phone.user_id: phone.person
        for phone in phones
        if phone.is_lasting and is_active(phone) and phone.person != claim.person
    }
    first: dict[object, datetime] = {}
    for user, given_at in claim.vouches.order_by("given_at").values_list("user", "given_at"):
        if user in people:
            first.setdefault(people[user], given_at)
    return sorted(first.values())


def owns_from(claim: Access, phones: Sequence[Access]) -> datetime | None:
    """Return when the phone of this claim owns beside the old one; None while too few people vouch for it."""
    if not can_be_vouched_for(find_owner_phones(claim, phones)):
        return None
    given = moments(claim, phones)
    return given[VOUCHERS - 1] + SILENCE if len(given) >= VOUCHERS else None


def store(claim: Access, access: Access, phones: Sequence[Access]) -> None:
    """Store that the user of `access` vouches for this claim. With enough vouches, it may watch on until then.

    The caller holds the table's lock and raises the revision.
    """
    Vouch.objects.get_or_create(access=claim, user=access.user)
    owned_from = owns_from(claim, phones)
    if owned_from is not None:
        rows = Access.objects.filter(pk=claim.pk, until__lt=owned_from)
        rows.update(until=owned_from + OPENING_TIME)


def forget(accesses: Collection[Access]) -> None:
    """Forget what others said about these phones. Those that watch on only for that end with the night.

    The caller holds the table's lock and raises the revision.
    """
    lowered = drop(accesses)
    if lowered:
        Access.objects.bulk_update(lowered, ["until"])


def drop(accesses: Collection[Access]) -> Sequence[Access]:
    """Forget what others said about these phones, and return those whose `until` is now earlier, not stored."""
    given = Vouch.objects.filter(access__in=[access.pk for access in accesses])
    vouched = set(given.values_list("access", flat=True))
    if not vouched:
        return ()
    given.delete()
    lowered = []
    for access in accesses:
        if access.pk in vouched and access.until is not None:
            tonight = days.tonight_end(now(), access.table)
            if access.until > tonight:
                access.until = tonight
                lowered.append(access)
    return lowered


def forget_owners(table: Table, phones: Iterable[Access]) -> bool:
    """Forget what others said about new phones of the owners among these. Return whether there was anything.

    The caller holds the table's lock and raises the revision.
    """
    people = {phone.person for phone in phones if phone.role == Role.OWNER}
    claims = _vouched_claims().filter(table=table) if people else ()
    answered = [claim for claim in claims if claim.person in people]
    forget(answered)
    return bool(answered)


def end_about(user: int) -> None:
    """Forget what others said about new phones of the user with this id, who has just sent a request.

    Without a question at their tables, this is one short query; only one about them locks the table. If the
    database cannot be written at once, their next request tries again.
    """
    if not Vouch.objects.filter(access__table__accesses__user=user).exists():
        return
    owned = Access.objects.owners().filter(user=user)
    claims = list(_vouched_claims().filter(table__in=owned.values("table")))
    people = {access.person for access in _with_members(owned)} if claims else ()
    tables = {claim.table_id for claim in claims if claim.person in people}
    for table in Table.objects.filter(pk__in=tables) if tables else ():
        locks.attempt(partial(_end_at, table, user))


def _vouched_claims() -> AccessQuerySet:
    vouched = Access.objects.filter(pk__in=Vouch.objects.values("access"), confirmed_at=None)
    return _with_members(vouched).select_related("table")


@transaction.atomic
def _end_at(table: Table, user: int) -> None:
    table = locks.lock(table)
    if forget_owners(table, _with_members(table.accesses.owners().filter(user=user))):
        locks.bump_revision(table)


def take_over_if_due(access: Access) -> None:
    """Make this pending access an owner's beside the old phone, if that was silent for long enough.

    Only then lock the table, even if the request is a GET. If the database cannot be written at once, nothing
    changes.
    """
    is_waiting = access.role != Role.OWNER and access.member_id is not None and access.confirmed_at is None
    old = Vouch.objects.filter(access=access.pk, given_at__lt=now() - SILENCE)
    if is_waiting and old.exists() and _find_due(access.table, access.pk) is not None:
        claim = copy(access)
        if locks.attempt(lambda: _take_over(claim)):
            access.role = claim.role


@transaction.atomic
def _take_over(access: Access) -> None:
    table = locks.lock(access.table)
    stored = _find_due(table, access.pk)
    if stored is None:  # answered meanwhile
        return
    access.role = stored.role = Role.OWNER
    stored.member, stored.until, stored.took_over_at = stored.person, None, now()
    stored.confirmed_at, stored.opened_on, stored.asked_at = now(), localdate(), None
    stored.denied_member, stored.denied_name = None, ""
    forget([stored])
    stored.save()
    table.accesses.exclude(asked_at=None).update(asked_at=None)
    table.pens.filter(user=stored.user_id).end()
    locks.bump_revision(table)


def _find_due(table: Table, pk: int) -> Access | None:
    """Return this access if its user owns the table from now on."""
    phones = list(_with_members(table.accesses.valid()))
    claim = next((phone for phone in phones if phone.pk == pk), None)
    owned_from = claim and owns_from(claim, phones)
    return claim if owned_from and owned_from < now() else None


def _with_members(accesses: AccessQuerySet) -> AccessQuerySet:
    return accesses.select_related("user", "member__merged_into")
