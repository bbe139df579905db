"""The accounts (cuentas) of a table: balances, the entries of a balance, and who pays whom.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TypeAlias

from django.contrib.auth.models import User
from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    QuerySet,
    Sum,
    Value,
    When,
)

from games.models import (
    CLAIMED,
    COUNTING,
    UNPAID,
    Game,
    Member,
    Method,
    Payment,
    PaymentQuerySet,
    PaymentStep,
    Plan,
    Result,
    StepKind,
    Table,
)
from games.scoring.ledger import Settlement, Transfer, least_payments, settlement
from games.scoring.plan import unpaid

Balances: TypeAlias = Mapping[str, int]


class StaleAccounts(Exception):
    """The accounts have changed since the user saw them."""


@dataclass(frozen=True)
class People:
    """The members of a table in the order they joined.

    A *present* member is one that is not merged; a merged member resolves to the present member they became.
    """

    members: tuple[Member, ...]

    @classmethod
    def of(cls, table: Table) -> People:
        """Read all members of the table, retired and merged ones included."""
        return cls(tuple(table.members.all()))

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

    def slugs_of(self, payment: Payment) -> tuple[str, str]:
        """Return the slugs of the payer and the payee, each that of the present member."""
        return self.by_pk[payment.payer_id].slug, self.by_pk[payment.payee_id].slug

    def read_lines(self, lines: Sequence[Sequence[str | int]]) -> tuple[Transfer, ...]:
        """Return the stored lines of a plan as transfers between present members.

        Lines between the same two present members are added up. A line from a present member to themselves,
        which a merge can cause, is left out.
        """
        amounts: Counter[tuple[str, str]] = Counter()
        for payer, payee, amount in lines:
            amounts[self.by_slug[str(payer)].slug, self.by_slug[str(payee)].slug] += int(amount)
        return tuple(Transfer(*ends, amount) for ends, amount in amounts.items() if ends[0] != ends[1])


@dataclass(frozen=True)
class Account:
    """One member's money: the amounts from games and payments that make up the balance."""

    member: Member
    games: int = 0
    won: int = 0
    paid: int = 0
    received: int = 0
    written_off: int = 0  # above zero: others forgave this member a debt; below zero: this member forgave
    carried: int = 0  # above zero: a credit from another table, or a debt moved to one
    claimed: int = 0  # payments this member claims to have made; they do not count yet

    @property
    def balance(self) -> int:
        """The balance.

        Above zero, other members owe this member money; below zero, this member owes money.
        """
        return self.won + self.paid - self.received + self.written_off + self.carried

    @property
    def owes(self) -> int:
        """The amount that this member still has to pay, less the claimed payments not yet confirmed."""
        return max(0, -self.balance - self.claimed)


@dataclass(frozen=True)
class Line:
    """One line of the plan: the amount, the part left to pay, and the part claimed by the payer as paid."""

    payer: Member
    payee: Member
    amount: int
    left: int
    claimed: int = 0

    @property
    def unsaid(self) -> int:
        """The amount left to pay, less the claimed payments not yet confirmed."""
        return max(0, self.left - self.claimed)


@dataclass(frozen=True)
class Accounts:
    """Everybody's account, and the plan of payments that settles all balances.

    `plan` is the stored plan, or None if no stored plan matches the balances. `lines` are the lines of the
    plan, paid ones included; without a stored plan they are computed. `settlement` holds the payments left,
    and the fewest payments with which the balances could be settled.
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


@dataclass(frozen=True)
class _Totals:
    """Everybody's account by slug, and the unconfirmed claimed amounts by (payer's slug, payee's slug)."""

    accounts: dict[str, Account]
    claimed: Mapping[tuple[str, str], int]


_PARTS: Mapping[str, tuple[str, str]] = {
    Method.WRITE_OFF: ("written_off",) * 2,
    Method.OPENING: ("carried",) * 2,
}


def accounts_of(table: Table, people: People | None = None) -> dict[str, Account]:
    """Return everybody's account by slug, in the order the members joined."""
    return _totals(table, people or People.of(table)).accounts


def _totals(table: Table, people: People) -> _Totals:
    parts: dict[str, dict[str, int]] = {
        member.slug: dict.fromkeys(
            ("games", "won", "paid", "received", "written_off", "carried", "claimed"), 0
        )
        for member in people.own
    }
    results = Result.objects.filter(member__table=table).order_by().values("member")
    for row in results.annotate(games=Count("pk"), won=Sum("net")):
        own = parts[people.by_pk[row["member"]].slug]
        own["games"] += row["games"]
        own["won"] += int(row["won"])
    claimed: Counter[tuple[str, str]] = Counter()
    paid = table.payments.filter(COUNTING | CLAIMED).order_by().values("payer", "payee", "method")
    for moved in paid.annotate(
        counting=Sum("amount", filter=COUNTING), claimed=Sum("amount", filter=CLAIMED)
    ):
        payer, payee = (people.by_pk[moved[end]].slug for end in ("payer", "payee"))
        claimed_amount = int(moved["claimed"] or 0)
        claimed[payer, payee] += claimed_amount
        parts[payer]["claimed"] += claimed_amount
        amount = int(moved["counting"] or 0)
        given, taken = _PARTS.get(moved["method"], ("paid", "received"))
        parts[payer][given] += amount
        parts[payee][taken] += amount if taken == "received" else -amount
    accounts = {member.slug: Account(member, **parts[member.slug]) for member in people.own}
    return _Totals(accounts, +claimed)


