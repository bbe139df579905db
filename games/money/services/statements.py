"""A person's statement: its pages and totals, added up by the database; and what a night moved for everybody."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import add
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BigIntegerField, Case, CharField, Expression, Func, Q, QuerySet, Sum, Value, When
from django.db.models.sql.compiler import SQLCompiler

from games.models import Entry, Game, Member, Method, Table
from games.money.services.balance_causes import BalancePart, EntryEffect
from games.money.services.entry_history import EntryHistory
from games.tables.services import roster
from games.tables.services.roster import People


@dataclass(frozen=True)
class StatementEntry:
    """An entry on a person's statement: its amount, and the balance after it."""

    entry: Entry
    amount: int
    balance: int


@dataclass(frozen=True)
class DateRange:
    """An inclusive range of nights; None is no bound."""

    first: date | None = None
    last: date | None = None

    @property
    def is_bound(self) -> bool:
        """True if the range has a first or a last night."""
        return self.first is not None or self.last is not None


def month_range(night: date) -> DateRange:
    return DateRange(night.replace(day=1), night.replace(day=monthrange(night.year, night.month)[1]))


def year_range(night: date) -> DateRange:
    return DateRange(date(night.year, 1, 1), date(night.year, 12, 31))


def load_ranges(member: Member, people: People) -> list[DateRange]:
    """Return the periods of a statement to choose from: everything, and the years and months with entries.

    Years come before months, each newest first.
    """
    nights = sorted(_moves(member, people).values_list("night", flat=True).distinct(), reverse=True)
    return [DateRange(), *dict.fromkeys(map(year_range, nights)), *dict.fromkeys(map(month_range, nights))]


@dataclass(frozen=True)
class StatementTotals:
    """A person's balance before a period, and how much each part moved it."""

    before: int = 0
    opening: int = 0
    games: int = 0
    expenses: int = 0
    on_the_spot: int = 0
    paid: int = 0
    got: int = 0
    forgave: int = 0
    was_forgiven: int = 0

    @property
    def after(self) -> int:
        """The balance after the period."""
        net = self.opening + self.games + self.expenses + self.on_the_spot + self.paid + self.got
        return self.before + net + self.forgave + self.was_forgiven


@dataclass(frozen=True)
class Statement:
    """A page of a person's statement of a period: its `rows` in ledger order, and the period's `totals`."""

    totals: StatementTotals
    rows: tuple[StatementEntry, ...]
    has_older: bool


CAUSE_RELATIONS = ("game", "payment__payer", "payment__payee", "cost__payer", "member")


def load_page(member: Member, people: People, *, time: DateRange, start: int, count: int) -> Statement:
    """Return one page of a person's statement of a period.

    The page has at most `count` entries that moved the balance, after skipping the newest `start`.
    """
    totals = load_totals(member, people, time)
    moves = _moves(member, people).filter(_during(time)).order_by("-number")
    newest_first = [*moves.values_list("number", "amount")[: start + count + 1]]
    entries = Entry.objects.filter(table=member.table_id).select_related(*CAUSE_RELATIONS)
    page = dict(newest_first[start : start + count])
    by_number = {entry.number: entry for entry in entries.filter(number__in=page).defer("before", "after")}
    balance = totals.after - sum(amount for _number, amount in newest_first[:start])
    rows = []
    for number, amount in page.items():
        rows.append(StatementEntry(by_number[number], amount, balance))
        balance -= amount
    return Statement(totals, tuple(reversed(rows)), has_older=len(newest_first) > start + count)


def load_totals(member: Member, people: People, time: DateRange) -> StatementTotals:
    """Return the totals of a period. The money got (+) or given (−) on the table for games is not in `games`."""
    is_before = Case(When(night__lt=time.first or date.min, then=True), default=False)
    causes = (
        _moves(member, people)
        .filter(night__lte=time.last or date.max)
        .annotate(part=_PART, is_before=is_before)
        .values("is_before", "part", "game", "payment", "cost")
        .annotate(total=Sum("amount"))
    )
    sums = causes.aggregate(
        before=Sum("total", filter=Q(is_before=True), default=0),
        **{
            name: Sum("total", filter=Q(of_name, is_before=False), default=0)
            for name, of_name in _CAUSES_BY_TOTAL.items()
        },
    )
    spot = _load_cash_net(member, people, time)
    return StatementTotals(**{**sums, "games": sums["games"] - spot}, on_the_spot=spot)


