"""Simplify (simplificar): settle the debts of all active members anew with the fewest payments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.common import days, locks
from games.models import Table
from games.money.services.accounting import StaleAccounts
from games.money.services.ledgers import Ledger
from games.scoring.debts import Debts
from games.tables.services.roster import People


@dataclass(frozen=True)
class Simplification:
    """All debts of the table by slug, before and after, and the version of the accounts (`seen`)."""

    before: Debts
    after: Debts
    seen: int

    @property
    def saves(self) -> int:
        return len(self.before) - len(self.after)


def preview(table: Table, people: People) -> Simplification:
    """Return the debts as they are and as they would be after simplifying. Nothing is written."""
    ledger, before, seen = _apply(table, people, at=now(), by=None)
    return Simplification(before, ledger.debts, seen)


@transaction.atomic
def simplify(table: Table, *, seen: int, by: User, at: datetime | None = None) -> None:
    """Settle the debts anew; if that saves no payment, as on a second tap, do nothing. Lock the table.

    Raise StaleAccounts if `seen` is no longer the number of the table's newest entry.
    """
    locks.lock(table)
    ledger, before, latest_number = _apply(table, People.of(table), at=at or now(), by=by)
    if ledger.debts == before:
        return
    if seen != latest_number:
        raise StaleAccounts
    ledger.store(locks.bump_version(table))


def _apply(table: Table, people: People, *, at: datetime, by: User | None) -> tuple[Ledger, Debts, int]:
    """Return the simplified, unsaved ledger, with the debts and the newest entry number from before."""
    ledger = Ledger(table, at=at, by=by, people=people)
    before, latest_number, night = ledger.debts, ledger.latest_number, days.night_for(at, table)
    slugs = [member.slug for member in ledger.people.current_members if member.retired_at is None]
    ledger.simplify(slugs, night=night)
    return ledger, before, latest_number
