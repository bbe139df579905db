"""The ledger: the only writer of entries (asientos) and debts (deudas) of a table (RULES 1.3).

Whatever moves money adds an entry in the transaction of its cause: a game that ends or is changed, a payment,
a shared cost, starting balances. The law is in `scoring/debts.py`. The caller holds the table's lock.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple, TypeAlias

from django.contrib.auth.models import User
from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Coalesce
from django.utils.timezone import now

from games.common.days import night_of
from games.common.rows import PreparedRows
from games.models import CLAIMED, Debt, Entry, EntryKind, Game, Member, Payment, Result, SharedCost, Table
from games.scoring.debts import Debts, among, change_basis, merge, settle, simplify, stand_as_left, take_back
from games.scoring.ledger import Transfer, transfers
from games.scoring.shares import nets_of_cost
from games.tables.people import People

Differences: TypeAlias = Mapping[str, int]
Lines: TypeAlias = list[list[Any]]
_Ids: TypeAlias = tuple[int, int, int]  # of a game, a payment and a shared cost; 0 for none

_MEMBER, _DEBT, _CLAIM, _ENTRY, _NEWEST = range(5)


class _Row(NamedTuple):
    """A row of the one query that a ledger makes; `what` says which columns it fills, in the order of `version`.

    A member: the id as `one`, that of whom they became as `other`, their first night as `amount`, the slug as
    `text`. A debt or a claim: its two people and the amount. An entry: the ids of its cause as `one`, `other`
    and `amount`, its kind as `text`, and the other columns. The newest entry: its number as `amount`.
    """

    what: int
    one: int
    other: int
    amount: int
    version: int
    text: str
    night: str
    differences: str
    before: str
    after: str


class Ledger:
    """The debts of one table, and the entries to be written. `store` writes them all.

    One query reads everything that the law asks for: the members and their first nights, the debts, the
    claims that wait, and the number of the newest entry. With `causes`, it also reads the entries of these.
    """

    def __init__(
        self,
        table: Table,
        *,
        at: datetime,
        by: User | None = None,
        people: People | None = None,
        causes: Q | None = None,
    ) -> None:
        self._table, self._at, self._by = table, at, by
        rows = [_Row(*row) for row in _read_rows(table, causes)]
        self.people = people or _people_of(table, rows)
        self._order = [member.slug for member in self.people.members]
        self._members = {member.slug: member for member in self.people.members}
        self._slugs = {member.pk: member.slug for member in self.people.members if member.pk}
        self._entries: list[Entry] = []
        self._ready: PreparedRows[Entry] | None = None
        self._rows: dict[tuple[str, str], Debt] = {}
        self._changed: dict[tuple[str, str], Debt] = {}
        self._claims: list[Transfer] = []
        self._first_nights: dict[str, int] = {}
        self._newest = 0
        self._entries_of: dict[_Ids, list[Entry]] = {}  # of the causes, oldest first
        self._read(rows)
        self.debts: Debts = tuple(filter(None, map(_transfer_of, self._rows.values(), self._rows)))

    def foresee(self, nights: Iterable[tuple[str, int]], claims: Iterable[Transfer]) -> None:
        """Take into account what is stored together with the entries: nights on which people play, and claims."""
        for slug, number in nights:
            self._first_nights[slug] = min(number, self._first_nights.get(slug, number))
        self._claims += claims

    # --- what moves money ---------------------------------------------------------------------------------------------

    def enter(self, kind: EntryKind, differences: Differences, *, night: date, **cause: Any) -> None:
        """Add an entry: settle these differences among their people. Differences of 0 alone add none."""
        if any(differences.values()):
            debts = settle(self.debts, list(differences), differences, **self._world(differences, night))
            self._add(kind, differences, debts, night=night, **cause)

    def take_back(self, kind: EntryKind, entry: Entry, **cause: Any) -> None:
        """Add an entry that takes another back, with the night of that one."""
        people, differences = self._people_of(entry), self._differences_of(entry)
        before, after = self.people.read_lines(entry.before), self.people.read_lines(entry.after)
        debts = take_back(self.debts, people, before, after, differences, **self._world(people, entry.night))
        opposite = {one: -amount for one, amount in differences.items()}
        self._add(kind, opposite, debts, night=entry.night, **cause)

    def change(self, row: Payment | SharedCost) -> None:
        """Add entries until the payment or shared cost moves what it moves now: nothing if it does not count."""
        cause: dict[str, Any]
        if isinstance(row, Payment):
            begins, ends, cause = EntryKind.PAID, EntryKind.UNPAID, {"payment": row}
            night = row.paid_on or night_of(row.made_at, self._table)
            moved = {self._slug_of(row, "payer"): row.amount, self._slug_of(row, "payee"): -row.amount}
        else:
            begins, ends, cause, night = EntryKind.SHARED, EntryKind.UNSHARED, {"cost": row}, row.night
            moved = nets_of_cost(row.amount, self._slug_of(row, "payer"), row.borne)
        entries = self._entries_of.get(_ids_of(**cause), [])
        if entries:  # the zone of the table may have changed since
            night = entries[0].night
        standing = entries[-1] if entries and entries[-1].kind == begins else None
        moves = _moved(moved, None, self.people) if row.counts else {}
        if standing is not None and moves != self._differences_of(standing):
            self.take_back(ends, standing, **cause)
            standing = None
        if moves and standing is None:
            self.enter(begins, moves, night=night, **cause)

    def change_game(self, game: Game, kind: EntryKind, nets: Differences) -> None:
        """Add an entry after a change of a game: it moves `nets` now, and moved what its entries say.

        `nets` are those of its results by slug, empty without results.
        """
        nets = _moved(nets, game.spot_nets, self.people)
        night, entries = date.fromordinal(game.night_number), self._entries_of.get(_ids_of(game=game), [])
        if not entries:
            self.enter(kind, nets, night=night, game=game)
            return
        last, old = entries[-1], Counter[str]()
        for entry in entries:
            old.update(self._differences_of(entry))
        people = self._people_of(last)
        before, after = self.people.read_lines(last.before), self.people.read_lines(last.after)
        basis = change_basis(self.debts, people, before, after, old, nets, order=self._order)
        differences = {one: nets.get(one, 0) - old[one] for one in basis.people}
        if any(differences.values()):
            world = self._world(basis.people, night)
            debts = settle(basis.debts, basis.people, basis.differences, **world)
            based = among(basis.debts, basis.people)
            self._add(kind, differences, debts, night=night, game=game, before=based)

    def simplify(self, here: Sequence[str], *, night: date) -> None:
        """Add an entry that settles the debts among these people anew, visitors apart, if that saves any."""
        world = self._world(here, night)
        regulars = [one for one in here if one not in world["visitors"]]
        debts = simplify(self.debts, regulars, self._order, claims=self._claims)
        if len(debts) < len(self.debts):
            self._add(EntryKind.SIMPLIFIED, dict.fromkeys(regulars, 0), debts, night=night)

    def merge(self, member: Member, into: Member, *, night: date) -> None:
        """Add an entry that makes the debts of two members those of one person. Call it before they are merged."""
        debts = merge(self.debts, member.slug, into.slug, self._order)
        concerned = [debt for debt in self.debts if {debt.payer, debt.payee} & {member.slug, into.slug}]
        people = {member.slug, into.slug, *(end for debt in concerned for end in (debt.payer, debt.payee))}
        differences = {slug: 0 for slug in self._order if slug in people}
        self._add(EntryKind.MERGED, differences, debts, night=night, member=member)

    def part(self, merged: Entry, *, night: date, member: Member) -> bool:
        """Add an entry that takes a merge back, if its debts stand as it left them; return whether they do."""
        people = list(merged.differences)
        before, after = (tuple(Transfer(*line) for line in lines) for lines in (merged.before, merged.after))
        if not stand_as_left(self.debts, people, after):
            return False
        debts = (*(debt for debt in self.debts if debt not in after), *before)
        self._add(EntryKind.PARTED, dict.fromkeys(people, 0), debts, night=night, member=member)
        return True

    def repair(self, balances: Differences, *, night: date) -> None:
        """Add an entry that settles the whole table anew: these are the balances of everybody."""
        before = self.debts
        for ends, row in self._rows.items():  # every debt begins anew
            row.amount = 0
            self._changed[ends] = row
        self.debts = ()
        debts = transfers({slug: balances.get(slug, 0) for slug in self._order})
        people = dict.fromkeys(self._order, 0)
        self._add(EntryKind.REPAIRED, people, debts, night=night, before=before)

    # --- writing ------------------------------------------------------------------------------------------------------

    def make_ready(self) -> None:
        """Prepare the new entries for `store`, before the table is locked."""
        self._ready = PreparedRows(self._entries)

    def store(self, version: int) -> None:
        """Insert the new entries, which carry the table's version, and update the debts that they altered."""
        (self._ready or PreparedRows(self._entries)).insert(version=version)
        if self._changed:
            Debt.objects.bulk_create(
                self._changed.values(),
                update_conflicts=True,
                unique_fields=["one", "other"],
                update_fields=["amount", "version"],
            )

    def _add(
        self,
        kind: EntryKind,
        differences: Differences,
        debts: Debts,
        *,
        night: date,
        before: Debts | None = None,
        **cause: Any,
    ) -> None:
        people = list(differences)
        was, left = among(self.debts, people), among(debts, people)
        self._newest += 1
        self._entries.append(
            Entry(
                table=self._table,
                number=self._newest,
                kind=kind,
                night=night,
                at=self._at,
                by=self._by,
                differences=dict(differences),
                before=_written(was if before is None else before),
                after=_written(left),
                **cause,
            )
        )
        for ends in {frozenset((debt.payer, debt.payee)) for debt in set(was) ^ set(left)}:
            one, other = sorted(ends, key=self._order.index)
            self._alter(one, other, left)
        self.debts = debts

    def _alter(self, one: str, other: str, left: Debts) -> None:
        """Store what `other` owes `one` now (below 0: what `one` owes)."""
        amount = sum(
            debt.amount if debt.payer == other else -debt.amount
            for debt in left
            if {debt.payer, debt.payee} == {one, other}
        )
        row = self._rows.get((one, other))
        if row is None:
            ends = {"one": self._members[one], "other": self._members[other]}
            row = self._rows[one, other] = Debt(table=self._table, **ends, amount=0)
        row.amount, row.version = amount, self._newest
        self._changed[one, other] = row

    # --- what the law asks for ----------------------------------------------------------------------------------------

    def _read(self, rows: Iterable[_Row]) -> None:
        people = self.people.by_pk
        for row in rows:
            if row.what == _MEMBER and row.amount:
                slug = people[row.one].slug
                self._first_nights[slug] = min(row.amount, self._first_nights.get(slug, row.amount))
            elif row.what == _DEBT:
                debt = Debt(table=self._table, amount=row.amount, version=row.version)
                debt.one_id, debt.other_id = row.one, row.other
                self._rows[self._slugs[row.one], self._slugs[row.other]] = debt
            elif row.what == _CLAIM:
                self._claims.append(Transfer(people[row.one].slug, people[row.other].slug, row.amount))
            elif row.what == _ENTRY:
                self._entries_of.setdefault((row.one, row.other, row.amount), []).append(_entry_of(row))
            elif row.what == _NEWEST:
                self._newest = row.amount

    def _world(self, people: Iterable[str], night: date) -> dict[str, Any]:
        """Return what else the law needs: the visitors of this night, the waiting claims, the order of joining."""
        number = night.toordinal()
        visitors = [one for one in people if self._first_nights.get(one, number) >= number]
        return {"visitors": visitors, "claims": self._claims, "order": self._order}

    def _slug_of(self, row: Payment | SharedCost, end: str) -> str:
        """Return the slug of the payer or payee of this row; somebody new at the table has no id yet."""
        pk = getattr(row, f"{end}_id")
        return self._slugs[pk] if pk in self._slugs else getattr(row, end).slug

    def _people_of(self, entry: Entry) -> list[str]:
        return list(dict.fromkeys(self.people.by_slug[slug].slug for slug in entry.differences))

    def _differences_of(self, entry: Entry) -> dict[str, int]:
        differences = Counter[str]()
        for slug, amount in entry.differences.items():
            differences[self.people.by_slug[slug].slug] += amount
        return dict(differences)