def balances_of(table: Table, people: People | None = None) -> dict[str, int]:
    """Return everybody's balance by slug, in the order the members joined."""
    return {slug: account.balance for slug, account in accounts_of(table, people).items()}


def read_accounts(table: Table, people: People | None = None) -> Accounts:
    """Return the present accounts, with the newest stored plan if that plan still matches the balances."""
    people = people or People.of(table)
    added = _totals(table, people)
    accounts = added.accounts
    balances = {slug: account.balance for slug, account in accounts.items()}
    plan = table.plans.select_related("game", "payment").first()
    made = people.read_lines(plan.lines) if plan else ()
    rest = unpaid(made, balances)
    if rest is None:
        settled = settlement(balances)
        plan, rest = None, settled.transfers
        made = rest
    else:
        settled = Settlement(rest, least_payments(balances))
    left = {(line.payer, line.payee): line.amount for line in rest}
    seats = {slug: place for place, slug in enumerate(accounts)}
    # The lines are sorted by the order of the members, so that lines do not move when the plan is replaced.
    made = tuple(sorted(made, key=lambda line: (seats[line.payer], seats[line.payee])))
    lines = tuple(
        Line(
            people.by_slug[line.payer],
            people.by_slug[line.payee],
            line.amount,
            left.get((line.payer, line.payee), 0),
            added.claimed.get((line.payer, line.payee), 0),
        )
        for line in made
    )
    return Accounts(people, accounts, plan, settled, lines)


def awaiting(user: User, payees: Iterable[int] | QuerySet[Member]) -> QuerySet[Payment]:
    """Return the payments that this user has yet to confirm. `payees` are the members that this user is.

    No confirmation is needed for a payment that the user recorded, for a payment made on the spot during a
    game in front of everybody, or for a disputed payment that a keeper of the accounts upheld.
    """
    noted = Payment.objects.standing().filter(payee__in=payees, confirmed_at=None, game=None)
    return noted.exclude(method__in=UNPAID).exclude(recorded_by=user).exclude(_upheld())


def _upheld() -> Exists:
    """Return a filter for payments that a keeper of the accounts upheld after a dispute."""
    return Exists(PaymentStep.objects.filter(payment=OuterRef("pk"), turn=StepKind.UPHELD))


def to_settle(table: Table | OuterRef) -> PaymentQuerySet:
    """Return the claimed and the disputed payments, on which a keeper of the accounts has to decide."""
    of_table = Payment.objects.filter(table=table)
    return of_table.claimed() | of_table.disputed()


def waiting_for(user: User, table: Table, people: People, *, is_keeper: bool) -> QuerySet[Payment]:
    """Return the payments that this user has to answer.

    These are the payments to confirm as payee and, for a keeper of the accounts, the payments to decide on.
    """
    mine = [pk for member in people.own if member.is_of(user) for pk in people.rows_of(member)]
    unanswered = awaiting(user, mine)
    return unanswered | to_settle(table) if is_keeper else unanswered


# --- the entries of an account ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A game or a payment in an account: the change of the balance, and the balance after that change."""

    at: datetime
    amount: int
    balance: int
    game: Game | None = None
    payment: Payment | None = None


_GAME, _PAYMENT = 1, 2


def entries_of(account: Account, people: People, *, start: int, count: int) -> tuple[list[Entry], bool]:
    """Return a page of an account's entries, newest first, and whether older entries follow."""
    rows = _movements(people.rows_of(account.member))
    newer = sum(int(moved) for _at, _kind, _pk, moved in rows[:start]) if start else 0
    page = list(rows[start : start + count + 1])
    page_rows = page[:count]
    games = Game.objects.in_bulk([pk for _at, kind, pk, _moved in page_rows if kind == _GAME])
    paid = Payment.objects.select_related("payer", "payee").in_bulk(
        [pk for _at, kind, pk, _moved in page_rows if kind == _PAYMENT]
    )
    balance = account.balance - newer
    entries = []
    for at, kind, pk, moved in page_rows:
        entries.append(
            Entry(
                at,
                int(moved),
                balance,
                games[pk] if kind == _GAME else None,
                paid[pk] if kind == _PAYMENT else None,
            )
        )
        balance -= int(moved)
    return entries, len(page) > count


def _movements(members: list[int]) -> QuerySet[Result, tuple[datetime, int, int, int]]:
    """Return the moment, kind, id and amount of each game or payment of these members, newest first."""
    effect = Case(When(COUNTING, then=F("amount")), default=Value(0), output_field=BigIntegerField())
    fields = ("at", "kind", "row", "moved")

    def kind(of: int) -> Value:
        return Value(of, output_field=IntegerField())

    results = Result.objects.filter(member__in=members).order_by()
    moved = results.annotate(at=F("game__ended_at"), kind=kind(_GAME), row=F("game"), moved=F("net"))
    paid = Payment.objects.filter(payer__in=members).order_by()
    taken = Payment.objects.filter(payee__in=members).order_by()
    rows = moved.values_list(*fields).union(
        paid.annotate(at=F("made_at"), kind=kind(_PAYMENT), row=F("pk"), moved=effect).values_list(*fields),
        taken.annotate(at=F("made_at"), kind=kind(_PAYMENT), row=F("pk"), moved=-effect).values_list(*fields),
        all=True,
    )
    return rows.order_by("-at", "-kind", "-row")
