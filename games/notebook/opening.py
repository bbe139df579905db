"""Starting balances: what the members of a table owed each other before it was opened.

They are stored as payments of the method `opening` from creditors to debtors. They add to the balances of the games. To undo them, cancel these payments.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.timezone import now
from django.utils.translation import gettext, override

from games.keys import KeyReused, check_key
from games.locks import lock
from games.models import MOST_MONEY, NAME_LENGTH, Member, Method, Payment, Table
from games.money.balances import People, StaleAccounts, read_accounts
from games.money.booking import PaymentFact, known_under, record_payments
from games.names import likeness, read_name, slug_for
from games.people.members import add_newcomers, newcomers
from games.room import check_seat
from games.rows import Ready
from games.scoring.errors import RuleError
from games.scoring.ledger import Transfer, transfers
from games.scoring.words import Amount, _


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
    seen: str,
    key: str,
    by: User,
    apart: Collection[str] = (),
    at: datetime | None = None,
) -> tuple[Payment, ...]:
    """Record starting balances and return their payments. People who are new become members.

    Raise RuleError if the balances do not add up to zero, and StaleAccounts if the accounts no longer match
    the digest `seen`. A repeated key returns the recorded payments. A new name that differs from a member's
    only in accents is refused, unless it is listed in `apart`.
    """
    check_key(key)
    _check_balances(wanted)
    # Computed before the lock is taken, because it can be slow.
    lines = transfers({str(place): balance.amount for place, balance in enumerate(wanted)})
    with transaction.atomic():
        lock(table)
        is_known = bool(known_under(table, key))
        if not is_known and seen != read_accounts(table).seen:
            raise StaleAccounts
        members = _members(table, wanted, apart, is_known=is_known)
        with override(table.language):
            note = gettext("starting balance")
        paid = opening_facts(lines, {str(place): member for place, member in enumerate(members)}, note)
        return record_payments(table, paid, key=key, by=by, at=at or now())


def opening_facts(lines: Sequence[Transfer], members: Mapping[str, Member], note: str) -> list[PaymentFact]:
    """Return payments of the method `opening` that produce the balances which `lines` would settle.

    Each payment is the reverse of a line. `members` has each member by the key that the lines use.
    """
    return [
        PaymentFact(members[line.payee], members[line.payer], line.amount, Method.OPENING, note)
        for line in lines
    ]


def has_opening(table: Table) -> bool:
    """Return whether a starting balance counts at this table."""
    return table.payments.counting().filter(method=Method.OPENING).exists()


def newest_opening(table: Table) -> int:
    """Return the id of the newest payment of the method `opening`, cancelled or not; 0 if there is none."""
    newest = table.payments.filter(method=Method.OPENING).aggregate(number=Max("pk"))["number"]
    return newest or 0


def _check_balances(wanted: Sequence[StartingBalance]) -> None:
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


def _members(
    table: Table, wanted: Sequence[StartingBalance], apart: Collection[str], *, is_known: bool
) -> list[Member]:
    """Return the member of each balance. People who are new are added to the table.

    With `is_known`, an earlier request under the same key has added them.
    """
    people = People.of(table)
    if any(balance.slug and balance.slug not in people.by_slug for balance in wanted):
        raise RuleError(_("No member has this id."), field="balances")
    names = ["" if balance.slug else read_name(balance.name, longest=NAME_LENGTH) for balance in wanted]
    coming = people.own if is_known else _added(table, [name for name in names if name], people, apart)
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


def _added(table: Table, names: Sequence[str], people: People, apart: Collection[str]) -> Sequence[Member]:
    """Add new members with these names to the table and return them.

    `people` are the members so far. A name in `apart` may differ from a member's only in accents.
    """
    if not names:
        return ()
    check_seat(table, coming=len(names))
    slugs: dict[str, str] = {}
    for name in names:
        slugs[slug_for(name, {*people.by_slug, *slugs})] = name
    coming = Ready(newcomers(table, people.members, slugs))
    add_newcomers(table, coming, apart=apart)
    return coming.rows