def _read_rows(table: Table, causes: Q | None) -> QuerySet[Any, tuple[Any, ...]]:
    """Return the columns of each `_Row`, in one query, since other writers wait: claims with the oldest first."""
    fields, none = ("what", "one", "other", "amount", "version"), Value(0)
    blank = (Value(""),) * 5
    first = Result.objects.filter(member=OuterRef("pk")).order_by("night_number").values("night_number")[:1]
    night, into = Coalesce(Subquery(first), 0), Coalesce("merged_into", 0)
    members = table.members.annotate(what=Value(_MEMBER), version=F("pk")).order_by()
    of_members = members.values_list("what", "pk", into, night, "version", "slug", *blank[1:])
    debts = table.debts.annotate(what=Value(_DEBT)).order_by().values_list(*fields, *blank)
    claims = table.payments.filter(CLAIMED).order_by()
    newest = table.entries.order_by().values("table").annotate(newest=Max("number"))
    rows = [
        of_members,
        debts,
        claims.values_list(Value(_CLAIM), "payer", "payee", "amount", "pk", *blank),
        newest.values_list(Value(_NEWEST), none, none, "newest", none, *blank),
    ]
    if causes is not None:
        kept = (Cast(column, TextField()) for column in ("night", "differences", "before", "after"))
        of_causes = table.entries.filter(causes).order_by()
        ids = (Coalesce(cause, 0) for cause in ("game", "payment", "cost"))
        rows.append(of_causes.values_list(Value(_ENTRY), *ids, "number", "kind", *kept))
    return rows[0].union(*rows[1:], all=True).order_by("what", "version")


