"""The answers of owners and scorers to identity claims: confirm, deny, undo a denial, and answer all at once.

Each function locks the table in its own transaction. It raises RoleRequired unless `by` may answer,
AccessEnded (404) if `by` has lost their access, and ConcurrentChange if the given access has ended or claims
something else now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from games.common import locks, naming, roles
from games.common.locks import ConcurrentChange
from games.models import Access, Member, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import authorization, lobby, membership


def confirm(access: Access, *, by: User, member: Member | None) -> Access:
    """Confirm that the access's user is this member; for None, add a member with the name that they gave.

    The access becomes lasting, unless the access of `by` ends tonight. The accesses of the member's earlier
    phones end. Raise RuleError if `by` may not confirm this claim or may not end those accesses, or if the
    name is taken.
    """
    return confirm_phones([access], by=by, member=member, keep_earlier=False)[0]


@transaction.atomic
def confirm_phones(
    phones: Sequence[Access], *, by: User, member: Member | None, keep_earlier: bool = True
) -> Sequence[Access]:
    """Confirm that all of these phones are this member's, as `confirm` does for one phone.

    With `keep_earlier` the member's earlier phones keep their access; without it, there must be exactly one
    phone.
    """
    table, by_access = authorization.lock_table(phones[0].table, by, *roles.WRITERS)
    accesses = [_check_confirmable(access, by_access) for access in _unchanged(table, phones, member)]
    person = membership.add_with_stored_name(table, accesses[0].name) if member is None else member.current
    earlier = [phone for phone in lobby.member_phones(table, person) if phone not in accesses]
    _check_can_add_phone(person, earlier, by_access)
    confirmed = {"member": person, "name": "", **({} if by_access.until is not None else {"until": None})}
    for access in accesses:
        for name, value in confirmed.items():
            setattr(access, name, value)
    table.accesses.filter(pk__in=[access.pk for access in accesses]).update(**confirmed)
    if not keep_earlier:
        (access,) = accesses
        lobby.replace_phone(earlier, access, by=by)
        access.save(update_fields=["role", "raised_by", "took_over_at"])
    lobby.store_confirmations(table, accesses, by=by)
    _deny_others(table, person, name="" if member else phones[0].name)
    locks.bump_revision(table)
    return accesses


def _check_confirmable(access: Access, by_access: Access) -> Access:
    if access.pk == by_access.pk and not authorization.is_last_owner(by_access):
        raise RuleError(_("Another person has to confirm who you are."))
    if by_access.until is not None and access.until is None:
        raise RuleError(
            _("You're here only for tonight: a permanent scorekeeper or owner has to confirm them.")
        )
    return access


def _deny_others(table: Table, person: Member, *, name: str) -> None:
    """Deny the pending claims of other phones to this member or name."""
    others = [
        other.pk
        for other in lobby.valid_accesses(table).filter(confirmed_at=None)
        if other.person == person
        or (name and naming.unaccented_key(other.name) == naming.unaccented_key(name))
    ]
    table.accesses.filter(pk__in=others).update(denied_member=person, denied_name="", **NO_IDENTITY)


# the fields of an access without an identity claim
NO_IDENTITY: dict[str, Any] = {"member": None, "name": "", "confirmed_at": None, "confirmed_by": None}


@transaction.atomic
def undo_denial(access: Access, *, by: User) -> Access:
    """Undo a denial: the claim is pending again.

    Raise ConcurrentChange if the user has claimed something else since, and RuleError if a member has the
    name now.
    """
    table, _access = authorization.lock_table(access.table, by, *roles.WRITERS)
    access = lobby.reload_valid(table, access)
    if not access.denied_name_shown or access.person or access.name:
        raise ConcurrentChange
    return lobby.store_claim(table, access.user, face=access.denied_member, name=access.denied_name)


def _unchanged(table: Table, accesses: Sequence[Access], member: Member | None) -> Sequence[Access]:
    """Return the accesses as stored now. Raise ConcurrentChange unless they still make the same claim."""
    known = lobby.valid_accesses(table).in_bulk([access.pk for access in accesses])
    for access in accesses:
        now_is = known.get(access.pk)
        is_same = now_is is not None and now_is.person == (member and member.current)
        if (
            now_is is None
            or not is_same
            or (member is None and (not now_is.name or now_is.name != access.name))
        ):
            raise ConcurrentChange
    return [known[access.pk] for access in accesses]


def _check_can_add_phone(member: Member, earlier: Sequence[Access], by_access: Access) -> None:
    if by_access.role != Role.OWNER and any(phone.until is None for phone in earlier):
        raise RuleError(_("{name} has a phone here. An owner can change that.", name=member.name))
    for phone in earlier:
        authorization.check_can_change(phone, by=by_access.user)


@transaction.atomic
def confirm_all(table: Table, *, by: User) -> Sequence[Access]:
    """Confirm the pending claims to members until the night ends (*son todos*), and return their accesses.

    This skips the claim of `by`, lasting accesses, members claimed or confirmed on more than one phone,
    retired members, and names that are not a member's yet.
    """
    locked_table, by_access = authorization.lock_table(table, by, *roles.WRITERS)
    phones_with_member = [phone for phone in lobby.valid_accesses(locked_table) if phone.member is not None]
    pending_phones = [
        phone
        for phone in phones_with_member
        if phone.confirmed_at is None
        and phone.until is not None
        and phone.pk != by_access.pk
        and _is_active(phone)
    ]
    claims = Counter(phone.person for phone in phones_with_member)
    sole_claims = [phone for phone in pending_phones if claims[phone.person] == 1]
    for access in sole_claims:
        access.member, access.table = access.person, locked_table
    if sole_claims:
        Access.objects.bulk_update(sole_claims, ["member"])  # a merged member becomes the present one
        lobby.store_confirmations(locked_table, sole_claims, by=by)
        locks.bump_revision(locked_table)
    return sole_claims


@transaction.atomic
def deny_all(table: Table, *, by: User) -> None:
    """Deny all pending claims (*ninguno*), except for that of `by`."""
    locked_table, by_access = authorization.lock_table(table, by, *roles.WRITERS)
    waiting = lobby.pending_claims(locked_table).exclude(pk=by_access.pk)
    member_count = waiting.exclude(member=None).update(
        denied_member=F("member"), denied_name="", **NO_IDENTITY
    )
    named = waiting.filter(member=None).update(denied_member=None, denied_name=F("name"), **NO_IDENTITY)
    if member_count or named:
        locks.bump_revision(locked_table)


def _is_active(access: Access) -> bool:
    return access.person is not None and access.person.retired_at is None


@transaction.atomic
def remove_identity(access: Access, *, by: User) -> Access:
    """Detach an access from its member or name (*no es Beto*). The access keeps its role and end.

    An unconfirmed claim can be removed by an owner, a scorer or the user themselves (*no soy Beto*). A
    confirmed one can be removed only by another owner or scorer, and a lasting one only by another owner; the
    table's only owner can also remove their own. Raise RuleError otherwise.
    """
    is_own = access.user_id == by.pk
    table, by_access = authorization.lock_table(access.table, by, *(tuple(Role) if is_own else roles.WRITERS))
    access = lobby.reload_valid(table, access)
    is_alone = is_own and authorization.is_last_owner(access)
    if (
        access.is_confirmed
        and not is_alone
        and (is_own or (access.until is None and by_access.role != Role.OWNER))
    ):
        raise RuleError(_("Another owner has to change that."))
    authorization.check_can_change(access, by=by)
    known = ("", None) if is_own else (access.name, access.person)  # users know what they removed themselves
    access.denied_name, access.denied_member = known
    for name, value in NO_IDENTITY.items():
        setattr(access, name, value)
    access.save(update_fields=lobby.CLAIM_FIELDS)
    locks.bump_revision(table)
    return access