_PART = Case(
    When(game__isnull=False, then=Value(BalancePart.GAME)),
    When(Q(payment__method=Method.FORGIVEN) | Q(cost__is_forgiven=True), then=Value(BalancePart.FORGIVEN)),
    When(payment__isnull=False, then=Value(BalancePart.PAYMENT)),
    When(cost__isnull=False, then=Value(BalancePart.EXPENSE)),
    default=Value(BalancePart.OPENING),
    output_field=CharField(),
)
_CAUSES_BY_TOTAL = {
    "opening": Q(part=BalancePart.OPENING),
    "games": Q(part=BalancePart.GAME),
    "expenses": Q(part=BalancePart.EXPENSE),
    "paid": Q(part=BalancePart.PAYMENT, total__gt=0),
    "got": Q(part=BalancePart.PAYMENT, total__lt=0),
    "was_forgiven": Q(part=BalancePart.FORGIVEN, total__gt=0),
    "forgave": Q(part=BalancePart.FORGIVEN, total__lt=0),
}


def _moves(member: Member, people: People) -> QuerySet[Any]:
    """Return the entries that moved a person's balance, each with its `amount`."""
    entries = Entry.objects.filter(table=member.table_id).order_by()
    return entries.annotate(amount=_amount_in("differences", member, people)).exclude(amount=0)


def _amount_in(field: str, member: Member, people: People) -> Expression:
    """Return the amount of a person in a JSON object by slug, that of the members merged into them included."""
    slugs = [slug for slug, current in people.slugs.items() if current == member.slug]
    return reduce(add, (_AmountOf(field, slug) for slug in slugs))


class _AmountOf(Func):
    """The amount of a slug in a JSON object, 0 if it is not there. Django's transforms parse the object twice."""

    template = "COALESCE((%(expressions)s)::bigint, 0)"
    arg_joiner = " ->> "

    def __init__(self, field: str, slug: str) -> None:
        super().__init__(field, Value(slug), output_field=BigIntegerField())
        self.slug = slug

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra_context: Any) -> Any:
        """Return the expression for SQLite, whose older versions lack the operator. A slug needs no escape."""
        field, path = self.get_source_expressions()[0], Value(f"$.{self.slug}")
        extract = Func(
            field, path, function="JSON_EXTRACT", template="COALESCE(%(function)s(%(expressions)s), 0)"
        )
        return extract.as_sql(compiler, connection)


def _during(time: DateRange) -> Q:
    bounds = {"night__gte": time.first, "night__lte": time.last}
    return Q(**{name: night for name, night in bounds.items() if night is not None})


def _load_cash_net(member: Member, people: People, time: DateRange) -> int:
    """Return the money that a person got (+) or gave (−) on the table for the games of a period."""
    paid = Game.objects.filter(table=member.table_id, spot_nets__isnull=False, discarded_at=None)
    bounds = {"night_number__gte": time.first, "night_number__lte": time.last}
    of_time = {name: night.toordinal() for name, night in bounds.items() if night is not None}
    nets = paid.filter(**of_time, ended_at__isnull=False).annotate(
        net=_amount_in("spot_nets", member, people)
    )
    return -int(nets.aggregate(total=Sum("net", default=0))["total"])


# --- nights -----------------------------------------------------------------------------------------------------------


def cash_nets(games: Iterable[Game], people: People) -> Counter[str]:
    """Return the money that each person got (+) or gave (−) on the table for these games, by slug.

    Unfinished games and games not marked as paid on the spot add nothing.
    """
    nets = Counter[str]()
    for game in games:
        if game.spot_nets is not None and game.ended_at is not None:
            nets.subtract(roster.sum_by_current_member(game.spot_nets, people.slugs))
    return nets


def load_night_effects(night: date, table: Table, people: People) -> dict[str, list[EntryEffect]]:
    """Return the nonzero effects of a night's entries for each person, by slug, in one query."""
    history = EntryHistory.of_entries(table.entries.filter(night=night), people)
    return {member.slug: history.effects(member.slug) for member in people.current_members}
