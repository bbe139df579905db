"""A person's ledger entries: their effects on the balance, the pages of the statement, and its totals."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from games.models import Entry, EntryKind, Game, Member, Method, Table
from games.money.services import starting_balances
from games.money.services.balance_causes import BalancePart, CauseId, EntryEffect
from games.tables.services import roster
from games.tables.services.roster import People

_COLUMNS = (
    "number",
    "kind",
    "night",
    "key",
    "game",
    "payment",
    "payment__method",
    "cost",
    "cost__is_forgiven",
)


class LedgerRow(NamedTuple):
    """The columns of an entry that tell why a balance or a debt is what it is, with the slugs as stored.

    `cause` is None for an entry that moves nobody's balance: a merge, a separation, or debts settled anew.
    """

    number: int
    night: date
    cause: CauseId | None
    part: BalancePart
    differences: Mapping[str, int]
    before: Sequence[Sequence[Any]]
    after: Sequence[Sequence[Any]]


def load_rows(members: Collection[Member], people: People) -> list[LedgerRow]:
    """Return the entries that name one of these members of a table, in ledger order, in one query."""
    named = Q()
    for slug, current_member in people.by_slug.items():
        if current_member in members:
            named |= Q(differences__has_key=slug)
    return read_rows(Entry.objects.filter(named, table__in={member.table_id for member in members}))


def read_rows(entries: QuerySet[Entry]) -> list[LedgerRow]:
    """Return these entries in ledger order."""
    columns = ("differences", "before", "after", *_COLUMNS)
    rows = []
    for differences, before, after, *values in entries.order_by("number").values_list(*columns):
        row = dict(zip(_COLUMNS, values, strict=True))
        part, cause = _part_and_cause(row)
        moved = cause if any(differences.values()) else None
        rows.append(LedgerRow(row["number"], row["night"], moved, part, differences, before, after))
    return rows


def member_effects(rows: Iterable[LedgerRow], slug: str, people: People) -> list[EntryEffect]:
    """Return the nonzero effects of these entries on the present member with this slug."""
    effects = []
    for row in rows:
        amount = sum(moved for other, moved in row.differences.items() if people.slugs[other] == slug)
        if amount and row.cause is not None:
            effects.append(EntryEffect(row.number, row.cause, row.night, amount, row.part))
    return effects


def effects_by_member(rows: Iterable[LedgerRow], people: People) -> dict[str, list[EntryEffect]]:
    """Return the nonzero effects of these entries for each person, by slug."""
    effects: dict[str, list[EntryEffect]] = {member.slug: [] for member in people.current_members}
    for row in rows:
        if row.cause is not None:
            for slug, amount in roster.sum_by_current_member(row.differences, people.slugs).items():
                if amount:
                    effects[slug].append(EntryEffect(row.number, row.cause, row.night, amount, row.part))
    return effects


def _part_and_cause(row: Mapping[str, object]) -> tuple[BalancePart, CauseId]:
    match row:
        case {"game": int(game)}:
            return BalancePart.GAME, ("game", game)
        case {"payment": int(payment), "payment__method": method}:
            return (BalancePart.FORGIVEN if method == Method.FORGIVEN else BalancePart.PAYMENT), (
                "payment",
                payment,
            )
        case {"cost": int(cost), "cost__is_forgiven": is_forgiven}:
            return (BalancePart.FORGIVEN if is_forgiven else BalancePart.EXPENSE), ("cost", cost)
        case {"kind": EntryKind.UNOPENED, "key": str(key)}:
            return BalancePart.OPENING, (
                "opening",
                int(key.removeprefix(starting_balances.REVERSAL_KEY_PREFIX)),
            )
        case {"number": int(number)}:
            return BalancePart.OPENING, ("opening", number)
    raise AssertionError("every entry has a number")


# --- the statement ----------------------------------------------------------------------------------------------------


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

    def contains(self, night: date) -> bool:
        return (self.first is None or night >= self.first) and not self.ends_before(night)

    def ends_before(self, night: date) -> bool:
        return self.last is not None and night > self.last


def month_range(night: date) -> DateRange:
    return DateRange(night.replace(day=1), night.replace(day=monthrange(night.year, night.month)[1]))


def year_range(night: date) -> DateRange:
    return DateRange(date(night.year, 1, 1), date(night.year, 12, 31))


def available_ranges(effects: Iterable[EntryEffect]) -> list[DateRange]:
    """Return the periods of a statement to choose from: everything, and the years and months with entries.

    Years come before months, each newest first.
    """
    nights = sorted({effect.night for effect in effects}, reverse=True)
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


def load_page(
    member: Member, people: People, effects: Sequence[EntryEffect], *, time: DateRange, start: int, count: int
) -> Statement:
    """Return one page of a person's statement of a period. `effects` are those of all of their entries.

    The page has at most `count` entries that moved the balance, after skipping the newest `start`.
    """
    sums = compute_totals(effects, _cash_net(member, people, time), time)
    balance, moves = sums.before, []
    for effect in effects:
        if time.contains(effect.night):
            balance += effect.amount
            moves.append((effect.number, effect.amount, balance))
    end = len(moves) - start
    page = moves[max(0, end - count) : max(0, end)]
    entries = Entry.objects.filter(table=member.table_id).select_related(*CAUSE_RELATIONS)
    rows = {entry.number: entry for entry in entries.filter(number__in=[number for number, *_rest in page])}
    page_rows = tuple(StatementEntry(rows[number], amount, after) for number, amount, after in page)
    return Statement(sums, page_rows, has_older=end > count)


CAUSE_RELATIONS = ("game", "payment__payer", "payment__payee", "cost__payer", "member")


def compute_totals(effects: Iterable[EntryEffect], spot: int, time: DateRange) -> StatementTotals:
    """Return the totals of a period. `spot` is the money got (+) or given (−) on the table for games."""
    before, of_causes = 0, Counter[tuple[BalancePart, CauseId]]()
    for effect in effects:
        if time.contains(effect.night):
            of_causes[effect.part, effect.cause] += effect.amount
        elif not time.ends_before(effect.night):
            before += effect.amount
    totals = Counter[str](games=-spot, on_the_spot=spot)
    for (part, _cause), amount in of_causes.items():
        totals[_total_name(part, amount)] += amount
    return StatementTotals(before, **totals)


def _total_name(part: BalancePart, amount: int) -> str:
    match part:
        case BalancePart.OPENING:
            return "opening"
        case BalancePart.GAME:
            return "games"
        case BalancePart.EXPENSE:
            return "expenses"
        case BalancePart.PAYMENT:
            return "paid" if amount > 0 else "got"
        case BalancePart.FORGIVEN:
            return "was_forgiven" if amount > 0 else "forgave"


def _cash_net(member: Member, people: People, time: DateRange) -> int:
    paid = Game.objects.filter(table=member.table_id, spot_nets__isnull=False, discarded_at=None)
    of_time = (game for game in paid if time.contains(date.fromordinal(game.night_number)))
    return cash_nets(of_time, people)[member.slug]


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
    return effects_by_member(read_rows(table.entries.filter(night=night)), people)
