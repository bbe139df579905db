"""The pen (la lapicera): an owner lets a phone that only watches record until the night ends.

A *phone* stands for the user who is signed in on it. Its grant (the user's role at the table) stays that of a
witness, who only watches: it has the pen until `Grant.records_until`. Owners and scorers can still record
meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.locks import ChangedMeanwhile, revise
from games.models import Grant, Member, Role, Table
from games.people.faces import faces_tonight
from games.people.owners import hold
from games.people.tonight import end_of_night


@dataclass(frozen=True)
class KnownPhone:
    """A phone that is confirmed as a member's, at least for tonight: the member and the phone's grant."""

    member: Member
    grant: Grant


def known_phones(table: Table, *, at: datetime | None = None) -> Sequence[KnownPhone]:
    """Return the phones that may get the pen: confirmed as a member's, and with a witness's grant."""
    grants = {grant.user_id: grant for grant in table.grants.standing().filter(role=Role.WITNESS)}
    claimed = table.members.filter(user__in=grants, claimed_at__isnull=False, merged_into=None)
    members = {member.user_id: member for member in claimed}
    for face in faces_tonight(table, at).filter(agreed_at__isnull=False, user__in=grants):
        members.setdefault(face.user_id, face.member.now)
    phones = [KnownPhone(member, grants[user]) for user, member in members.items() if user is not None]
    return sorted(phones, key=lambda phone: (phone.member.pk, phone.grant.pk))


@transaction.atomic
def pass_pen(grant: Grant, *, by: User, at: datetime | None = None) -> KnownPhone:
    """Let the phone with this grant record until the night ends, and return the phone.

    Raise RuleError if nobody confirmed whose phone it is, and OwnsNoLonger if `by` is no longer an owner.
    """
    table, at = hold(grant.table, by), at or now()
    phone = next((phone for phone in known_phones(table, at=at) if phone.grant.pk == grant.pk), None)
    if phone is None:
        raise ChangedMeanwhile
    until = end_of_night(table, at)
    phone.grant.records_until = until
    if phone.grant.expires_at is not None and phone.grant.expires_at < until:
        phone.grant.expires_at = until
    _store(table, phone.grant)
    return phone


@transaction.atomic
def take_pen_back(grant: Grant, *, by: User) -> None:
    """Let the phone with this grant only watch again. Raise OwnsNoLonger if `by` is no longer an owner."""
    table = hold(grant.table, by)
    held = table.grants.get(pk=grant.pk)
    if held.records_until is not None:
        held.records_until = None
        _store(table, held)


def _store(table: Table, grant: Grant) -> None:
    grant.save(update_fields=["records_until", "expires_at"])
    revise(table)
