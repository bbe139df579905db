"""Entries and debts as stored rows: causes, debts as transfers and lines, and corrections of an expense."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, TypeAlias

from games.common import days
from games.models import Debt, Entry, EntryKind, Payment, SharedCost, Table
from games.money.services.balance_causes import CauseId
from games.scoring.debts import Debts
from games.scoring.ledger import Transfer
from games.scoring.shares import expense_nets

DebtLines: TypeAlias = list[list[Any]]


# A payment or an expense begins to count by an entry of the first kind, and stops by one of the second.
CAUSE_KINDS = {
    "payment": (EntryKind.PAID, EntryKind.UNPAID),
    "cost": (EntryKind.SHARED, EntryKind.UNSHARED),
}


def row_cause(row: Payment | SharedCost) -> tuple[str, Payment | SharedCost]:
    """Return the kind and the row of the cause: for all versions of an expense, the first one."""
    return ("payment", row) if isinstance(row, Payment) else ("cost", row.first or row)


def row_night(row: Payment | SharedCost, table: Table) -> date:
    if isinstance(row, SharedCost):
        return row.night
    return row.paid_on or days.night_for(row.made_at, table)


def row_nets(row: Payment | SharedCost, slugs: Mapping[int, str]) -> dict[str, int]:
    """Return the amounts that a payment or an expense moves now. `slugs` are those of stored members."""

    def slug_at(end: str) -> str:  # of a payer or payee, who may be an unsaved member without an id
        pk = getattr(row, f"{end}_id")
        return slugs[pk] if pk in slugs else str(getattr(row, end).slug)

    if not row.counts:
        return {}
    if isinstance(row, Payment):
        return {slug_at("payer"): row.amount, slug_at("payee"): -row.amount}
    return expense_nets(row.paid or {slug_at("payer"): row.amount}, row.borne)


def is_correction(row: SharedCost, entries: Sequence[Entry]) -> bool:
    """Return whether an expense with these entries was corrected, and counts or counted at the last."""
    kinds = [entry.kind for entry in entries]
    is_corrected = EntryKind.CORRECTED in kinds or (row.first_id is not None and row.counts)
    return is_corrected and kinds[-1:] in ([EntryKind.SHARED], [EntryKind.CORRECTED])


def payment_ends(entry: Entry) -> set[str]:
    """Return the slugs of the two people if the entry is of a payment, or of its end; otherwise nobody."""
    if entry.kind not in CAUSE_KINDS["payment"]:
        return set()
    return {slug for slug, amount in entry.differences.items() if amount}


def to_transfer(row: Debt, ends: tuple[str, str]) -> Transfer | None:
    """Return a stored debt as a transfer, None if the two are even. `ends` are its two slugs."""
    if not row.amount:
        return None
    first, other = ends
    return Transfer(other, first, row.amount) if row.amount > 0 else Transfer(first, other, -row.amount)


def entry_cause(entry: Entry) -> CauseId | None:
    """Return the kind and id of the game, payment or expense that caused this entry, None if none did."""
    named = {"game": entry.game_id, "payment": entry.payment_id, "cost": entry.cost_id}
    return next(((kind, pk) for kind, pk in named.items() if pk is not None), None)


def to_lines(debts: Debts) -> DebtLines:
    return [[debt.payer, debt.payee, debt.amount] for debt in debts]
