"""The answers of owners and scorers to what a phone says: yes, no, a no taken back, and all at once."""

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
    """Agree that the access's user is this member, or for None the one of the name that they gave.

    It lasts, unless the access of `by` ends tonight. The member's earlier phones lose their access, if `by` may
    end it. A person who is no member yet is added.
    Raise RoleRequired unless `by` may record, ConcurrentChange if the user says something else by now, and
    RuleError if `by` may not confirm.
    """
    return confirm_phones([access], by=by, member=member, keep_earlier=False)[0]


@transaction.atomic
def confirm_phones(
    phones: Sequence[Access], *, by: User, member: Member | None, keep_earlier: bool = True
) -> Sequence[Access]:
    """Agree that all of these are phones of this member, or for None of the one of the name that they gave.

    With `keep_earlier` the member's earlier phones stay theirs. Raise the exceptions of `confirm`.
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
    """Return the access. Raise RuleError if the user of `by_access` may not confirm who its user is."""
    if access.pk == by_access.pk and not authorization.is_last_owner(by_access):
        raise RuleError(_("Another person has to confirm who you are."))
    if by_access.until is not None and access.until is None:
        raise RuleError(
            _("You're here only for tonight: a permanent scorekeeper or owner has to confirm them.")
        )
    return access


def _deny_others(table: Table, person: Member, *, name: str) -> None:
    """Say no to the other phones that said to be this member, or gave this name: that question is answered."""
    others = [
        other.pk
        for other in lobby.valid_accesses(table).filter(confirmed_at=None)
        if other.person == person
        or (name and naming.unaccented_key(other.name) == naming.unaccented_key(name))
    ]
    table.accesses.filter(pk__in=others).update(denied_member=person, denied_name="", **NO_IDENTITY)


# who the user of an access says to be after a no
NO_IDENTITY: dict[str, Any] = {"member": None, "name": "", "confirmed_at": None, "confirmed_by": None}


@transaction.atomic
def undo_denial(access: Access, *, by: User) -> Access:
    """Take a no back: the question who this user is waits for an answer again.

    Raise RoleRequired unless `by` may record, ConcurrentChange if the user says something else by now, and
    RuleError if the name is a member's by now.
    """
    table, _access = authorization.lock_table(access.table, by, *roles.WRITERS)
    access = lobby.reload_valid(table, access)
    if not access.denied_name_shown or access.person or access.name:
        raise ConcurrentChange
    return lobby.store_claim(table, access.user, face=access.denied_member, name=access.denied_name)


def _unchanged(table: Table, accesses: Sequence[Access], member: Member | None) -> Sequence[Access]:
    """Return the accesses as they are now. Raise ConcurrentChange unless their users still say to be this member."""
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
    """Raise RuleError unless `by_access` may add or replace a phone of this member, who has these ones."""
    if by_access.role != Role.OWNER and any(phone.until is None for phone in earlier):
        raise RuleError(_("{name} has a phone here. An owner can change that.", name=member.name))
    for phone in earlier:
        authorization.check_can_change(phone, by=by_access.user)


@transaction.atomic
def confirm_all(table: Table, *, by: User) -> Sequence[Access]:
    """Confirm tonight's faces until the night ends (*son todos*), and return their accesses.

    Left out are `by` themselves, whose access lasts, a face that two phones tapped or that somebody else is
    confirmed to be, who had retired, and names that are no member's yet. Raise RoleRequired unless `by` may record.
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
        Access.objects.bulk_update(sole_claims, ["member"])  # of a merged face the person who it became
        lobby.store_confirmations(locked_table, sole_claims, by=by)
        locks.bump_revision(locked_table)
    return sole_claims


@transaction.atomic
def deny_all(table: Table, *, by: User) -> None:
    """Answer everybody who waits for a yes with no (*ninguno*). Raise RoleRequired unless `by` may record."""
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
    """Take the face from an access (*no es Beto*): its user is nobody at the table.

    The role and the end of the access stay.

    Of an unconfirmed face an owner or a scorer may do so, or the user themselves (*no soy Beto*). A confirmed
    one is changed by another owner or scorer; of one that lasts, by an owner.
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
    known = ("", None) if is_own else (access.name, access.person)  # who took it off themselves knows it
    access.denied_name, access.denied_member = known
    for name, value in NO_IDENTITY.items():
        setattr(access, name, value)
    access.save(update_fields=lobby.CLAIM_FIELDS)
    locks.bump_revision(table)
    return access
