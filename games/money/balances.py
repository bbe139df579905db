"""The accounts (cuentas) of a table: balances over all its games, what made them, and who pays whom. Queries only."""

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
    Table,
    Turn,
)
from games.scoring.ledger import Settlement, Transfer, least_payments, settlement
from games.scoring.plan import unpaid

Balances: TypeAlias = Mapping[str, int]


class StaleAccounts(Exception):
    """The accounts are not what the person saw."""


@dataclass(frozen=True)
class People:
    """The members of a table, in the order they came; whoever was merged into somebody is that somebody now."""

    members: tuple[Member, ...]

    @classmethod
    def of(cls, table: Table) -> People:
        """Everybody who ever was a member."""
        return cls(tuple(table.members.all()))

    @cached_property
    def by_slug(self) -> Mapping[str, Member]:
        """Who stands behind each slug now."""
        return {member.slug: self.by_pk[member.pk] for member in self.members}

    @cached_property
    def by_pk(self) -> Mapping[int, Member]:
        """Who stands behind each row now."""
        rows = {member.pk: member for member in self.members}
        found = dict(rows)
        for pk in found:
            while (merged_into := found[pk].merged_into_id) is not None:
                found[pk] = rows[merged_into]
        return found

    @cached_property
    def own(self) -> tuple[Member, ...]:
        """Whoever is nobody else."""
        return tuple(member for member in self.members if member.merged_into_id is None)

    def with_merged(self, member: Member, into: Member) -> People:
        """The same people as they would be, were one of them another."""
        merged = copy(next(one for one in self.members if one == member))
        merged.merged_into_id = into.pk
        return People(tuple(merged if one == member else one for one in self.members))

    def rows_of(self, member: Member) -> list[int]:
        """The rows that are this member: his own, and those merged into it."""
        return [pk for pk, now in self.by_pk.items() if now == member]

    def slugs_of(self, payment: Payment) -> tuple[str, str]:
        """Who paid whom, by the slugs of whoever they are now."""
        return self.by_pk[payment.payer_id].slug, self.by_pk[payment.payee_id].slug

    def read_lines(self, lines: Sequence[Sequence[str | int]]) -> tuple[Transfer, ...]:
        """Stored lines between whoever the slugs stand for now; what one would pay himself is left out.

        Where two are one by now, what another pays both, or both pay him, is one line.
        """
        found: Counter[tuple[str, str]] = Counter()
        for payer, payee, amount in lines:
            found[self.by_slug[str(payer)].slug, self.by_slug[str(payee)].slug] += int(amount)
        return tuple(Transfer(*ends, amount) for ends, amount in found.items() if ends[0] != ends[1])


@dataclass(frozen=True)
class Account:
    """One member's money: what the games gave, what was paid and received since, and the balance of it all."""

    member: Member
    games: int = 0
    won: int = 0
    paid: int = 0
    received: int = 0
    written_off: int = 0  # above zero: forgiven to this member; below: forgiven by this member
    carried: int = 0  # above zero: came from another table, or a debt went to one
    claimed: int = 0  # what this member says to have paid, which counts nowhere yet

    @property
    def balance(self) -> int:
        """Above zero the others owe it to this member, below zero it is owed."""
        return self.won + self.paid - self.received + self.written_off + self.carried

    @property
    def owes(self) -> int:
        """What this member is still to pay besides what waits to be confirmed."""
        return max(0, -self.balance - self.claimed)


@dataclass(frozen=True)
class Line:
    """One line of the plan: what was to be paid, how much of it still is, and how much the payer says he paid."""

    payer: Member
    payee: Member
    amount: int
    left: int
    claimed: int = 0

    @property
    def unsaid(self) -> int:
        """What is left besides what waits to be confirmed."""
        return max(0, self.left - self.claimed)


@dataclass(frozen=True)
class Accounts:
    """Everybody's account, and who pays whom; `plan` is None where nothing stored explains the balances.

    `settlement` is what is left of the plan that stands, beside the fewest payments there could be; it is worked out
    anew only where no plan stands.
    """

    people: People
    accounts: Mapping[str, Account]
    plan: Plan | None
    settlement: Settlement
    lines: tuple[Line, ...] = field(default=())

    @property
    def balances(self) -> dict[str, int]:
        """Everybody's balance by slug, in the order they came; they add up to zero."""
        return {slug: account.balance for slug, account in self.accounts.items()}

    @property
    def to_pay(self) -> tuple[Line, ...]:
        """The lines with something left."""
        return tuple(line for line in self.lines if line.left)


@dataclass(frozen=True)
class _Added:
    """Everybody's account, and how much each says he paid whom that nobody has confirmed yet; by slug."""

    accounts: dict[str, Account]
    claimed: Mapping[tuple[str, str], int]


