"""The answers of owners and scorers to identity claims: confirm, deny, undo a denial, and answer all at once.

Each function locks the table in its own transaction. It raises RoleRequired unless `by` may answer,
AccessEnded (404) if `by` has lost their access, and ConcurrentChange if the given access has ended or claims
something else now. A confirmation lasts (*one yes*), unless it is for tonight only, or the access of `by` ends
tonight. Pages ask `authorization.can_confirm`, so that they offer no answer that would be refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.common import days, locks, naming, roles
from games.common.locks import ConcurrentChange
from games.models import MOST_ACTIVE, Access, Member, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import authorization, lobby, membership, vouches
from games.tables.services.confirmation_undo import LobbyState, UndoData

MOST_PHONES = 20  # of one person, confirmed by one answer


@dataclass(frozen=True)
class Confirmation:
    """The accesses that one answer confirmed, and what `confirmation_undo.undo` restores."""

    accesses: Sequence[Access]
    undo_data: UndoData


def confirm(access: Access, *, by: User, member: Member | None, is_tonight: bool = False) -> Confirmation:
    """Confirm that the access's user is this member; for None, add a member with the name that they gave.

    The access becomes lasting, unless `is_tonight` or the access of `by` ends tonight. The accesses of the
    member's earlier phones end, unless `is_tonight`. Raise RuleError if `by` may not confirm this claim or
    may not end those accesses, or if the name is taken.
    """
    return confirm_phones([access], by=by, member=member, keep_earlier=is_tonight, is_tonight=is_tonight)


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
    accesses = _unchanged(table, phones, member)
    person = member.current if member else None
    rows = lobby.member_accesses(table, person) if person else _same_name(table, accesses[0].name)
    earlier = [phone for phone in rows if phone.is_confirmed and phone not in accesses]
    others = [phone for phone in rows if phone.confirmed_at is None and phone not in accesses]
    authorization.check_can_confirm(accesses, person.name if person else "", earlier, by_access)
    if all(access.is_lasting for access in accesses):  # a repeated tap
        return Confirmation((), LobbyState.read(table, ()).changes())
    vouches.forget([*accesses, *others])
    before = LobbyState.read(table, [*accesses, *earlier, *others])
    confirmed = person or membership.add_with_stored_name(table, accesses[0].name)
    for access in accesses:
        access.member, access.name, access.until = (
            confirmed,
            "",
            _end(access, by_access, is_tonight=is_tonight),
        )
    Access.objects.bulk_update(accesses, ["member", "name", "until"])
    if not keep_earlier:
        (access,) = accesses
        lobby.replace_phone(earlier, access, by=by)
        access.save(update_fields=["role", "raised_by", "took_over_at"])
    lobby.store_confirmations(table, accesses, by=by)
    _store_denials(table, others, member=confirmed)
    locks.bump_revision(table)
    return Confirmation(accesses, before.changes(added=None if person else confirmed))


def _end(access: Access, by_access: Access, *, is_tonight: bool) -> datetime | None:
    """Return the end of an access after a yes: none, or tonight's if the yes is for tonight only."""
    if not is_tonight and by_access.until is None:
        return None
    return access.until and min(access.until, days.tonight_end(now(), access.table))


def _same_name(table: Table, name: str) -> Sequence[Access]:
    """Return the accesses whose claim gives this name."""
    key = naming.unaccented_key(name)
    waiting = lobby.valid_accesses(table).exclude(name="")
    return [access for access in waiting if naming.unaccented_key(access.name) == key]


def _store_denials(
    table: Table, accesses: Sequence[Access], *, member: Member | None = None, is_told: bool = True
) -> None:
    """Detach these accesses from what they claim, and end what they have by it. Every no passes here.

    Store the denied claims, so that they can be shown and undone; `member` has the claimed name now. With
    `is_told` False, store nothing: users know what they removed themselves. The caller holds the table's lock
    and raises the revision.
    """
    lobby.end_claims(table, accesses)
    for access in accesses:
        access.denied_member = (member or access.person) if is_told else None
        access.denied_name = access.name if is_told and access.denied_member is None else ""
        access.member, access.name = None, ""
        access.confirmed_at = access.confirmed_by = None
    Access.objects.bulk_update(accesses, lobby.CLAIM_FIELDS)


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
        and authorization.can_confirm([phone], (), by_access)
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
    active_count = locked_table.members.active().count()
    claims = simple_claims(lobby.valid_accesses(locked_table), by_access, active_count=active_count)
    confirmed = [access for access in claims if named is None or access.pk in named]
    before = LobbyState.read(locked_table, confirmed)
    for access in confirmed:
        access.member, access.table = access.person, locked_table  # a merged member becomes the present one
        access.until = _end(access, by_access, is_tonight=False)
    if confirmed:
        Access.objects.bulk_update(confirmed, ["member", "until"])
        lobby.store_confirmations(locked_table, confirmed, by=by)
        locks.bump_revision(locked_table)
    return Confirmation(confirmed, before.changes())


@transaction.atomic
def deny_all(table: Table, *, by: User) -> None:
    """Deny all pending claims (*ninguno*) except for that of `by`, and of owners whom `by` may not change."""
    locked_table, by_access = authorization.lock_table(table, by, *roles.WRITERS)
    pending = lobby.pending_claims(locked_table).exclude(pk=by_access.pk)
    rows = lobby.valid_accesses(locked_table).filter(pk__in=pending)
    waiting = [access for access in rows if authorization.can_change(access, by=by)]
    if waiting:
        _store_denials(locked_table, waiting)
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
    _store_denials(table, [access], is_told=not is_own)
    locks.bump_revision(table)
    return access
