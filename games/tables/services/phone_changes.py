"""An owner's new phone: what others may say about it while the old one keeps its access.

Only the owner's other phones, who made them an owner, or any owner of one who took over, confirm the claim itself
(`confirmations.py`). Everybody else who records lends the new phone the pen for the night. If the owner is a guest
without a password, people who were confirmed before this night say that it is the same person: after two of them,
the new phone takes over beside the old one in seven days (`takeovers.py`), unless the old one sends a request.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.common import days, locks, roles
from games.common.locks import ConcurrentChange
from games.common.roles import RoleRequired
from games.models import Access, Role, Table, Vouch
from games.tables.services import authorization, confirmations, lobby, pens, takeovers


def find_owner_phones(claim: Access, phones: Iterable[Access]) -> list[Access]:
    """Return the owners' phones of the person whom a pending access claims to be; [] if it does not wait."""
    if claim.person is None or claim.confirmed_at is not None:
        return []
    return [
        phone
        for phone in phones
        if phone.is_confirmed and phone.role == Role.OWNER and phone.person == claim.person
    ]


def can_lend(claim: Access, phones: Sequence[Access], access: Access) -> bool:
    """Return whether the user of `access` may give this owner's new phone the pen, but not confirm the claim.

    `phones` are the table's valid accesses.
    """
    owner_phones = find_owner_phones(claim, phones)
    earlier = [phone for phone in phones if phone.is_confirmed and phone.person == claim.person]
    is_theirs = access.user_id == claim.user_id
    can_confirm = confirmations.can_confirm([claim], earlier, access)
    return bool(owner_phones) and access.role in roles.WRITERS and not is_theirs and not can_confirm


def can_vouch(claim: Access, phones: Sequence[Access], access: Access) -> bool:
    """Return whether the user of `access` may say that this is the new phone of an owner.

    They were confirmed before this night, and the owner has no password to sign in with.
    """
    owner_phones = find_owner_phones(claim, phones)
    tonight = days.night_bounds(days.night_for(now(), claim.table), claim.table)[0]
    return (
        bool(owner_phones)
        and not any(phone.user.has_usable_password() for phone in owner_phones)
        and access.is_lasting
        and pens.is_active(access)
        and access.person != claim.person
        and access.confirmed_at is not None
        and access.confirmed_at < tonight
    )


@transaction.atomic
def lend_pen(claim: Access, *, by: User) -> None:
    """Give an owner's new phone the pen for this night (*sí, por esta noche*), and say that it is theirs.

    The second half counts only if `by` may say so (`can_vouch`). Lock the table. Raise RoleRequired unless
    `by` records here, and ConcurrentChange if the claim has changed.
    """
    table, access = authorization.lock_table(claim.table, by, *roles.WRITERS)
    phones = list(lobby.valid_accesses(table))
    claim, access = _reload(claim, phones), _reload(access, phones)
    if not can_lend(claim, phones, access):
        raise ConcurrentChange
    pens.store_pen(table, claim.user, by=by)
    if can_vouch(claim, phones, access):
        _store_vouch(table, claim, access)
    locks.bump_revision(table)


@transaction.atomic
def vouch(claim: Access, *, by: User) -> None:
    """Store that `by` says this is the new phone of the owner whom it claims to be. Repeating it is harmless.

    Lock the table. Raise RoleRequired unless `by` may say so.
    """
    table, access = authorization.lock_table(claim.table, by, *Role)
    phones = list(lobby.valid_accesses(table))
    claim, access = _reload(claim, phones), _reload(access, phones)
    if not can_vouch(claim, phones, access):
        raise RoleRequired("", needed=Role.SCORER)
    _store_vouch(table, claim, access)
    locks.bump_revision(table)


def _reload(access: Access, phones: Iterable[Access]) -> Access:
    stored = next((phone for phone in phones if phone.pk == access.pk), None)
    if stored is None:
        raise ConcurrentChange
    return stored


def _store_vouch(table: Table, claim: Access, access: Access) -> None:
    assert access.person is not None
    Vouch.objects.get_or_create(access=claim, user=access.user, defaults={"member": access.person})
    if claim.vouched_at is None and takeovers.count_vouchers(claim) >= takeovers.VOUCHERS:
        takeovers.start_question(table, claim)
