"""From now on a table plays for something else: a new table with its people, which begins with what they owe each other.

Each balance is divided by a rate, how many of the old unit one of the new one is, and rounded down to the smallest coin
of the new unit; the coins that are missing from a sum of zero go one each to whoever lost most by that, of several to
who came first. The new table begins with payments of method `opening`, as few as a plan has lines, from creditor to
debtor: who is owed has given that much already. At the old table payments of the same method, along its plan, settle
everybody, so that nobody is asked twice; its books and its history stay as they are. Whoever takes it back cancels them,
there and here. Claims, grants and invitations stay behind.
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
from games.models import MOST_ACTIVE, MOST_MONEY, Change, Member, Method, Table, What
from games.money.balances import Account, Balances, Line, StaleAccounts, read_accounts, to_settle
from games.money.booking import Paid, record_payments
from games.people.tables import open_table, parts_of
from games.rows import Ready
from games.scoring.errors import RuleError
from games.scoring.ledger import transfers
from games.scoring.words import Text, _


@dataclass(frozen=True)
class Wanted:
    """The table that is to be opened: what it plays for, and how many of the old unit one of that is."""

    name: str
    unit: str
    decimals: int
    rate: Fraction


@dataclass(frozen=True)
class Carried:
    """What becomes of everybody's balance at a new table; `wrong` says why it cannot be opened."""

    wanted: Wanted
    before: Sequence[Account]  # of who goes along
    after: Balances
    lines: Sequence[Line]  # of the old table's plan, which are settled
    wrong: Text | None

    @property
    def seen(self) -> str:
        """A short name for all of it, which changes with any of it."""
        told = [
            [self.wanted.name, self.wanted.unit, self.wanted.decimals, str(self.wanted.rate)],
            [[one.member.slug, one.balance, self.after[one.member.slug]] for one in self.before],
            [[line.payer.slug, line.payee.slug, line.left] for line in self.lines],
        ]
        return sha256(json.dumps(told).encode()).hexdigest()[:16]


def carried(table: Table, wanted: Wanted) -> Carried:
    """What would become of the balances; RuleError where no table can be opened like that."""
    place = {"language": table.language, "timezone": table.timezone}
    parts = parts_of(wanted.name, unit=wanted.unit, decimals=wanted.decimals, **place)
    if wanted.rate <= 0:
        raise RuleError(_("One of the new unit is more than nothing of the old one."), field="rate")
    accounts = read_accounts(table)
    going = [one for one in accounts.accounts.values() if one.balance or one.member.retired_at is None]
    coins = Fraction(10 ** parts["decimals"], 10**table.decimals) / wanted.rate
    after = in_coins({one.member.slug: one.balance for one in going}, coins)
    wrong = _why_not(table, going, after)
    wanted = Wanted(parts["name"], parts["unit"], parts["decimals"], wanted.rate)
    return Carried(wanted, going, after, accounts.to_pay, wrong)


def in_coins(balances: Balances, coins: Fraction) -> dict[str, int]:
    """Balances that add up to zero, each in whole coins of which there are so many in one of before."""
    exact = {slug: balance * coins for slug, balance in balances.items()}
    whole = {slug: floor(amount) for slug, amount in exact.items()}
    lost = sorted(
        exact, key=lambda slug: whole[slug] - exact[slug]
    )  # in the order they came, where it is as much
    for slug in lost[: -sum(whole.values())]:
        whole[slug] += 1
    return whole


def carry_over(
    table: Table, wanted: Wanted, *, seen: str, key: str, by: User, at: datetime | None = None
) -> Table:
    """The new table, with everybody's balance; the same key gives the same table.

    RuleError where it cannot be opened; StaleAccounts where it would not come out as it was `seen`.
    """
    check_key(key)
    opened_at = at or now()
    with transaction.atomic():
        lock(table)
        opened = open_table(
            by, wanted.name, unit=wanted.unit, decimals=wanted.decimals,
            language=table.language, timezone=table.timezone, key=key, at=opened_at,
        )  # fmt: skip
        if opened.members.exists():  # a tap repeated
            return opened
        found = carried(table, wanted)
        if found.wrong is not None:
            raise RuleError(found.wrong)
        if found.seen != seen:
            raise StaleAccounts
        members = _come_along(opened, found.before)
        with override(table.language):
            came = gettext("comes from the table “%(name)s”") % {"name": table.name}
            went = gettext("went to the new table “%(name)s”") % {"name": opened.name}
        _open_balances(opened, members, found.after, came, key=key, by=by, at=opened_at)
        settled = [Paid(line.payer, line.payee, line.left, Method.OPENING, went) for line in found.lines]
        if settled:
            record_payments(table, settled, key=key, by=by, at=opened_at)
    return opened


def _come_along(opened: Table, accounts: Sequence[Account]) -> Mapping[str, Member]:
    """The people of the new table by id: names, colours and where to send money as they were, and who they are open."""
    coming = Ready(
        Member(
            table=opened, slug=one.slug, name=one.name, colour=one.colour, account=one.account,
            retired_at=one.retired_at,
        )
        for one in (account.member for account in accounts)
    )  # fmt: skip
    coming.insert()
    tell(opened, *(Change(what=What.MEMBER_ADDED, member=member) for member in coming.rows))
    return {member.slug: member for member in coming.rows}


def _open_balances(
    opened: Table,
    members: Mapping[str, Member],
    balances: Balances,
    note: str,
    *,
    key: str,
    by: User,
    at: datetime,
) -> None:
    paid = [
        Paid(members[line.payee], members[line.payer], line.amount, Method.OPENING, note)
        for line in transfers(balances)
    ]
    if paid:
        record_payments(opened, paid, key=key, by=by, at=at)


def _why_not(table: Table, going: Sequence[Account], after: Balances) -> Text | None:
    """What keeps a table from handing its balances on."""
    if sum(one.member.retired_at is None for one in going) > MOST_ACTIVE:
        return _(
            "At most {most} people play at one table: somebody has to stop playing there first.",
            most=MOST_ACTIVE,
        )
    if table.games.filter(ended_at=None, discarded_at=None).exists():
        return _("A game is under way: it has to end first, since it plays for the unit of before.")
    if to_settle(table).exists():
        return _("A payment still waits for a word: it has to be answered first.")
    if any(abs(amount) > MOST_MONEY for amount in (*after.values(), *(one.balance for one in going))):
        return _("These amounts are too large to be carried over.")
    return None
