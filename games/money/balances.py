"""The accounts (cuentas) of a table: balances, their entries, and who pays whom. Queries only."""

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
    """Raised when the accounts have changed since the user saw them."""


@dataclass(frozen=True)
class People:
    """The members of a table in the order they joined. A merged member resolves to the one they are now."""

    members: tuple[Member, ...]

    @classmethod
    def of(cls, table: Table) -> People:
        """Read every member the table ever had."""
        return cls(tuple(table.members.all()))

    @cached_property
    def by_slug(self) -> Mapping[str, Member]:
        """The present member for each slug."""
        return {member.slug: self.by_pk[member.pk] for member in self.members}

    @cached_property
    def by_pk(self) -> Mapping[int, Member]:
        """The present member for each row id."""
        rows = {member.pk: member for member in self.members}
        members = dict(rows)
        for pk in members:
            while (merged_into := members[pk].merged_into_id) is not None:
                members[pk] = rows[merged_into]
        return members

    @cached_property
    def own(self) -> tuple[Member, ...]:
        """The members that are not merged into another one."""
        return tuple(member for member in self.members if member.merged_into_id is None)

    def with_merged(self, member: Member, into: Member) -> People:
        """Return a copy of these people in which `member` is merged into `into`."""
        merged = copy(next(one for one in self.members if one == member))
        merged.merged_into_id = into.pk
        return People(tuple(merged if one == member else one for one in self.members))

    def rows_of(self, member: Member) -> list[int]:
        """Return the row ids of this member and of everybody merged into them."""
        return [pk for pk, now in self.by_pk.items() if now == member]

    def slugs_of(self, payment: Payment) -> tuple[str, str]:
        """Return the present slugs of the payer and the payee."""
        return self.by_pk[payment.payer_id].slug, self.by_pk[payment.payee_id].slug

    def read_lines(self, lines: Sequence[Sequence[str | int]]) -> tuple[Transfer, ...]:
        """Read stored plan lines as transfers between present members.

        Merged members share one line, and a line between two rows of the same member is left out.
        """
        amounts: Counter[tuple[str, str]] = Counter()
        for payer, payee, amount in lines:
            amounts[self.by_slug[str(payer)].slug, self.by_slug[str(payee)].slug] += int(amount)
        return tuple(Transfer(*ends, amount) for ends, amount in amounts.items() if ends[0] != ends[1])


@dataclass(frozen=True)
class Account:
    """One member's money: the result of the games, what was paid and received since, and the balance."""

    member: Member
    games: int = 0
    won: int = 0
    paid: int = 0
    received: int = 0
    written_off: int = 0  # above zero: forgiven to this member; below: forgiven by this member
    carried: int = 0  # above zero: came from another table, or a debt went to one
    claimed: int = 0  # payments this member claims to have made; they do not count yet

    @property
    def balance(self) -> int:
        """The balance: above zero the others owe this member, below zero this member owes."""
        return self.won + self.paid - self.received + self.written_off + self.carried

    @property
    def owes(self) -> int:
        """The amount this member still has to pay, less the payments waiting to be confirmed."""
        return max(0, -self.balance - self.claimed)


@dataclass(frozen=True)
class Line:
    """One line of the plan: the amount, what is left of it, and how much the payer claims to have paid."""

    payer: Member
    payee: Member
    amount: int
    left: int
    claimed: int = 0

    @property
    def unsaid(self) -> int:
        """The amount left, less the payments waiting to be confirmed."""
        return max(0, self.left - self.claimed)


@dataclass(frozen=True)
class Accounts:
    """Everybody's account, and who pays whom. `plan` is None if no stored plan explains the balances.

    `settlement` is what is left of the present plan, together with the fewest payments possible. It is
    computed anew only if there is no valid plan.
    """

    people: People
    accounts: Mapping[str, Account]
    plan: Plan | None
    settlement: Settlement
    lines: tuple[Line, ...] = field(default=())

    @property
    def balances(self) -> dict[str, int]:
        """Everybody's balance by slug, in the order they joined. The balances add up to zero."""
        return {slug: account.balance for slug, account in self.accounts.items()}

    @property
    def to_pay(self) -> tuple[Line, ...]:
        """The lines with an amount left."""
        return tuple(line for line in self.lines if line.left)


@dataclass(frozen=True)
class _Totals:
    """Everybody's account, and the unconfirmed claims by payer and payee; all by slug."""

    accounts: dict[str, Account]
    claimed: Mapping[tuple[str, str], int]


_PARTS: Mapping[str, tuple[str, str]] = {
    Method.WRITE_OFF: ("written_off",) * 2,
    Method.OPENING: ("carried",) * 2,
}


def accounts_of(table: Table, people: People | None = None) -> dict[str, Account]:
    """Return everybody's account by slug, in the order they joined."""
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
    """Return everybody's balance by slug, in the order they joined."""
    return {slug: account.balance for slug, account in accounts_of(table, people).items()}


def read_accounts(table: Table, people: People | None = None) -> Accounts:
    """Read the present accounts. The stored plan stays valid while it explains the balances."""
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
    # The order of the people keeps the lines in place when one plan replaces another.
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
    """Return the payments to these members, all of them this user, that the user has yet to confirm.

    No confirmation is needed for a payment the user recorded, for one made at the table in front of
    everybody, or for one whose dispute a keeper has already answered.
    """
    noted = Payment.objects.standing().filter(payee__in=payees, confirmed_at=None, game=None)
    return noted.exclude(method__in=UNPAID).exclude(recorded_by=user).exclude(_upheld())


def _upheld() -> Exists:
    """Return the condition that a keeper of the accounts upheld the payment after a dispute."""
    return Exists(PaymentStep.objects.filter(payment=OuterRef("pk"), turn=StepKind.UPHELD))


def to_settle(table: Table | OuterRef) -> PaymentQuerySet:
    """Return the payments that a keeper of the accounts has to decide: the claimed and the disputed ones."""
    of_table = Payment.objects.filter(table=table)
    return of_table.claimed() | of_table.disputed()


def waiting_for(user: User, table: Table, people: People, *, is_keeper: bool) -> QuerySet[Payment]:
    """Return the payments this user has to answer: those to them, and for a keeper also those to settle."""
    mine = [pk for member in people.own if member.is_of(user) for pk in people.rows_of(member)]
    unanswered = awaiting(user, mine)
    return unanswered | to_settle(table) if is_keeper else unanswered


# --- where a balance comes from ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One game or payment in an account: the amount it moved, and the balance after it."""

    at: datetime
    amount: int
    balance: int
    game: Game | None = None
    payment: Payment | None = None


_GAME, _PAYMENT = 1, 2


def entries_of(account: Account, people: People, *, start: int, count: int) -> tuple[list[Entry], bool]:
    """Return `count` entries of an account from `start` on, newest first, and whether older ones follow."""
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
    """Return moment, kind, row id and amount of each movement of these members' money, newest first."""
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
