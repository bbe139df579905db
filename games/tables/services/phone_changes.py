"""An owner's new phone: what others may say about it while the old one keeps its access.

The claim itself is confirmed (`confirmations.py`) only from the owner's other phones, by whoever made them an
owner or, if they took over the table, by any owner. Everybody else who records lends the new phone the pen
for the night. If the owner is a guest without a password, people who were confirmed before this night vouch
that it is the same person (`vouches.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.common import days, locks, roles
from games.common.locks import ConcurrentChange
from games.common.roles import RoleRequired
from games.models import Access, Role
from games.tables.services import authorization, lobby, pens, vouches


def can_lend(claim: Access, confirmed: Sequence[Access], access: Access) -> bool:
    """Return whether the user of `access` may give this owner's new phone the pen, but not confirm the claim.

    `confirmed` are the phones that are confirmed to be the claimed person's.
    """
    return (
        bool(vouches.find_owner_phones(claim, confirmed))
        and access.role in roles.WRITERS
        and access.user_id != claim.user_id
        and not authorization.can_confirm([claim], confirmed, access)
    )


def can_vouch(claim: Access, confirmed: Sequence[Access], access: Access) -> bool:
    """Return whether the user of `access` may say that this is the new phone of an owner.

    They were confirmed before this night, and the owner has no password to sign in with.
    """
    return (
        vouches.can_be_vouched_for(vouches.find_owner_phones(claim, confirmed))
        and access.is_lasting
        and vouches.is_active(access)
        and access.person != claim.person
        and access.confirmed_at is not None
        and access.confirmed_at < days.night_bounds(days.night_for(now(), claim.table), claim.table)[0]
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
    confirmed = lobby.confirmed_phones(claim, phones)
    if not can_lend(claim, confirmed, access):
        raise ConcurrentChange
    pens.store_pen(claim)
    if can_vouch(claim, confirmed, access):
        vouches.store(claim, access, phones)
    locks.bump_revision(table)


@transaction.atomic
def vouch(claim: Access, *, by: User) -> None:
    """Store that `by` says this is the new phone of the owner whom it claims to be. Repeating it is harmless.

    Lock the table. Raise RoleRequired unless `by` may say so.
    """
    table, access = authorization.lock_table(claim.table, by, *Role)
    phones = list(lobby.valid_accesses(table))
    claim, access = _reload(claim, phones), _reload(access, phones)
    if not can_vouch(claim, lobby.confirmed_phones(claim, phones), access):
        raise RoleRequired("", needed=Role.SCORER)
    vouches.store(claim, access, phones)
    locks.bump_revision(table)


def _reload(access: Access, phones: Iterable[Access]) -> Access:
    stored = next((phone for phone in phones if phone.pk == access.pk), None)
    if stored is None:
        raise ConcurrentChange
    return stored
