"""The setting *always the fewest payments* (siempre los menos pagos) of a table (RULES 1.3).

With it, every ledger entry ends with settling all debts anew, which `Ledger.finish` does. What frees a debt
and moves nothing, such as a denied claim, settles anew by an entry of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext

from games.common import days, locks, roles
from games.common.roles import RoleRequired
from games.models import Access, EntryKind, Role, Table
from games.money.services.accounting import StaleAccounts
from games.money.services.ledgers import Ledger
from games.scoring.debts import Debts, is_unchanged
from games.tables.services import authorization, membership
from games.tables.services.roster import People


@dataclass(frozen=True)
class FewestPreview:
    """All debts of the table by slug, before and after a change of the setting.

    `seen` is the version of the accounts.
    """

    before: Debts
    after: Debts
    seen: int


def preview(table: Table, people: People, *, is_on: bool = True) -> FewestPreview:
    """Return the debts as they are, and as the change of the setting would leave them. Write nothing."""
    ledger = Ledger(table, at=now(), people=people)
    before, seen = ledger.debts, ledger.latest_number
    if is_on and not ledger.is_fewest:
        ledger.settle_anew(night=days.night_for(now(), table))
    return FewestPreview(before, ledger.debts, seen)


def can_change(access: Access) -> bool:
    """Return whether this user may change the setting: owners and scorers, unless they record only tonight."""
    return access.role in roles.WRITERS and access.until is None


@transaction.atomic
def update(table: Table, *, is_on: bool, seen: int, by: User, at: datetime | None = None) -> None:
    """Turn the setting on or off; on a second tap, do nothing. Lock the table.

    Turning it on settles the debts anew: raise StaleAccounts if that changes them and `seen` is no longer the
    number of the table's newest entry. Turning it off leaves the debts as they are. Raise RoleRequired unless
    the user may record for good.
    """
    locked, access = authorization.lock_table(table, by, *roles.WRITERS)
    if not can_change(access):
        message = gettext("Someone who records only tonight can't change this.")
        raise RoleRequired(message, needed=Role.SCORER)
    done_at = at or now()
    if locked.always_fewest == is_on:
        return
    if is_on:
        ledger = Ledger(table, at=done_at, by=by)
        before, latest_number = ledger.debts, ledger.latest_number
        ledger.settle_anew(night=days.night_for(done_at, table))
        if ledger.debts != before and seen != latest_number:
            raise StaleAccounts
        ledger.store(locks.bump_version(table))
    else:
        locks.bump_version(table)
    table.always_fewest = is_on
    table.save(update_fields=["always_fewest"])
    locks.bump_revision(table)


def resettle(
    table: Table, *, version: int, at: datetime, by: User | None, people: People | None = None
) -> None:
    """If the setting is on, settle anew after something freed a debt and moved nothing.

    The caller holds the table's lock; `version` is the table's version after the write.
    """
    ledger = Ledger(table, at=at, by=by, people=people)
    if ledger.is_fewest:
        ledger.settle_anew(night=days.night_for(at, table))
        ledger.store(version)


def undo_resettling(
    table: Table, settled_at: datetime, *, version: int, at: datetime, by: User, people: People
) -> None:
    """Take back the entry that `resettle` made at this moment, if the debts are still as it left them."""
    entry = table.entries.filter(kind=EntryKind.SIMPLIFIED, at=settled_at).last()
    ledger = Ledger(table, at=at, by=by, people=people)
    if entry and is_unchanged(ledger.debts, list(entry.differences), people.read_lines(entry.after)):
        ledger.reverse(EntryKind.SIMPLIFIED, entry)
        ledger.store(version)


def follow_members() -> None:
    """Settle anew whenever a member retires or plays again."""

    def settle(table: Table, version: int) -> None:
        resettle(table, version=version, at=now(), by=None)

    membership.status_listeners.append(settle)
