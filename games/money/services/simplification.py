"""Simplify (simplificar): settle the debts of all who still play here anew, by the fewest payments."""

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
    """The debts between those concerned, by slug, before and after, and the version of the accounts seen."""

    before: Debts
    after: Debts
    seen: int

    @property
    def saves(self) -> int:
        return len(self.before) - len(self.after)


def preview(table: Table, people: People) -> Simplification:
    """Return what simplifying would do now: the list of debts as it is, and as it would be."""
    ledger, before, seen = _apply(table, people, at=now(), by=None)
    return Simplification(before, ledger.debts, seen)


@transaction.atomic
def simplify(table: Table, *, seen: int, by: User, at: datetime | None = None) -> None:
    """Settle the debts anew. Raise StaleAccounts if they changed since the preview; a second tap does nothing."""
    locks.lock(table)
    ledger, before, latest_number = _apply(table, People.of(table), at=at or now(), by=by)
    if ledger.debts == before:
        return
    if seen != latest_number:
        raise StaleAccounts
    ledger.store(locks.bump_version(table))


def _apply(table: Table, people: People, *, at: datetime, by: User | None) -> tuple[Ledger, Debts, int]:
    """Return the ledger after simplifying, not stored, and the debts and the newest entry's number before."""
    ledger = Ledger(table, at=at, by=by, people=people)
    before, latest_number, night = ledger.debts, ledger.latest_number, days.night_for(at, table)
    slugs = [member.slug for member in ledger.people.current_members if member.retired_at is None]
    ledger.simplify(slugs, night=night)
    return ledger, before, latest_number
