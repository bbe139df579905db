"""Starting balances: the debts among members from before the table was opened.

They are one ledger entry, whose differences are the balances. Its reversal voids them. The services lock the
table but check no roles: the caller makes sure that the user is an owner.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from games.common import days, locks
from games.common.locks import IdempotencyKeyReused
from games.models import KEY_LENGTH, MOST_MONEY, Entry, EntryKind, Table
from games.money.services import accounting
from games.money.services.accounting import StaleAccounts
from games.money.services.ledgers import Ledger
from games.money.services.movements import AlreadyVoided
from games.scoring.errors import RuleError
from games.scoring.i18n import MoneyParam, _
from games.tables.services.roster import People

REVERSAL_KEY_PREFIX = "back "  # a reversal's key is this and the number of the entry that it voids
AGAIN = "+"  # before the key of balances that are imported again, because the reverted entry keeps its key


def record(
    table: Table,
    balances: Mapping[str, int],
    *,
    seen: int,
    key: str,
    by: User,
    at: datetime | None = None,
) -> Entry:
    """Record starting balances by member id, and return their entry. Above zero, they are owed to the member.

    A repeated key returns the stored entry. Raise RuleError if the balances do not add up to zero,
    StaleAccounts if `seen` is no longer the number of the table's newest entry, IdempotencyKeyReused if the
    key has other balances, and AlreadyVoided if they were voided since.
    """
    locks.check_key(key)
    if key.startswith(REVERSAL_KEY_PREFIX):
        raise IdempotencyKeyReused
    check_balances(balances.values())
    with transaction.atomic():
        locks.lock(table)
        known = table.entries.filter(key=key).first()
        if known is None and seen != accounting.latest_entry_number(table):
            raise StaleAccounts
        differences = _clean_balances(table, balances)
        if known is not None:
            if known.differences != differences:
                raise IdempotencyKeyReused
            if not list_valid(table).filter(pk=known.pk).exists():
                raise AlreadyVoided(_("These balances were already voided."))
            return known
        recorded_at = at or now()
        ledger = Ledger(table, at=recorded_at, by=by)
        ledger.post(EntryKind.OPENED, differences, night=days.night_for(recorded_at, table), key=key)
        ledger.store(locks.bump_version(table))
        return table.entries.get(key=key)


@transaction.atomic
def void(table: Table, number: int, *, by: User, at: datetime | None = None) -> None:
    """Void the starting balances with this entry number. Raise RuleError if there are no valid ones."""
    locks.lock(table)
    entry = list_valid(table).filter(number=number).first()
    if entry is None:
        raise RuleError(_("These balances were already voided."))
    ledger = Ledger(table, at=at or now(), by=by)
    # the key is unique, so that an entry is voided only once
    ledger.reverse(EntryKind.UNOPENED, entry, key=f"{REVERSAL_KEY_PREFIX}{number}")
    ledger.store(locks.bump_version(table))


def list_valid(table: Table) -> QuerySet[Entry]:
    """Return the entries of starting balances that are not voided, oldest first."""
    kinds = (EntryKind.OPENED, EntryKind.UNOPENED)
    valid_entries = exclude_voided(table.entries.filter(kind__in=kinds).only("number", "kind", "key"))
    return table.entries.filter(number__in=[entry.number for entry in valid_entries])


def exclude_voided(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries of starting balances among these that none of them voids."""
    openings = {entry.number: entry for entry in entries if entry.kind == EntryKind.OPENED}
    for entry in entries:
        if entry.kind == EntryKind.UNOPENED and entry.key:
            openings.pop(int(entry.key.removeprefix(REVERSAL_KEY_PREFIX)), None)
    return list(openings.values())


def original_key(entry: Entry) -> str:
    """Return the key that identifies these balances, however often they were imported."""
    return (entry.key or "").lstrip(AGAIN)


def find_free_key(entry: Entry, used_keys: Collection[str | None]) -> str | None:
    """Return a key for importing these balances, None if no key fits."""
    key = entry.key or ""
    while key in used_keys:
        key = f"{AGAIN}{key}"
    is_valid = 0 < len(key) <= KEY_LENGTH and not key.startswith(REVERSAL_KEY_PREFIX)
    return key if is_valid else None


def check_balances(balances: Collection[int]) -> None:
    """Raise RuleError unless these balances add up to zero, and one of them is not zero."""
    if any(abs(balance) > MOST_MONEY for balance in balances):
        raise RuleError(_("A balance is at most {most}.", most=MoneyParam(MOST_MONEY)), field="balances")
    total, total_owed = sum(balances), sum(balance for balance in balances if balance > 0)
    if total:
        sums = {
            "short": MoneyParam(abs(total)),
            "owed": MoneyParam(total_owed),
            "owing": MoneyParam(total_owed - total),
        }
        text = (
            _("Debts are {short} short: people owe {owing} and are owed {owed}.", **sums)
            if total > 0
            else _("Amounts owed to people are {short} short: they are owed {owed} and owe {owing}.", **sums)
        )
        raise RuleError(text, field="balances")
    if not any(balances):
        raise RuleError(_("Enter at least one balance."), field="balances")


def _clean_balances(table: Table, balances: Mapping[str, int]) -> dict[str, int]:
    """Return the nonzero balances by slug, with merged members resolved to current ones."""
    by_slug = People.of(table).by_slug
    if not balances.keys() <= by_slug.keys():
        raise RuleError(_("No member has this id."), field="balances")
    people = [by_slug[slug].slug for slug in balances]
    if len(set(people)) < len(people):
        raise RuleError(_("Someone is named twice."), field="balances")
    return {slug: balance for slug, balance in zip(people, balances.values(), strict=True) if balance}