_PARTS: Mapping[str, tuple[str, str]] = {
    Method.WRITE_OFF: ("written_off",) * 2,
    Method.OPENING: ("carried",) * 2,
}


def accounts_of(table: Table, people: People | None = None) -> dict[str, Account]:
    """Everybody's account by slug, in the order they came."""
    return _added(table, people or People.of(table)).accounts


def _added(table: Table, people: People) -> _Added:
    found: dict[str, dict[str, int]] = {
        member.slug: dict.fromkeys(
            ("games", "won", "paid", "received", "written_off", "carried", "claimed"), 0
        )
        for member in people.own
    }
    results = Result.objects.filter(member__table=table).order_by().values("member")
    for row in results.annotate(games=Count("pk"), won=Sum("net")):
        own = found[people.by_pk[row["member"]].slug]
        own["games"] += row["games"]
        own["won"] += int(row["won"])
    claimed: Counter[tuple[str, str]] = Counter()
    paid = table.payments.filter(COUNTING | CLAIMED).order_by().values("payer", "payee", "method")
    for moved in paid.annotate(
        counting=Sum("amount", filter=COUNTING), claimed=Sum("amount", filter=CLAIMED)
    ):
        payer, payee = (people.by_pk[moved[end]].slug for end in ("payer", "payee"))
        said = int(moved["claimed"] or 0)
        claimed[payer, payee] += said
        found[payer]["claimed"] += said
        amount = int(moved["counting"] or 0)
        given, taken = _PARTS.get(moved["method"], ("paid", "received"))
        found[payer][given] += amount
        found[payee][taken] += amount if taken == "received" else -amount
    accounts = {member.slug: Account(member, **found[member.slug]) for member in people.own}
    return _Added(accounts, +claimed)


def balances_of(table: Table, people: People | None = None) -> dict[str, int]:
    """Everybody's balance by slug, in the order they came."""
    return {slug: account.balance for slug, account in accounts_of(table, people).items()}


def read_accounts(table: Table, people: People | None = None) -> Accounts:
    """The accounts as they are now; the plan that was made stands while it explains the balances."""
    people = people or People.of(table)
    added = _added(table, people)
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
    # Whatever plan they come from, the lines stand in the order of the people.
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
    """The payments to these members, who are this user, that wait for his word.

    His word is there where he recorded it himself, and nobody's is asked where everybody saw it paid at the table, nor
    once more where he was answered.
    """
    noted = Payment.objects.standing().filter(payee__in=payees, confirmed_at=None, game=None)
    return noted.exclude(method__in=UNPAID).exclude(recorded_by=user).exclude(_upheld())


def _upheld() -> Exists:
    """Whether who keeps the accounts let a payment stand that was disputed."""
    return Exists(PaymentStep.objects.filter(payment=OuterRef("pk"), turn=Turn.UPHELD))


def to_settle(table: Table | OuterRef) -> PaymentQuerySet:
    """The payments that wait for the word of who keeps the accounts: those only claimed, and those disputed."""
    of_table = Payment.objects.filter(table=table)
    return of_table.claimed() | of_table.disputed()


def waiting_for(user: User, table: Table, people: People, *, is_keeper: bool) -> QuerySet[Payment]:
    """The payments that wait for this user's word: those to him, and where he keeps the accounts those to settle."""
    mine = [pk for member in people.own if member.is_of(user) for pk in people.rows_of(member)]
    found = awaiting(user, mine)
    return found | to_settle(table) if is_keeper else found


# --- where a balance comes from ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One thing that moved a balance: a game or a payment, by how much, and the balance after it."""

    at: datetime
    amount: int
    balance: int
    game: Game | None = None
    payment: Payment | None = None


_GAME, _PAYMENT = 1, 2


def entries_of(account: Account, people: People, *, start: int, count: int) -> tuple[list[Entry], bool]:
    """`count` entries of an account, the newest first, from place `start` on, and whether older ones follow."""
    rows = _movements(people.rows_of(account.member))
    newer = sum(int(moved) for _at, _kind, _pk, moved in rows[:start]) if start else 0
    page = list(rows[start : start + count + 1])
    found = page[:count]
    games = Game.objects.in_bulk([pk for _at, kind, pk, _moved in found if kind == _GAME])
    paid = Payment.objects.select_related("payer", "payee").in_bulk(
        [pk for _at, kind, pk, _moved in found if kind == _PAYMENT]
    )
    balance = account.balance - newer
    entries = []
    for at, kind, pk, moved in found:
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
    """When, what, which row and how much, of all that moved these members' money, the newest first."""
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