def _people_of(table: Table, rows: Iterable[_Row]) -> People:
    """Return the members among the rows; of each, the id, the slug and who they were merged into are known."""
    return People(
        tuple(
            Member(pk=row.one, table=table, slug=row.text, merged_into_id=row.other or None)
            for row in rows
            if row.what == _MEMBER
        )
    )


def _entry_of(row: _Row) -> Entry:
    texts = {"differences": row.differences, "before": row.before, "after": row.after}
    lines = {name: json.loads(text) for name, text in texts.items()}
    return Entry(kind=row.text, night=date.fromisoformat(row.night), **lines)


def _transfer_of(row: Debt, ends: tuple[str, str]) -> Transfer | None:
    """Return a stored debt as debtor, creditor and amount; None if the two are even. `ends` are its slugs."""
    if not row.amount:
        return None
    one, other = ends
    return Transfer(other, one, row.amount) if row.amount > 0 else Transfer(one, other, -row.amount)


def _moved(nets: Differences, spot: Differences | None, people: People) -> Differences:
    """Return what a game moves, by slug: its nets, if it counts, less those that were paid on the spot."""
    moved = Counter[str]()
    for slug, net in nets.items():
        moved[people.by_slug[slug].slug] += net
    for slug, net in (spot or {}).items() if nets else ():
        moved[people.by_slug[slug].slug] -= net
    return moved


