"""The accounts (cuentas) of a table: balances, the entries of a balance, and who pays whom.

A *plan* lists payments that settle all balances, one line for each payer and payee. A *claimed* payment does
not count until the payee or a keeper of the accounts (an owner or scorer) confirms it.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeAlias

from django.contrib.auth.models import User
from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    F,
    IntegerField,
    Max,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from games.models import (
    CLAIMED,
    COUNTING,
    CostShare,
    Game,
    Member,
    Method,
    Payment,
    PaymentQuerySet,
    Plan,
    Result,
    SharedCost,
    Table,
)
from games.scoring.ledger import Settlement, Transfer, least_payments, settlement, transfers
from games.scoring.plan import netted, unpaid

Balances: TypeAlias = Mapping[str, int]
_Row: TypeAlias = Mapping[str, Any]  # a row of an aggregated query


class StaleAccounts(Exception):
    """Raised if the accounts have changed since the user saw them."""


@dataclass(frozen=True)
class People:
    """The members of a table in the order they joined.

    A *present* member is one that is not merged; a merged member resolves to the present member they became.
    A *slug* is the id of a member in events and plans, such as `ana`.
    """

    members: tuple[Member, ...]

    @classmethod
    def of(cls, table: Table) -> People:
        """Read all members of the table, retired and merged ones included."""
        return cls.of_each([table])[table.pk]

    @classmethod
    def of_each(cls, tables: Iterable[Table]) -> dict[int, People]:
        """Read all members of these tables in one query. Return them by the table's id."""
        by_pk = {table.pk: table for table in tables}
        of_table: dict[int, list[Member]] = {pk: [] for pk in by_pk}
        for member in Member.objects.filter(table__in=by_pk):
            member.table = by_pk[member.table_id]
            of_table[member.table_id].append(member)
        return {pk: cls(tuple(members)) for pk, members in of_table.items()}

    @cached_property
    def by_slug(self) -> Mapping[str, Member]:
        """The present member for each member's slug."""
        return {member.slug: self.by_pk[member.pk] for member in self.members}

    @cached_property
    def by_pk(self) -> Mapping[int, Member]:
        """The present member for each member's id."""
        rows = {member.pk: member for member in self.members}
        members = dict(rows)
        for pk in members:
            while (merged_into := members[pk].merged_into_id) is not None:
                members[pk] = rows[merged_into]
        return members

    @cached_property
    def own(self) -> tuple[Member, ...]:
        """The present members: those that are not merged into another member."""
        return tuple(member for member in self.members if member.merged_into_id is None)

    def with_merged(self, member: Member, into: Member) -> People:
        """Return a copy of these people in which `member` is merged into `into`."""
        merged = copy(next(one for one in self.members if one == member))
        merged.merged_into_id = into.pk
        return People(tuple(merged if one == member else one for one in self.members))

    def rows_of(self, member: Member) -> list[int]:
        """Return the ids of this member and of all members merged into them."""
        return [pk for pk, now in self.by_pk.items() if now == member]

    def rows_of_any(self, slugs: Collection[str]) -> list[int]:
        """Return the ids of the present members with these slugs, and of all members merged into them."""
        return [pk for pk, now in self.by_pk.items() if now.slug in slugs]

    def slugs_of(self, payment: Payment) -> tuple[str, str]:
        """Return the slugs of the payer and the payee, each that of the present member."""
        return self.by_pk[payment.payer_id].slug, self.by_pk[payment.payee_id].slug

    def read_lines(self, lines: Sequence[Sequence[str | int]]) -> tuple[Transfer, ...]:
        """Return the stored lines of a plan as transfers between present members.

        A stored line is [payer's slug, payee's slug, amount]. After a merge, lines between the same two
        members are added up, a line from a member to themselves is left out, and nobody both pays and is
        paid.
        """
        return netted(self.name_lines(lines))

    def name_lines(self, lines: Sequence[Sequence[str | int]]) -> list[Transfer]:
        """Return each stored line of a plan as a transfer between present members. No lines are added up.

        A stored line is [payer's slug, payee's slug, amount].
        """
        return [
            Transfer(self.by_slug[str(payer)].slug, self.by_slug[str(payee)].slug, int(amount))
            for payer, payee, amount in lines
        ]


