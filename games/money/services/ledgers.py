"""The ledger: the only writer of a table's entries (asientos) and debts (deudas) (RULES 1.3).

Everything that moves money adds an entry in the transaction of its cause: a game that ends or changes, a
payment, an expense, starting balances. The rules are in `scoring/debts.py`. A Ledger may be stored only if
the table did not change since it was created: the caller holds the table's lock all the time, or checks under
the lock that the table's version is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, TypeAlias

from django.contrib.auth.models import User
from django.db.models import Max, OuterRef, Q, Subquery

from games.common import bulk
from games.common.bulk import BulkRows
from games.models import CLAIMED, Debt, Entry, EntryKind, Game, Member, Payment, Result, SharedCost, Table
from games.money.services import accounting, entry_rows
from games.scoring.debts import (
    Debts,
    amounts_by_pair,
    change_basis,
    debts_between,
    is_unchanged,
    merge_debts,
    people_in,
    reverse_entry,
    settle_entry,
    settle_fewest,
)
from games.scoring.ledger import Transfer, transfers
from games.tables.services import roster
from games.tables.services.roster import People

Differences: TypeAlias = Mapping[str, int]


class Ledger:
    """The debts of one table and its new entries, which only `store` writes.

    The constructor reads all that the rules need: the members and their first nights, the debts, the
    unconfirmed payments, and the number of the newest entry. `causes` filters the existing entries to read:
    those of the rows that are about to change.

    With *always the fewest payments*, `finish` settles the debts anew as part of the newest entry. `store`
    and `prepare` call it; a caller that only reads `debts` calls it first.
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
        self._active_slugs = {member.slug for member in self.people.current_members if not member.retired_at}
        self._slugs = {member.pk: member.slug for member in self.people.members if member.pk}
        self._entries: list[Entry] = []
        self._prepared_entries: BulkRows[Entry] | None = None
        self._debt_rows: dict[tuple[str, str], Debt] = {}
        self._changed_debts: dict[tuple[str, str], Debt] = {}
        self._claims: list[Transfer] = []
        self._first_nights: dict[str, int] = {}
        # All debts before the newest entry, and those that its reversal restores; the versions before it.
        self._previous: Debts = ()
        self._basis: Debts = ()
        self._previous_versions: dict[tuple[str, str], int] = {}
        # no entry after this number altered a debt and was not taken back
        self._last_alteration, self._is_restored = 0, False
        # read first, so that a concurrent entry makes a preview stale
        self.is_fewest, self.latest_number = accounting.load_setting_and_version(table)
        entries = table.entries.filter(causes).order_by("number") if causes else ()
        self._entries_by_cause = bulk.group_values(
            (entry_rows.entry_cause(entry), entry) for entry in entries
        )
        self._load()
        self.debts: Debts = tuple(
            filter(None, map(entry_rows.to_transfer, self._debt_rows.values(), self._debt_rows))
        )

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
        restored = entry if self._would_restore(entry, people, after) else None
        self._add(kind, opposite, debts, night=entry.night, restored=restored, **cause)

    def change(self, row: Payment | SharedCost) -> None:
        """Add the entries that make the ledger agree with this payment or expense.

        A row that does not count moves nothing. Its existing entries must be among the ledger's `causes`. The
        cause of all versions of an expense is the first one.
        """
        kind, first = entry_rows.row_cause(row)
        begins, ends = entry_rows.CAUSE_KINDS[kind]
        entries, cause = self._entries_by_cause.get((kind, first.pk), []), {kind: first}
        # the table's time zone may have changed since
        night = entries[0].night if entries else entry_rows.row_night(row, self._table)
        moves = roster.sum_by_current_member(entry_rows.row_nets(row, self._slugs), self.people.slugs)
        if isinstance(row, SharedCost) and entry_rows.is_correction(row, entries):
            change_kind = EntryKind.CORRECTED if row.counts else EntryKind.UNSHARED
            self._change(change_kind, entries, moves, night=night, is_expense=True, **cause)
            return
        valid_entry = entries[-1] if entries and entries[-1].kind == begins else None
        if valid_entry is not None and moves != self._current_differences(valid_entry):
            self.reverse(ends, valid_entry, **cause)
            valid_entry = None
        if moves and valid_entry is None:
            self.post(begins, moves, night=night, **cause)

    def change_game(self, game: Game, kind: EntryKind, nets: Differences) -> None:
        """Add an entry for the difference between the game's `nets` and what its entries have moved so far.

        `nets` are those of the game's results by slug, empty without results. Nets paid on the spot are
        subtracted.
        """
        moves = roster.sum_by_current_member(nets, self.people.slugs)
        if nets:
            moves.subtract(roster.sum_by_current_member(game.spot_nets or {}, self.people.slugs))
        night = date.fromordinal(game.night_number)
        if entries := self._entries_by_cause.get(("game", game.pk), []):
            self._change(kind, entries, moves, night=night, game=game)
        else:
            self.post(kind, moves, night=night, game=game)

    def _change(
        self,
        kind: EntryKind,
        entries: Sequence[Entry],
        moves: Counter[str],
        *,
        night: date,
        is_expense: bool = False,
        **cause: Any,
    ) -> None:
        """Add an entry for the difference between `moves` and what these entries of the cause have moved."""
        last, old = entries[-1], Counter[str]()
        for entry in entries:
            old.update(self._current_differences(entry))
        people = list(self._current_differences(last))
        before, after = self.people.read_lines(last.before), self.people.read_lines(last.after)
        basis = change_basis(
            self.debts, people, before, after, old, moves, is_expense=is_expense, order=self._order
        )
        differences = {slug: moves[slug] - old[slug] for slug in (*basis.people, *basis.others)}
        if any(differences.values()):
            world = self._settlement_context(basis.people, night)
            debts = settle_entry(basis.debts, basis.people, basis.differences, **world)
            is_undone = self._would_restore(last, people, after) and not any(basis.differences.values())
            restored = last if is_undone else None
            self._add(kind, differences, debts, night=night, basis=basis.debts, restored=restored, **cause)

    def settle_anew(self, *, night: date) -> None:
        """Add an entry that moves nothing and settles the debts with the fewest payments, if they change."""
        debts = self._settle_fewest(night)
        if changed := people_in({*self.debts} ^ {*debts}):
            self._add(EntryKind.SIMPLIFIED, dict.fromkeys(self._sort(changed), 0), debts, night=night)

    def merge(self, member: Member, into: Member, *, night: date) -> None:
        """Add an entry that joins the debts of two members. Call it before the merge is stored."""
        debts = merge_debts(self.debts, member.slug, into.slug, self._order)
        concerned = [debt for debt in self.debts if {debt.payer, debt.payee} & {member.slug, into.slug}]
        people = {member.slug, into.slug, *(end for debt in concerned for end in (debt.payer, debt.payee))}
        differences = {slug: 0 for slug in self._order if slug in people}
        self._add(EntryKind.MERGED, differences, debts, night=night, member=member)
        self._follow_merge(member.slug, into.slug)

    def _follow_merge(self, merged: str, into: str) -> None:
        """Make the unconfirmed payments and the nights of a member those of the one they become."""
        if merged in self._first_nights:
            self.include_unsaved([(into, self._first_nights.pop(merged))], [])
        self._active_slugs.discard(merged)
        into_by_slug = {slug: into if slug == merged else slug for slug in self._order}
        claims = (
            replace(claim, payer=into_by_slug[claim.payer], payee=into_by_slug[claim.payee])
            for claim in self._claims
        )
        self._claims = [claim for claim in claims if claim.payer != claim.payee]

    def split(self, merged: Entry, *, night: date, member: Member) -> bool:
        """Add an entry that undoes a merge, and return True.

        If the debts are no longer those that the merge left, add nothing and return False.
        """
        people = list(merged.differences)
        before, after = (tuple(Transfer(*line) for line in lines) for lines in (merged.before, merged.after))
        if not is_unchanged(self.debts, people, after):
            return False
        debts = (*(debt for debt in self.debts if debt not in after), *before)
        restored = merged if self._would_restore(merged, people, after) else None
        differences = dict.fromkeys(people, 0)
        self._add(EntryKind.PARTED, differences, debts, night=night, member=member, restored=restored)
        return True

    def repair(self, balances: Differences, *, night: date) -> None:
        """Add an entry that settles the whole table anew. `balances` are the correct balances by slug."""
        basis = self.debts
        for ends, row in self._debt_rows.items():  # a debt that is not settled anew ends
            row.amount = 0
            self._changed_debts[ends] = row
        self.debts = ()
        debts = transfers({slug: balances.get(slug, 0) for slug in self._order})
        people = dict.fromkeys(self._order, 0)
        self._add(EntryKind.REPAIRED, people, debts, night=night, basis=basis)

    # --- always the fewest payments -----------------------------------------------------------------------------------

    def finish(self) -> None:
        """With the setting, settle the debts anew as part of the newest entry, unless it restored them."""
        if not self.is_fewest or not self._entries or self._is_restored:
            return
        entry, debts = self._entries[-1], self._settle_fewest(self._entries[-1].night)
        changed = people_in({*self.debts} ^ {*debts})
        if not changed:
            return
        entry.differences |= dict.fromkeys(self._sort(changed - entry.differences.keys()), 0)
        people = list(entry.differences)
        was, debts_after = debts_between(self.debts, people), debts_between(debts, people)
        entry.before, entry.after = (
            entry_rows.to_lines(debts_between(self._basis, people)),
            entry_rows.to_lines(debts_after),
        )
        self._update_debts(was, debts_after)
        self.debts = debts

    def _settle_fewest(self, night: date) -> Debts:
        """Return the debts after settling anew those of active members and of everyone the entries move.

        Visitors are left out: they have no result before the latest night of all entries.
        """
        nights = [night, *(entry.night for entry in self._entries)]
        number = max(*nights, self._latest_stored_night() or night).toordinal()
        moved = {slug for entry in self._entries for slug, amount in entry.differences.items() if amount}
        people = self._sort(self._active_slugs | moved)
        regulars = [slug for slug in people if self._first_nights.get(slug, number) < number]
        return settle_fewest(self.debts, regulars or people, self._order, claims=self._claims)

    def _latest_stored_night(self) -> date | None:
        latest: date | None = self._table.entries.aggregate(latest=Max("night"))["latest"]
        return latest

    def _sort(self, slugs: Collection[str]) -> list[str]:
        return [slug for slug in self._order if slug in slugs]

    def _would_restore(self, entry: Entry, people: Collection[str], after: Debts) -> bool:
        """Return whether no entry after this one altered a debt. `after` are the debts among its people."""
        return self._last_alteration <= entry.number and is_unchanged(self.debts, people, after)

    # --- writing ------------------------------------------------------------------------------------------------------

    def prepare(self) -> BulkRows[Entry]:
        """Return the rows for `store`. Called before the table is locked, it keeps the lock short."""
        self.finish()
        self._prepared_entries = BulkRows(self._entries)
        return self._prepared_entries

    def store(self, version: int) -> None:
        """Insert the new entries with the table's new version, and save the debts that they changed."""
        (self._prepared_entries or self.prepare()).insert(version=version)
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
        basis: Debts | None = None,
        restored: Entry | None = None,
        **cause: Any,
    ) -> None:
        """Add an entry. `basis` are all debts before it, by default the present ones.

        With `restored`, the debts are again exactly those before that entry.
        """
        people = list(differences)
        was, debts_after = debts_between(self.debts, people), debts_between(debts, people)
        self.latest_number += 1
        self._previous, self._previous_versions = self.debts, {}
        self._basis = self.debts if basis is None else basis
        self._entries.append(
            Entry(
                table=self._table,
                number=self.latest_number,
                kind=kind,
                night=night,
                at=self.at,
                by=self._by,
                differences=dict(differences),
                before=entry_rows.to_lines(debts_between(self._basis, people)),
                after=entry_rows.to_lines(debts_after),
                **cause,
            )
        )
        self._update_debts(was, debts_after)
        self.debts, self._is_restored = debts, restored is not None
        if restored is not None:
            self._last_alteration = restored.number - 1

    def _update_debts(self, was: Debts, debts_after: Debts) -> None:
        """Set the rows of the pairs whose debts differ between these lists, and their versions."""
        changed = {frozenset((debt.payer, debt.payee)) for debt in set(was) ^ set(debts_after)}
        amounts, old_amounts = amounts_by_pair(debts_after), amounts_by_pair(self._previous)
        for ends in changed:
            first, other = sorted(ends, key=self._order.index)
            self._update_debt(first, other, amounts[first, other], old_amounts[first, other])
        if changed:
            self._last_alteration = self.latest_number

    def _update_debt(self, first: str, other: str, amount: int, old_amount: int) -> None:
        """Set the row of a pair: what `other` owes `first` now and owed before the entry.

        An amount is negative if `first` owes `other`.
        """
        row = self._debt_rows.get((first, other))
        if row is None:
            ends = {"one": self._members[first], "other": self._members[other]}
            row = self._debt_rows[first, other] = Debt(
                table=self._table, **ends, amount=0, version=self.latest_number
            )
        old_version = self._previous_versions.setdefault((first, other), row.version)
        row.amount = amount
        # A debt that was paid and is owed anew, by the fewest payments, is another one.
        is_paid = {first, other} == entry_rows.payment_ends(self._entries[-1])
        is_as_before = not is_paid and amount == old_amount
        row.version = old_version if is_as_before else self.latest_number
        self._changed_debts[first, other] = row

    # --- input of the rules -------------------------------------------------------------------------------------------

    def _load(self) -> None:
        table, by_pk = self._table, self.people.by_pk
        debts = table.debts.order_by("version", "pk").values_list("one", "other", "amount", "version")
        for one_id, other, amount, version in debts:
            debt = Debt(table=table, one_id=one_id, other_id=other, amount=amount, version=version)
            self._debt_rows[self._slugs[one_id], self._slugs[other]] = debt
            self._last_alteration = max(self._last_alteration, version)
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

    def _current_differences(self, entry: Entry) -> dict[str, int]:
        return dict(roster.sum_by_current_member(entry.differences, self.people.slugs))
