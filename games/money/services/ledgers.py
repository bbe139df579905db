"""The ledger: the only writer of a table's entries (asientos) and debts (deudas) (RULES 1.3).

Everything that moves money adds an entry in the transaction of its cause: a game that ends or changes, a
payment, an expense, starting balances. The rules are in `scoring/debts.py`. A Ledger may be stored only if
the table did not change since it was created: the caller holds the table's lock all the time, or checks under
the lock that the table's version is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, TypeAlias

from django.contrib.auth.models import User
from django.db.models import OuterRef, Q, Subquery
from django.utils.timezone import now

from games.common import bulk, days
from games.common.bulk import BulkRows
from games.models import CLAIMED, Debt, Entry, EntryKind, Game, Member, Payment, Result, SharedCost, Table
from games.money.services import accounting
from games.scoring.debts import (
    Debts,
    change_basis,
    debts_between,
    is_unchanged,
    merge_debts,
    reverse_entry,
    settle_entry,
    simplify_debts,
)
from games.scoring.ledger import Transfer, transfers
from games.scoring.shares import expense_nets
from games.tables.services import roster
from games.tables.services.roster import People

Differences: TypeAlias = Mapping[str, int]
DebtLines: TypeAlias = list[list[Any]]
EntryCause: TypeAlias = tuple[str, int]  # the kind of a cause, such as "game", and its id


class Ledger:
    """The debts of one table and its new entries, which only `store` writes.

    The constructor reads all that the rules need: the members and their first nights, the debts, the
    unconfirmed payments, and the number of the newest entry. `causes` filters the existing entries to read:
    those of the rows that are about to change.
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
        self._table, self.at, self._by = table, at, by
        self.people = people or People.of(table)
        self._order = [member.slug for member in self.people.members]
        self._members = {member.slug: member for member in self.people.members}
        self._slugs = {member.pk: member.slug for member in self.people.members if member.pk}
        self._entries: list[Entry] = []
        self._prepared_entries: BulkRows[Entry] | None = None
        self._debt_rows: dict[tuple[str, str], Debt] = {}
        self._changed_debts: dict[tuple[str, str], Debt] = {}
        self._claims: list[Transfer] = []
        self._first_nights: dict[str, int] = {}
        self.latest_number = accounting.latest_entry_number(
            table
        )  # read first, so that a concurrent entry makes a preview stale
        entries = table.entries.filter(causes).order_by("number") if causes else ()
        self._entries_by_cause = bulk.group_values((entry_cause(entry), entry) for entry in entries)
        self._load()
        self.debts: Debts = tuple(filter(None, map(_to_transfer, self._debt_rows.values(), self._debt_rows)))

    def include_unsaved(self, nights: Iterable[tuple[str, int]], claims: Iterable[Transfer]) -> None:
        """Add first nights and unconfirmed payments that are stored in the same transaction as the entries.

        `nights` are pairs of a member's slug and a night's number.
        """
        for slug, number in nights:
            self._first_nights[slug] = min(number, self._first_nights.get(slug, number))
        self._claims += claims

    def has_entries(self, game: Game) -> bool:
        """Return whether the ledger has read entries of this game, which must be one of its `causes`."""
        return ("game", game.pk) in self._entries_by_cause

    # --- entries ------------------------------------------------------------------------------------------------------

    def post(self, kind: EntryKind, differences: Differences, *, night: date, **cause: Any) -> None:
        """Add an entry that settles these differences among their people; none if all of them are 0."""
        if any(differences.values()):
            debts = settle_entry(
                self.debts, list(differences), differences, **self._settlement_context(differences, night)
            )
            self._add(kind, differences, debts, night=night, **cause)

    def reverse(self, kind: EntryKind, entry: Entry, **cause: Any) -> None:
        """Add the reversal of an entry, on the night of that entry."""
        differences = self._current_differences(entry)
        people = list(differences)
        before, after = self.people.read_lines(entry.before), self.people.read_lines(entry.after)
        debts = reverse_entry(
            self.debts, people, before, after, differences, **self._settlement_context(people, entry.night)
        )
        opposite = {slug: -amount for slug, amount in differences.items()}
        self._add(kind, opposite, debts, night=entry.night, **cause)

    def change(self, row: Payment | SharedCost) -> None:
        """Add the entries that make the ledger agree with this payment or expense.

        A row that does not count moves nothing. Its existing entries must be among the ledger's `causes`.
        """
        if isinstance(row, Payment):
            begins, ends, cause = EntryKind.PAID, EntryKind.UNPAID, "payment"
            night = row.paid_on or days.night_for(row.made_at, self._table)
            nets = {self._slug_at(row, "payer"): row.amount, self._slug_at(row, "payee"): -row.amount}
        else:
            begins, ends, cause, night = EntryKind.SHARED, EntryKind.UNSHARED, "cost", row.night
            nets = expense_nets(row.amount, self._slug_at(row, "payer"), row.borne)
        entries = self._entries_by_cause.get((cause, row.pk), [])
        if entries:  # the table's time zone may have changed since
            night = entries[0].night
        valid_entry = entries[-1] if entries and entries[-1].kind == begins else None
        moves = roster.sum_by_current_member(nets, self.people.slugs) if row.counts else {}
        if valid_entry is not None and moves != self._current_differences(valid_entry):
            self.reverse(ends, valid_entry, **{cause: row})
            valid_entry = None
        if moves and valid_entry is None:
            self.post(begins, moves, night=night, **{cause: row})

    def change_game(self, game: Game, kind: EntryKind, nets: Differences) -> None:
        """Add an entry for the difference between the game's `nets` and what its entries have moved so far.

        `nets` are those of the game's results by slug, empty without results. Nets paid on the spot are
        subtracted.
        """
        moves = roster.sum_by_current_member(nets, self.people.slugs)
        if nets:
            moves.subtract(roster.sum_by_current_member(game.spot_nets or {}, self.people.slugs))
        night, entries = (
            date.fromordinal(game.night_number),
            self._entries_by_cause.get(("game", game.pk), []),
        )
        if not entries:
            self.post(kind, moves, night=night, game=game)
            return
        last, old = entries[-1], Counter[str]()
        for entry in entries:
            old.update(self._current_differences(entry))
        people = list(self._current_differences(last))
        before, after = self.people.read_lines(last.before), self.people.read_lines(last.after)
        basis = change_basis(self.debts, people, before, after, old, moves, order=self._order)
        differences = {slug: moves[slug] - old[slug] for slug in basis.people}
        if any(differences.values()):
            world = self._settlement_context(basis.people, night)
            debts = settle_entry(basis.debts, basis.people, basis.differences, **world)
            based = debts_between(basis.debts, basis.people)
            self._add(kind, differences, debts, night=night, game=game, before=based)

    def simplify(self, slugs: Sequence[str], *, night: date) -> None:
        """Add an entry that settles the debts among these people anew, except visitors, if that helps."""
        world = self._settlement_context(slugs, night)
        regulars = [slug for slug in slugs if slug not in world["visitors"]]
        debts = simplify_debts(self.debts, regulars, self._order, claims=self._claims)
        if len(debts) < len(self.debts):
            self._add(EntryKind.SIMPLIFIED, dict.fromkeys(regulars, 0), debts, night=night)

    def merge(self, member: Member, into: Member, *, night: date) -> None:
        """Add an entry that joins the debts of two members. Call it before the merge is stored."""
        debts = merge_debts(self.debts, member.slug, into.slug, self._order)
        concerned = [debt for debt in self.debts if {debt.payer, debt.payee} & {member.slug, into.slug}]
        people = {member.slug, into.slug, *(end for debt in concerned for end in (debt.payer, debt.payee))}
        differences = {slug: 0 for slug in self._order if slug in people}
        self._add(EntryKind.MERGED, differences, debts, night=night, member=member)

    def split(self, merged: Entry, *, night: date, member: Member) -> bool:
        """Add an entry that undoes a merge, and return True.

        If the debts are no longer those that the merge left, add nothing and return False.
        """
        people = list(merged.differences)
        before, after = (tuple(Transfer(*line) for line in lines) for lines in (merged.before, merged.after))
        if not is_unchanged(self.debts, people, after):
            return False
        debts = (*(debt for debt in self.debts if debt not in after), *before)
        self._add(EntryKind.PARTED, dict.fromkeys(people, 0), debts, night=night, member=member)
        return True

    def repair(self, balances: Differences, *, night: date) -> None:
        """Add an entry that settles the whole table anew. `balances` are the correct balances by slug."""
        before = self.debts
        for ends, row in self._debt_rows.items():  # a debt that is not settled anew ends
            row.amount = 0
            self._changed_debts[ends] = row
        self.debts = ()
        debts = transfers({slug: balances.get(slug, 0) for slug in self._order})
        people = dict.fromkeys(self._order, 0)
        self._add(EntryKind.REPAIRED, people, debts, night=night, before=before)

    # --- writing ------------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Build the rows for `store` before the table is locked, to keep the lock short."""
        self._prepared_entries = BulkRows(self._entries)

    def store(self, version: int) -> None:
        """Insert the new entries with the table's new version, and save the debts that they changed."""
        (self._prepared_entries or BulkRows(self._entries)).insert(version=version)
        if self._changed_debts:
            Debt.objects.bulk_create(
                self._changed_debts.values(),
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
        was, debts_after = debts_between(self.debts, people), debts_between(debts, people)
        self.latest_number += 1
        self._entries.append(
            Entry(
                table=self._table,
                number=self.latest_number,
                kind=kind,
                night=night,
                at=self.at,
                by=self._by,
                differences=dict(differences),
                before=_to_lines(was if before is None else before),
                after=_to_lines(debts_after),
                **cause,
            )
        )
        for ends in {frozenset((debt.payer, debt.payee)) for debt in set(was) ^ set(debts_after)}:
            first, other = sorted(ends, key=self._order.index)
            self._update_debt(first, other, debts_after)
        self.debts = debts

    def _update_debt(self, first: str, other: str, debts: Debts) -> None:
        """Set the row of a pair: what `other` owes `first`, negative if `first` owes `other`."""
        amount = sum(
            debt.amount if debt.payer == other else -debt.amount
            for debt in debts
            if {debt.payer, debt.payee} == {first, other}
        )
        row = self._debt_rows.get((first, other))
        if row is None:
            ends = {"one": self._members[first], "other": self._members[other]}
            row = self._debt_rows[first, other] = Debt(table=self._table, **ends, amount=0)
        row.amount, row.version = amount, self.latest_number
        self._changed_debts[first, other] = row

    # --- input of the rules -------------------------------------------------------------------------------------------

    def _load(self) -> None:
        table, by_pk = self._table, self.people.by_pk
        debts = table.debts.order_by("version", "pk").values_list("one", "other", "amount", "version")
        for one_id, other, amount, version in debts:
            debt = Debt(table=table, one_id=one_id, other_id=other, amount=amount, version=version)
            self._debt_rows[self._slugs[one_id], self._slugs[other]] = debt
        played = Result.objects.filter(member=OuterRef("pk")).order_by("night_number").values("night_number")
        nights = table.members.order_by().values_list("pk", Subquery(played[:1]))
        claims = table.payments.filter(CLAIMED).order_by("pk").values_list("payer", "payee", "amount")
        self.include_unsaved(
            [(by_pk[pk].slug, night) for pk, night in nights if night],
            [Transfer(by_pk[payer].slug, by_pk[payee].slug, amount) for payer, payee, amount in claims],
        )

    def _settlement_context(self, people: Iterable[str], night: date) -> dict[str, Any]:
        """Return the keyword arguments that `scoring/debts.py` needs besides the debts and differences."""
        number = night.toordinal()
        visitors = [slug for slug in people if self._first_nights.get(slug, number) >= number]
        return {"visitors": visitors, "claims": self._claims, "order": self._order}

    def _slug_at(self, row: Payment | SharedCost, end: str) -> str:
        """Return the slug of this row's payer or payee, who may be an unsaved member without an id."""
        pk = getattr(row, f"{end}_id")
        return self._slugs[pk] if pk in self._slugs else getattr(row, end).slug

    def _current_differences(self, entry: Entry) -> dict[str, int]:
        return dict(roster.sum_by_current_member(entry.differences, self.people.slugs))


def _to_transfer(row: Debt, ends: tuple[str, str]) -> Transfer | None:
    """Return a stored debt as a transfer, None if the two are even. `ends` are its two slugs."""
    if not row.amount:
        return None
    first, other = ends
    return Transfer(other, first, row.amount) if row.amount > 0 else Transfer(first, other, -row.amount)


def entry_cause(entry: Entry) -> EntryCause | None:
    """Return the kind and id of the game, payment or expense that caused this entry, None if none did."""
    named = {"game": entry.game_id, "payment": entry.payment_id, "cost": entry.cost_id}
    return next(((kind, pk) for kind, pk in named.items() if pk is not None), None)


def _to_lines(debts: Debts) -> DebtLines:
    return [[debt.payer, debt.payee, debt.amount] for debt in debts]


# --- games ------------------------------------------------------------------------------------------------------------


def post_game(
    game: Game,
    kind: EntryKind,
    *,
    version: int,
    at: datetime,
    by: User | None = None,
    people: People | None = None,
    nets: Differences | None = None,
) -> None:
    """Post an entry after a game's results or its mark *paid on the spot* changed.

    The caller holds the table's lock; `version` is the table's version after the write. `nets` are those of
    the game's results by slug, empty without results; None reads them from the database.
    """
    ledger = Ledger(game.table, at=at, by=by, people=people, causes=Q(game=game))
    if nets is None:
        nets = dict(game.results.order_by("pk").values_list("member__slug", "net"))
    ledger.change_game(game, kind, nets)
    ledger.store(version)


def preview_game(game: Game, nets: Differences, people: People, *, is_new: bool) -> tuple[Debts, Debts]:
    """Return all debts as they are, and as they would be if the game had these nets. Nothing is written.

    `nets` are by player's slug. `is_new` is True if the game would only end now.
    """
    ledger = Ledger(game.table, at=now(), people=people, causes=Q(game=game))
    debts, is_paid = ledger.debts, is_new and game.table.pays_on_the_spot
    ledger.change_game(game, EntryKind.CORRECTED, {} if is_paid else nets)
    return debts, ledger.debts