@dataclass(frozen=True)
class Account:
    """One member's money: the amounts from games, shared costs and payments that make up the balance."""

    member: Member
    games: int = 0
    won: int = 0
    paid: int = 0
    received: int = 0
    forgiven: int = 0  # above zero: others forgave this member a debt; below zero: this member forgave
    carried: int = 0  # the starting balances
    shared: int = 0  # above zero: what others owe for costs that this member paid; below zero: own parts
    claimed: int = 0  # payments this member claims to have made; they do not count yet

    @property
    def balance(self) -> int:
        """The balance: above zero, others owe this member money; below zero, this member owes money."""
        return self.won + self.paid - self.received + self.forgiven + self.carried + self.shared

    @property
    def owes(self) -> int:
        """The amount that this member still owes, less their claimed, unconfirmed payments; at least 0."""
        return max(0, -self.balance - self.claimed)


@dataclass(frozen=True)
class Line:
    """One line of a plan: who pays whom, how much, the part left to pay, and the part claimed as paid.

    `methods` are those of the payments from payer to payee since the plan was made.
    """

    payer: Member
    payee: Member
    amount: int
    left: int
    claimed: int = 0
    methods: frozenset[str] = frozenset()

    @property
    def unsaid(self) -> int:
        """The amount left to pay, less the claimed payments not yet confirmed."""
        return max(0, self.left - self.claimed)


