"""Carry a table's balances over to a new table with another unit (currency).

Each balance is divided by the rate (old units for one new unit) and rounded down to the new unit's smallest
coin. After rounding, the sum is below zero. The missing coins go one each to the members who lost most by
rounding; on a tie, to the member who joined earlier. The new table begins with payments of the method
`opening` from creditors to debtors, which produce the balances. At the old table, payments of the same method
along its plan settle all balances; its history stays. To undo this, cancel the payments at both tables.
Claims, grants and invitations are not carried over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from math import floor

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext, override

from games.changes import tell
from games.keys import check_key
from games.locks import lock
from games.models import MOST_ACTIVE, MOST_MONEY, Change, ChangeKind, Member, Method, Table
from games.money.balances import Account, Balances, Line, StaleAccounts, read_accounts, to_settle
from games.money.booking import PaymentFact, record_payments
from games.notebook.opening import opening_facts
from games.people.tables import open_table, parts_of
from games.rows import Ready
from games.scoring.errors import RuleError
from games.scoring.ledger import transfers
from games.scoring.words import Text, _


@dataclass(frozen=True)
class NewTable:
    """The new table to create: its name, its unit, and the rate."""

    name: str
    unit: str
    decimals: int
    rate: Fraction


@dataclass(frozen=True)
class CarryOverPreview:
    """Everybody's balance at the old table and at the new table.

    `wrong` is the reason why the balances cannot be carried over, or None.
    """

    wanted: NewTable
    before: Sequence[Account]  # the accounts, at the old table, of the members who come along
    after: Balances
    lines: Sequence[Line]  # the lines of the old table's plan, which will be settled
    wrong: Text | None

    @property
    def seen(self) -> str:
        """A digest of the whole preview. Any change of the preview changes the digest."""
        content = [
            [self.wanted.name, self.wanted.unit, self.wanted.decimals, str(self.wanted.rate)],
            [
                [account.member.slug, account.balance, self.after[account.member.slug]]
                for account in self.before
            ],
            [[line.payer.slug, line.payee.slug, line.left] for line in self.lines],
        ]
        return sha256(json.dumps(content).encode()).hexdigest()[:16]


def preview_carry_over(table: Table, wanted: NewTable) -> CarryOverPreview:
    """Return a preview of the balances at the new table. Raise RuleError if a part of `wanted` is wrong."""
    place = {"language": table.language, "timezone": table.timezone, "region": table.region}
    parts = parts_of(wanted.name, unit=wanted.unit, decimals=wanted.decimals, **place)
    if wanted.rate <= 0:
        raise RuleError(_("The rate must be more than zero."), field="rate")
    accounts = read_accounts(table)
    going = [
        account
        for account in accounts.accounts.values()
        if account.balance or account.member.retired_at is None
    ]
    coins = Fraction(10 ** parts["decimals"], 10**table.decimals) / wanted.rate
    after = in_coins({account.member.slug: account.balance for account in going}, coins)
    wrong = _why_not(table, going, after)
    wanted = NewTable(parts["name"], parts["unit"], parts["decimals"], wanted.rate)
    return CarryOverPreview(wanted, going, after, accounts.to_pay, wrong)


def in_coins(balances: Balances, coins: Fraction) -> dict[str, int]:
    """Convert balances that add up to zero to whole new coins. One old coin is worth `coins` new coins."""
    exact = {slug: balance * coins for slug, balance in balances.items()}
    whole = {slug: floor(amount) for slug, amount in exact.items()}
    lost = sorted(
        exact, key=lambda slug: whole[slug] - exact[slug]
    )  # sorting is stable: on a tie, the member who joined earlier comes first
    for slug in lost[: -sum(whole.values())]:
        whole[slug] += 1
    return whole


def carry_over(
    table: Table, wanted: NewTable, *, seen: str, key: str, by: User, at: datetime | None = None
) -> Table:
    """Create the new table with everybody's balance and return the table.

    A repeated key returns the same table.

    Raise RuleError if the balances cannot be carried over, and StaleAccounts if the preview no longer matches
    the digest `seen`.
    """
    check_key(key)
    opened_at = at or now()
    with transaction.atomic():
        lock(table)
        new_table = open_table(
            by, wanted.name, unit=wanted.unit, decimals=wanted.decimals,
            language=table.language, timezone=table.timezone, region=table.region, key=key, at=opened_at,
        )  # fmt: skip
        if new_table.members.exists():  # the key was used before
            return new_table
        preview = preview_carry_over(table, wanted)
        if preview.wrong is not None:
            raise RuleError(preview.wrong)
        if preview.seen != seen:
            raise StaleAccounts
        members = _come_along(new_table, preview.before)
        with override(table.language):
            came = gettext("comes from the table “%(name)s”") % {"name": table.name}
            went = gettext("went to the new table “%(name)s”") % {"name": new_table.name}
        _open_balances(new_table, members, preview.after, came, key=key, by=by, at=opened_at)
        settled = [
            PaymentFact(line.payer, line.payee, line.left, Method.OPENING, went) for line in preview.lines
        ]
        if settled:
            record_payments(table, settled, key=key, by=by, at=opened_at)
    return new_table


def _come_along(new_table: Table, accounts: Sequence[Account]) -> Mapping[str, Member]:
    """Copy the members of these accounts to the new table and return the copies by slug."""
    coming = Ready(
        Member(
            table=new_table, slug=member.slug, name=member.name, colour=member.colour, account=member.account,
            retired_at=member.retired_at,
        )
        for member in (account.member for account in accounts)
    )  # fmt: skip
    coming.insert()
    tell(new_table, *(Change(what=ChangeKind.MEMBER_ADDED, member=member) for member in coming.rows))
    return {member.slug: member for member in coming.rows}


def _open_balances(
    new_table: Table,
    members: Mapping[str, Member],
    balances: Balances,
    note: str,
    *,
    key: str,
    by: User,
    at: datetime,
) -> None:
    paid = opening_facts(transfers(balances), members, note)
    if paid:
        record_payments(new_table, paid, key=key, by=by, at=at)


def _why_not(table: Table, going: Sequence[Account], after: Balances) -> Text | None:
    """Return the reason why this table's balances cannot be carried over, or None if they can be.

    `going` are the accounts to carry over, and `after` the balances that they would have at the new table.
    """
    if sum(account.member.retired_at is None for account in going) > MOST_ACTIVE:
        return _(
            "At most {most} people can play at a table. Remove one from the next games first.",
            most=MOST_ACTIVE,
        )
    if table.games.filter(ended_at=None, discarded_at=None).exists():
        return _("A game under way still uses the old unit. End it first.")
    if to_settle(table).exists():
        return _("A payment is still unconfirmed: confirm or dispute it first.")
    if any(abs(amount) > MOST_MONEY for amount in (*after.values(), *(account.balance for account in going))):
        return _("These amounts are too large to carry over.")
    return None
