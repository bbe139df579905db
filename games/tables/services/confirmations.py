"""The answers of owners and scorers to identity claims: confirm, deny, undo a denial, and answer all at once.

Each function locks the table in its own transaction. It raises RoleRequired unless `by` may answer,
AccessEnded (404) if `by` has lost their access, and ConcurrentChange if the given access has ended or claims
something else now. A confirmation lasts (*one yes*), unless it is for tonight only, or the access of `by` ends
tonight. Pages ask `can_confirm`, so that they offer no answer that would be refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from games.common import locks, naming, roles
from games.common.locks import ConcurrentChange
from games.models import MOST_ACTIVE, Access, Member, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import authorization, lobby, membership, takeovers
from games.tables.services.confirmation_undo import LobbyState, UndoData


@dataclass(frozen=True)
class Confirmation:
    """The accesses that one answer confirmed, and what `confirmation_undo.undo` restores."""

    accesses: Sequence[Access]
    undo_data: UndoData


def confirm(access: Access, *, by: User, member: Member | None, is_tonight: bool = False) -> Confirmation:
    """Confirm that the access's user is this member; for None, add a member with the name that they gave.

    The access becomes lasting, unless `is_tonight` or the access of `by` ends tonight. The accesses of the
    member's earlier phones end. Raise RuleError if `by` may not confirm this claim or may not end those
    accesses, or if the name is taken.
    """
    return confirm_phones([access], by=by, member=member, keep_earlier=False, is_tonight=is_tonight)


@transaction.atomic
def confirm_phones(
    phones: Sequence[Access],
    *,
    by: User,
    member: Member | None,
    keep_earlier: bool = True,
    is_tonight: bool = False,
) -> Confirmation:
    """Confirm that all of these phones are this member's, as `confirm` does for one phone.

    With `keep_earlier` the member's earlier phones keep their access; without it, there must be exactly one
    phone.
    """
    table, by_access = authorization.lock_table(phones[0].table, by, *roles.WRITERS)
    before = LobbyState.read(table)
    accesses = _unchanged(table, phones, member)
    person = membership.add_with_stored_name(table, accesses[0].name) if member is None else member.current
    earlier = [phone for phone in lobby.member_phones(table, person) if phone not in accesses]
    check_can_confirm(accesses, person.name, earlier, by_access)
    stays = is_tonight or by_access.until is not None
    confirmed = {"member": person, "name": "", **({} if stays else {"until": None})}
    for access in accesses:
        for name, value in confirmed.items():
            setattr(access, name, value)
    table.accesses.filter(pk__in=[access.pk for access in accesses]).update(**confirmed)
    if not keep_earlier:
        (access,) = accesses
        lobby.replace_phone(earlier, access, by=by)
        access.save(update_fields=["role", "raised_by", "took_over_at"])
    lobby.store_confirmations(table, accesses, by=by)
    takeovers.forget_answered(table, accesses)
    _deny_others(table, person, name="" if member else phones[0].name)
    locks.bump_revision(table)
    return Confirmation(accesses, before.changes(table))


def check_can_confirm(
    phones: Iterable[Access], name: str, earlier: Sequence[Access], by_access: Access
) -> None:
    """Raise RuleError if the user of `by_access` may not confirm these phones as the person with this name.

    `earlier` are the phones that are already confirmed to be the person's.
    """
    for access in phones:
        if access.pk == by_access.pk and not authorization.is_last_owner(by_access):
            raise RuleError(_("Another person has to confirm who you are."))
        if by_access.until is not None and access.until is None:
            raise RuleError(
                _("You're here only for tonight: a permanent scorekeeper or owner has to confirm them.")
            )
    if by_access.role != Role.OWNER and any(phone.until is None for phone in earlier):
        raise RuleError(_("{name} has a phone here. An owner can change that.", name=name))
    for phone in earlier:
        authorization.check_can_change(phone, by=by_access.user)


def can_confirm(phones: Iterable[Access], earlier: Sequence[Access], by_access: Access) -> bool:
    try:
        check_can_confirm(phones, "", earlier, by_access)
    except RuleError:
        return False
    return True


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
        stored = known.get(access.pk)
        is_same = stored is not None and stored.person == (member and member.current)
        if (
            stored is None
            or not is_same
            or (member is None and (not stored.name or stored.name != access.name))
        ):
            raise ConcurrentChange
    return [known[access.pk] for access in accesses]


def simple_claims(phones: Iterable[Access], by_access: Access, *, active_count: int) -> list[Access]:
    """Return the claims of these phones that need no look, so that one answer confirms them all (*son todos*).

    The others are a member whom several phones claim or who already has a phone, and a name that no member
    has yet. Retired members are left out if the table, with `active_count` active members, has no room for
    them.
    """
    with_member = [phone for phone in phones if phone.person is not None]
    counts = Counter(phone.person for phone in with_member)
    claims = [
        phone
        for phone in with_member
        if phone.confirmed_at is None
        and counts[phone.person] == 1
        and phone.pk != by_access.pk
        and can_confirm([phone], (), by_access)
    ]
    retired = [phone for phone in claims if phone.person is not None and phone.person.retired_at is not None]
    has_room = active_count + len(retired) <= MOST_ACTIVE
    return claims if has_room else [phone for phone in claims if phone not in retired]


@transaction.atomic
def confirm_all(table: Table, *, by: User, named: Collection[int] | None = None) -> Confirmation:
    """Confirm the claims that need no look (*son todos*). They last, unless the access of `by` ends tonight.

    `named` are the ids of the accesses whose names the page showed: others stay as they are.
    """
    locked_table, by_access = authorization.lock_table(table, by, *roles.WRITERS)
    before = LobbyState.read(locked_table)
    active_count = locked_table.members.active().count()
    claims = simple_claims(lobby.valid_accesses(locked_table), by_access, active_count=active_count)
    confirmed = [access for access in claims if named is None or access.pk in named]
    for access in confirmed:
        access.member, access.table = access.person, locked_table  # a merged member becomes the present one
        if by_access.until is None:
            access.until = None
    if confirmed:
        Access.objects.bulk_update(confirmed, ["member", "until"])
        lobby.store_confirmations(locked_table, confirmed, by=by)
        locks.bump_revision(locked_table)
    return Confirmation(confirmed, before.changes(locked_table))


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
    lobby.forget_new_phone(table, access)
    known = ("", None) if is_own else (access.name, access.person)  # users know what they removed themselves
    access.denied_name, access.denied_member = known
    for name, value in NO_IDENTITY.items():
        setattr(access, name, value)
    access.save(update_fields=lobby.CLAIM_FIELDS)
    locks.bump_revision(table)
    return access