@dataclass(frozen=True)
class Accounts:
    """Everybody's account, and the plan of payments that settles all balances.

    `plan` is the stored plan, or None if no stored plan matches the balances. `lines` are the lines of the
    plan, paid ones included; without a stored plan they are computed. `settlement` has the payments left, and
    a lower bound of the number of payments with which the balances could be settled.
    """

    people: People
    accounts: Mapping[str, Account]
    plan: Plan | None
    settlement: Settlement
    lines: tuple[Line, ...] = field(default=())

    @property
    def balances(self) -> dict[str, int]:
        """Everybody's balance by slug, in the order the members joined. The balances add up to zero."""
        return {slug: account.balance for slug, account in self.accounts.items()}

    @property
    def to_pay(self) -> tuple[Line, ...]:
        """The lines with an amount left to pay."""
        return tuple(line for line in self.lines if line.left)

    @property
    def seen(self) -> str:
        """A digest of the balances and of the payments left; any change in them changes the digest."""
        lines = [[line.payer.slug, line.payee.slug, line.left] for line in self.to_pay]
        return sha256(json.dumps([self.balances, lines]).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class _Totals:
    """The aggregated money of one table. `accounts` has everybody's account by slug.

    The keys of `claimed` and `last` are (payer's slug, payee's slug). `claimed` has the claimed amounts not
    yet confirmed. `last` has, for each payment method, the moment from which its newest payment counts.
    """

    accounts: dict[str, Account]
    claimed: Mapping[tuple[str, str], int]
    last: Mapping[tuple[str, str], Mapping[str, datetime]]

    def methods(self, ends: tuple[str, str], since: datetime | None) -> frozenset[str]:
        """Return the methods of the payments from payer to payee that began to count at `since` or later.

        `ends` is (payer's slug, payee's slug). If `since` is None, return an empty set.
        """
        if since is None:
            return frozenset()
        return frozenset(method for method, at in self.last.get(ends, {}).items() if at >= since)


# The fields of the payer's and of the payee's account that payments of these methods change.
_PARTS: Mapping[str, tuple[str, str]] = {
    Method.FORGIVEN: ("forgiven",) * 2,
    Method.OPENING: ("carried",) * 2,
}


def accounts_of(table: Table, people: People | None = None) -> dict[str, Account]:
    """Return everybody's account by slug, in the order the members joined."""
    return _totals({table.pk: people or People.of(table)})[table.pk].accounts


def _totals(tables: Mapping[int, People]) -> dict[int, _Totals]:
    """Return the totals by the table's id, in two queries. `tables` has each table's people by its id."""
    results = Result.objects.filter(member__table__in=tables).order_by().values("member__table", "member")
    paid = Payment.objects.filter(COUNTING | CLAIMED, table__in=tables).order_by()
    rows: dict[int, tuple[list[_Row], list[_Row]]] = {pk: ([], []) for pk in tables}
    shares = CostShare.objects.filter(member__table__in=tables).order_by().values("member__table", "member")
    nothing = Value(0, output_field=BigIntegerField())
    won = results.annotate(games=Count("pk"), won=Sum("net"), shared=nothing)
    for row in won.union(shares.annotate(games=nothing, won=nothing, shared=Sum("net")), all=True):
        rows[row["member__table"]][0].append(row)
    for moved in paid.values("table", "payer", "payee", "method").annotate(
        counting=Sum("amount", filter=COUNTING),
        claimed=Sum("amount", filter=CLAIMED),
        last=Max(Coalesce("confirmed_at", "recorded_at"), filter=COUNTING),
    ):
        rows[moved["table"]][1].append(moved)
    return {pk: _added(people, *rows[pk]) for pk, people in tables.items()}


def _added(people: People, results: Iterable[_Row], payments: Iterable[_Row]) -> _Totals:
    """Return the totals of one table, added up from rows of aggregated queries.

    `results` has a row for each member's results and for each member's shared costs, `payments` a row for
    each payer, payee and method.
    """
    parts: dict[str, dict[str, int]] = {
        member.slug: dict.fromkeys(
            ("games", "won", "paid", "received", "forgiven", "carried", "shared", "claimed"), 0
        )
        for member in people.own
    }
    for row in results:
        own = parts[people.by_pk[row["member"]].slug]
        own["games"] += row["games"]
        own["won"] += int(row["won"])
        own["shared"] += int(row["shared"])
    claimed: Counter[tuple[str, str]] = Counter()
    last: dict[tuple[str, str], dict[str, datetime]] = {}
    for moved in payments:
        payer, payee = (people.by_pk[moved[end]].slug for end in ("payer", "payee"))
        claimed_amount = int(moved["claimed"] or 0)
        claimed[payer, payee] += claimed_amount
        parts[payer]["claimed"] += claimed_amount
        amount = int(moved["counting"] or 0)
        if amount:
            methods = last.setdefault((payer, payee), {})
            methods[moved["method"]] = max(moved["last"], methods.get(moved["method"], moved["last"]))
        given, taken = _PARTS.get(moved["method"], ("paid", "received"))
        parts[payer][given] += amount
        parts[payee][taken] += amount if taken == "received" else -amount
    accounts = {member.slug: Account(member, **parts[member.slug]) for member in people.own}
    return _Totals(accounts, +claimed, last)


def balances_of(table: Table, people: People | None = None) -> dict[str, int]:
    """Return everybody's balance by slug, in the order the members joined."""
    return {slug: account.balance for slug, account in accounts_of(table, people).items()}


def read_accounts(table: Table, people: People | None = None) -> Accounts:
    """Return the present accounts, with the stored plan if it still matches, else with newly made lines."""
    people = people or People.of(table)
    added = _totals({table.pk: people})[table.pk]
    accounts = added.accounts
    balances = {slug: account.balance for slug, account in accounts.items()}
    plan = table.plans.first()
    made = people.read_lines(plan.lines) if plan else ()
    rest = unpaid(made, balances)
    if rest is None:
        settled = settlement(balances)
        plan, rest = None, settled.transfers
        made = rest
    else:
        settled = Settlement(rest, least_payments(balances))
    return Accounts(people, accounts, plan, settled, _lines(people, added, plan, made, rest))


def to_pay_at(tables: Mapping[int, People]) -> dict[int, tuple[Line, ...]]:
    """Return, by the table's id, the lines of its plan with an amount left to pay.

    `tables` has each table's people by its id. Three queries read everything. New lines are computed only for
    a table whose stored plan no longer matches the balances.
    """
    totals, plans = _totals(tables), _newest_plans(tables)
    return {pk: tuple(_lines_left(people, totals[pk], plans.get(pk))) for pk, people in tables.items()}


def _newest_plans(tables: Iterable[int]) -> dict[int, Plan]:
    newest = Plan.objects.filter(table=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    of_tables = Table.objects.filter(pk__in=tables).values_list(Subquery(newest))
    return {plan.table_id: plan for plan in Plan.objects.filter(pk__in=of_tables)}


def _lines_left(people: People, totals: _Totals, plan: Plan | None) -> Iterable[Line]:
    balances = {slug: account.balance for slug, account in totals.accounts.items()}
    made, rest, is_stored = standing_lines(plan, people, balances)
    return (line for line in _lines(people, totals, plan if is_stored else None, made, rest) if line.left)


def standing_lines(
    plan: Plan | None, people: People, balances: Balances
) -> tuple[Sequence[Transfer], Sequence[Transfer], bool]:
    """Return the lines of a plan, the unpaid part of each line, and whether the plan matches these balances.

    It matches if these balances can be settled by paying what is left of its lines (from nothing to the whole
    amount of each). If it does not match, new lines are computed from the balances and returned twice,
    because none of them is paid. If `plan` is None, it has no lines.
    """
    made = people.read_lines(plan.lines) if plan else ()
    rest = unpaid(made, balances)
    if rest is not None:
        return made, rest, True
    made = transfers(balances)
    return made, made, False


def _lines(
    people: People, added: _Totals, plan: Plan | None, made: Iterable[Transfer], rest: Iterable[Transfer]
) -> tuple[Line, ...]:
    """Return the lines of a plan, each with the amount left to pay.

    `added` has the table's totals, `made` the lines of the plan, `rest` the unpaid part of each line. If the
    lines were just computed and are not stored, `plan` is None.
    """
    left = {(line.payer, line.payee): line.amount for line in rest}
    seats = {slug: place for place, slug in enumerate(added.accounts)}
    # The lines are sorted by the order of the members, so that lines do not move when the plan is replaced.
    return tuple(
        Line(
            people.by_slug[line.payer],
            people.by_slug[line.payee],
            line.amount,
            left.get((line.payer, line.payee), 0),
            added.claimed.get((line.payer, line.payee), 0),
            added.methods((line.payer, line.payee), plan.made_at if plan else None),
        )
        for line in sorted(made, key=lambda line: (seats[line.payer], seats[line.payee]))
    )


def awaiting(payees: Iterable[int] | QuerySet[Member]) -> QuerySet[Payment]:
    """Return the claims that wait for the answer of their payees: the ids, or a query, of members."""
    return Payment.objects.claimed().filter(payee__in=payees)


def to_settle(table: Table | OuterRef) -> PaymentQuerySet:
    """Return the table's claimed and disputed payments, which wait for an answer."""
    return Payment.objects.unsettled().filter(table=table)


def waiting_for(user: User, table: Table, people: People, *, is_keeper: bool) -> QuerySet[Payment]:
    """Return the payments that this user has to answer.

    These are the claims whose payee they are and, for a keeper of the accounts, the claimed and disputed
    payments whose payer they are not.
    """
    mine = [pk for member in people.own if member.is_of(user) for pk in people.rows_of(member)]
    return to_settle(table).exclude(payer__in=mine) if is_keeper else awaiting(mine)


# --- the entries of an account ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A game, a payment or a shared cost in an account.

    `amount` is the change of the balance, `balance` the balance after that change.
    """

    at: datetime
    amount: int
    balance: int
    game: Game | None = None
    payment: Payment | None = None
    cost: SharedCost | None = None


_GAME, _PAYMENT, _COST = 1, 2, 3
ROWS_AT_ONCE = 200  # movements read at a time to find when a balance became negative


def entries_of(account: Account, people: People, *, start: int, count: int) -> tuple[list[Entry], bool]:
    """Return a page of an account's entries, newest first, and whether older entries follow.

    The page has at most `count` entries, after skipping the newest `start`.
    """
    rows = _movements(people.rows_of(account.member))
    newer = sum(int(moved) for _at, _kind, _pk, moved, _who in rows[:start]) if start else 0
    page = list(rows[start : start + count + 1])
    page_rows = page[:count]
    games = Game.objects.in_bulk([pk for _at, kind, pk, _moved, _who in page_rows if kind == _GAME])
    paid = Payment.objects.select_related("payer", "payee").in_bulk(
        [pk for _at, kind, pk, _moved, _who in page_rows if kind == _PAYMENT]
    )
    costs = SharedCost.objects.select_related("payer").in_bulk(
        [pk for _at, kind, pk, _moved, _who in page_rows if kind == _COST]
    )
    balance = account.balance - newer
    entries = []
    for at, kind, pk, moved, _who in page_rows:
        entries.append(
            Entry(
                at,
                int(moved),
                balance,
                games[pk] if kind == _GAME else None,
                paid[pk] if kind == _PAYMENT else None,
                costs[pk] if kind == _COST else None,
            )
        )
        balance -= int(moved)
    return entries, len(page) > count


def negative_since(accounts: Accounts) -> dict[str, datetime]:
    """Return, by slug, the moment since when each negative balance has been negative, in one query.

    The query reads the games, payments and shared costs of these members, from the newest one back to that
    moment. A correction of a game counts at the moment at which the game ended.
    """
    people = accounts.people
    before = {slug: balance for slug, balance in accounts.balances.items() if balance < 0}
    since: dict[str, datetime] = {}
    for at, _kind, _pk, moved, who in _movements(people.rows_of_any(before)).iterator(ROWS_AT_ONCE):
        slug = people.by_pk[who].slug
        if slug in before and moved:
            since[slug] = at
            before[slug] -= int(moved)
            if before[slug] >= 0:
                del before[slug]
        if not before:
            break
    return since


def _movements(members: list[int]) -> QuerySet[Result, tuple[datetime, int, int, int, int]]:
    """Return each game, payment or shared cost of these members, newest first.

    A row has the moment, the kind (`_GAME`, …), the id, the change of the balance, and the member's id.
    """
    effect = Case(When(COUNTING, then=F("amount")), default=Value(0), output_field=BigIntegerField())
    fields = ("at", "kind", "row", "moved", "who")

    def kind(of: int) -> Value:
        return Value(of, output_field=IntegerField())

    results = Result.objects.filter(member__in=members).order_by()
    moved = results.annotate(
        at=F("game__ended_at"), kind=kind(_GAME), row=F("game"), moved=F("net"), who=F("member")
    )
    paid = Payment.objects.filter(payer__in=members).order_by()
    taken = Payment.objects.filter(payee__in=members).order_by()
    payments = (paid.annotate(moved=effect, who=F("payer")), taken.annotate(moved=-effect, who=F("payee")))
    shares = CostShare.objects.filter(member__in=members).order_by()
    shared = shares.annotate(
        at=F("cost__made_at"), kind=kind(_COST), row=F("cost"), moved=F("net"), who=F("member")
    )
    rows = moved.values_list(*fields).union(
        shared.values_list(*fields),
        *(
            some.annotate(at=F("made_at"), kind=kind(_PAYMENT), row=F("pk")).values_list(*fields)
            for some in payments
        ),
        all=True,
    )
    return rows.order_by("-at", "-kind", "-row")