def _ids_of(
    *, game: Game | None = None, payment: Payment | None = None, cost: SharedCost | None = None
) -> _Ids:
    """Return the ids of an entry's cause; of a row that is not stored yet, which has no entries, only zeros."""
    game_id, payment_id, cost_id = ((row and row.pk) or 0 for row in (game, payment, cost))
    return game_id, payment_id, cost_id


def _written(debts: Debts) -> Lines:
    return [[debt.payer, debt.payee, debt.amount] for debt in debts]


# --- one cause --------------------------------------------------------------------------------------------------------


def enter_game(
    game: Game,
    kind: EntryKind,
    *,
    version: int,
    at: datetime,
    by: User | None = None,
    people: People | None = None,
    nets: Differences | None = None,
) -> None:
    """Enter what a game moves now, after its results or its mark *paid on the spot* changed.

    `version` is the table's with this write. `nets` are those of its results by slug, empty without results; by
    default they are read.
    """
    ledger = Ledger(game.table, at=at, by=by, people=people, causes=Q(game=game))
    if nets is None:
        nets = dict(game.results.order_by("pk").values_list("member__slug", "net"))
    ledger.change_game(game, kind, nets)
    ledger.store(version)


def foreseen(game: Game, nets: Differences, people: People, *, is_new: bool) -> tuple[Debts, Debts]:
    """Return all debts as they are, and as they would be if the game had these nets; nothing is written.

    `nets` are by the slugs of its players. `is_new` says that the game would end only now.
    """
    ledger = Ledger(game.table, at=now(), people=people, causes=Q(game=game))
    debts, is_paid = ledger.debts, is_new and game.table.pays_on_the_spot
    ledger.change_game(game, EntryKind.CORRECTED, {} if is_paid else nets)
    return debts, ledger.debts
