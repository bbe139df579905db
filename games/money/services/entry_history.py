"""The entries of some members, read once, and what they mean for each of them (`EntryHistory`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import NamedTuple

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from games.models import Entry, EntryKind, Member, Method
from games.money.services import balance_causes, starting_balances
from games.money.services.balance_causes import BalanceCause, BalancePart, CauseId, EntryEffect
from games.tables.services import roster
from games.tables.services.roster import People

# Of more members, or of more than half, reading all entries costs less than looking for each in every entry.
MOST_LOOKED_FOR = 16


class LedgerRow(NamedTuple):
    """The columns of an entry that tell why a balance or a debt is what it is, with the slugs as stored.

    `before` and `after` are the debts as JSON, which is decoded only where a debt is explained. `cause` is
    None for an entry that moves nobody's balance: a merge, a separation, or debts settled anew.
    """

    number: int
    night: date
    cause: CauseId | None
    part: BalancePart
    differences: Mapping[str, int]
    before: str
    after: str


class EntryHistory:
    """Entries of a table in ledger order, by the present members whom they name.

    What it says of a member needs all entries of that member. `nets` are the amounts that an entry moved, by
    the slugs of present members.
    """

    def __init__(self, rows: Iterable[LedgerRow], people: People) -> None:
        self.people = people
        self.nets = defaultdict[str, list[tuple[LedgerRow, Mapping[str, int]]]](list)
        self._causes: dict[str, tuple[BalanceCause, ...]] = {}
        for row in rows:
            net = roster.sum_by_current_member(row.differences, people.slugs)
            for slug in net:
                self.nets[slug].append((row, net))

    @classmethod
    def load(cls, members: Collection[Member], people: People) -> EntryHistory:
        """Read at least the entries that name one of these members of a table, in one query."""
        entries = Entry.objects.filter(table__in={member.table_id for member in members})
        if len(members) <= min(MOST_LOOKED_FOR, len(people.current_members) // 2):
            named = Q()
            for slug, current_member in people.by_slug.items():
                if current_member in members:
                    named |= Q(differences__has_key=slug)
            entries = entries.filter(named)
        return cls(_read_rows(entries), people)

    @classmethod
    def of_entries(cls, entries: QuerySet[Entry], people: People) -> EntryHistory:
        """Read these entries in one query."""
        return cls(_read_rows(entries), people)

    def effects(self, slug: str) -> list[EntryEffect]:
        """Return the nonzero effects of the entries on the present member with this slug."""
        return [
            EntryEffect(row.number, row.cause, row.night, net[slug], row.part)
            for row, net in self.nets[slug]
            if net[slug] and row.cause is not None
        ]

    def causes(self, slug: str) -> tuple[BalanceCause, ...]:
        """Return the causes that add up to a member's balance, sorted by night and then by entry."""
        if slug not in self._causes:
            self._causes[slug] = balance_causes.compute(self.effects(slug))
        return self._causes[slug]


_COLUMNS = ("kind", "key", "game", "payment", "payment__method", "cost", "cost__is_forgiven")


def _read_rows(entries: QuerySet[Entry]) -> list[LedgerRow]:
    debts = (Cast("before", TextField()), Cast("after", TextField()))
    rows = []
    for number, night, differences, before, after, *columns in entries.order_by("number").values_list(
        "number", "night", "differences", *debts, *_COLUMNS
    ):
        part, cause = _part_and_cause(number, *columns)
        moved = cause if any(differences.values()) else None
        rows.append(LedgerRow(number, night, moved, part, differences, before, after))
    return rows


def _part_and_cause(
    number: int,
    kind: str,
    key: str,
    game: int | None,
    payment: int | None,
    method: str,
    cost: int | None,
    is_forgiven: bool,
) -> tuple[BalancePart, CauseId]:
    if game is not None:
        return BalancePart.GAME, ("game", game)
    if payment is not None:
        part = BalancePart.FORGIVEN if method == Method.FORGIVEN else BalancePart.PAYMENT
        return part, ("payment", payment)
    if cost is not None:
        return BalancePart.FORGIVEN if is_forgiven else BalancePart.EXPENSE, ("cost", cost)
    if kind == EntryKind.UNOPENED:
        number = int(key.removeprefix(starting_balances.REVERSAL_KEY_PREFIX))
    return BalancePart.OPENING, ("opening", number)
