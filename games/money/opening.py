"""Starting balances: what the members of a table owed each other before it was opened.

They are one entry of the ledger, whose differences are the balances. Taking them back is another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from games.common.days import night_of
from games.common.locks import KeyReused, check_key, lock, raise_version
from games.common.names import likeness, read_name, slug_for
from games.common.roles import check_seat
from games.common.rows import Ready
from games.models import MOST_MONEY, NAME_LENGTH, Entry, EntryKind, Member, Table
from games.money.balances import StaleAccounts, newest_entry
from games.money.booking import TakenBack
from games.money.debts import Ledger
from games.scoring.errors import RuleError
from games.scoring.words import Amount, _
from games.tables.members import add_newcomers, newcomers
from games.tables.people import People

BACK = "back "  # the key of an entry that takes balances back: this and their number


@dataclass(frozen=True)
class StartingBalance:
    """One person's starting balance: above zero it is owed to them, below zero they owe it.

    `slug` is the member's id; "" for somebody new, who is called `name`.
    """

    amount: int
    slug: str = ""
    name: str = ""


def open_balances(
    table: Table,
    wanted: Sequence[StartingBalance],
    *,
    seen: int,
    key: str,
    by: User,
    at: datetime | None = None,
) -> Entry:
    """Record starting balances and return their entry. People who are new become members.

    Raise RuleError if the balances do not add up to zero, and StaleAccounts if `seen` is no longer the number
    of the table's newest entry. A repeated key returns the recorded entry, and raises KeyReused if it says
    something else, or TakenBack if it was taken back since.
    """
    check_key(key)
    if key.startswith(BACK):
        raise KeyReused
    check_balances(wanted)
    with transaction.atomic():
        lock(table)
        known = table.entries.filter(key=key).first()
        if known is None and seen != newest_entry(table):
            raise StaleAccounts
        members = _members(table, wanted, is_known=known is not None)
        differences = {
            member.slug: balance.amount
            for member, balance in zip(members, wanted, strict=True)
            if balance.amount
        }
        if known is not None:
            if known.differences != differences:
                raise KeyReused
            if not openings_of(table).filter(pk=known.pk).exists():
                raise TakenBack(_("These balances were taken back already."))
            return known
        recorded_at = at or now()
        ledger = Ledger(table, at=recorded_at, by=by)
        ledger.enter(EntryKind.OPENED, differences, night=night_of(recorded_at, table), key=key)
        ledger.store()
        raise_version(table)
        return table.entries.get(key=key)


@transaction.atomic
def take_balances_back(table: Table, number: int, *, by: User, at: datetime | None = None) -> None:
    """Take back the starting balances with this entry number. Raise RuleError if there are none to take back."""
    lock(table)
    entry = openings_of(table).filter(number=number).first()
    if entry is None:
        raise RuleError(_("These balances were taken back already."))
    taken_at = at or now()
    ledger = Ledger(table, at=taken_at, by=by)
    # the key of the entry that takes it back names it: taken back once
    ledger.take_back(EntryKind.UNOPENED, entry, night=night_of(taken_at, table), key=f"{BACK}{number}")
    ledger.store()
    raise_version(table)


def openings_of(table: Table) -> QuerySet[Entry]:
    """Return the entries of starting balances that stand, oldest first."""
    kinds = (EntryKind.OPENED, EntryKind.UNOPENED)
    standing = standing_among(table.entries.filter(kind__in=kinds).only("number", "kind", "key"))
    return table.entries.filter(number__in=[entry.number for entry in standing])


def standing_among(entries: Iterable[Entry]) -> list[Entry]:
    """Return those of these entries that are starting balances and were not taken back."""
    openings = {entry.number: entry for entry in entries if entry.kind == EntryKind.OPENED}
    for entry in entries:
        if entry.kind == EntryKind.UNOPENED and entry.key:
            openings.pop(int(entry.key.removeprefix(BACK)), None)
    return list(openings.values())


def check_balances(wanted: Sequence[StartingBalance]) -> None:
    """Raise RuleError unless there is a balance, and all add up to zero."""
    if any(abs(balance.amount) > MOST_MONEY for balance in wanted):
        raise RuleError(_("A balance is at most {most}.", most=Amount(MOST_MONEY)), field="balances")
    total = sum(balance.amount for balance in wanted)
    if total:
        raise RuleError(
            _("Amounts owed and debts must be equal. They differ by {amount}.", amount=Amount(abs(total))),
            field="balances",
        )
    if not any(balance.amount for balance in wanted):
        raise RuleError(_("Enter at least one balance."), field="balances")


def _members(table: Table, wanted: Sequence[StartingBalance], *, is_known: bool) -> list[Member]:
    """Return the member of each balance, those who are new added unless the request `is_known`."""
    people = People.of(table)
    if any(balance.slug and balance.slug not in people.by_slug for balance in wanted):
        raise RuleError(_("No member has this id."), field="balances")
    names = ["" if balance.slug else read_name(balance.name, longest=NAME_LENGTH) for balance in wanted]
    coming = people.own if is_known else _added(table, [name for name in names if name], people)
    by_name = {likeness(member.name): member for member in coming}
    if any(name and likeness(name) not in by_name for name in names):
        raise KeyReused
    members = [
        by_name[likeness(name)] if name else people.by_slug[balance.slug]
        for balance, name in zip(wanted, names, strict=True)
    ]
    if len(set(members)) != len(members):
        raise RuleError(_("A person is named twice."), field="balances")
    return members


def _added(table: Table, names: Sequence[str], people: People) -> Sequence[Member]:
    """Add new members with these names and return them."""
    if not names:
        return ()
    check_seat(table, coming=len(names))
    slugs: dict[str, str] = {}
    for name in names:
        slugs[slug_for(name, {*people.by_slug, *slugs})] = name
    coming = Ready(newcomers(table, people.members, slugs))
    add_newcomers(table, coming)
    return coming.rows
