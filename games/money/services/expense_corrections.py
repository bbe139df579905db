"""Corrections of expenses (corregir): one act, in which a new row replaces the wrong one (RULES 1.3, 5).

The night and whether the debt is forgiven stay. The services lock the table but check no roles, like those of
`expenses.py`.
"""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.common import locks
from games.models import NOTE_LENGTH, ExpenseState, SharedCost
from games.money.services import expenses, payments
from games.money.services.expenses import Expense, StaleExpense
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.scoring.text_line import clean_line
from games.tables.services.roster import People


def correct(
    cost: SharedCost, expense: Expense, *, key: str, by: User, reason: str = "", at: datetime | None = None
) -> SharedCost:
    """Replace an expense by one with this content, and return the new row; the same content changes nothing.

    One that waits is accepted with these changes. A repeated key returns the current version. Raise
    StaleExpense if the expense was corrected, voided or refused meanwhile, RuleError at an invalid field or
    without a needed reason, and the exceptions of `expenses.create`.
    """
    locks.check_key(key)
    expense, reason = expenses.clean_note(expense), clean_line(reason, longest=NOTE_LENGTH, field="reason")
    with transaction.atomic():
        locks.lock(cost.table)
        people, done_at = People.of(cost.table), at or now()
        known = cost.table.costs.filter(key=key).first()
        if known is not None and known.first_pk != cost.first_pk:
            raise locks.IdempotencyKeyReused
        cost.refresh_from_db()
        is_waiting = cost.state is ExpenseState.WAITS
        if known is None and not (cost.counts or is_waiting):
            raise StaleExpense
        stored = Expense.of(cost, people)
        expense = expenses.clean_data(expense, people, by, stored=stored)
        if known is not None:
            return expenses.match_recorded(known, cost.night, expense, people, by=by)
        if not is_waiting and expense == stored:
            return cost
        if expense.is_forgiven != cost.is_forgiven:
            raise RuleError(_("Void it, and record it again."), field="forgiven")
        if not (is_waiting or reason or payments.can_undo_freely(cost, by, at=done_at)):
            raise RuleError(_("Say why you're correcting it."), field="reason")
        return replace_version(cost, expense, people, key=key, by=by, reason=reason, at=done_at)


def replace_version(
    cost: SharedCost, expense: Expense, people: People, *, key: str, by: User, reason: str, at: datetime
) -> SharedCost:
    """Store a version with this content in place of `cost`, and post its entry. The table is locked."""
    new = SharedCost(table=cost.table, night=cost.night, key=key, recorded_at=at, recorded_by=by)
    new.made_at, new.first, new.replaces = cost.made_at, cost.first or cost, cost
    cost.replaced_at, cost.replaced_by, cost.reason = at, by, reason
    cost.save(update_fields=["replaced_at", "replaced_by", "reason"])
    # Members merged since are named as before: of one person alone, it would be refused in the table's file.
    expenses.insert(new, expense, like=cost if expense.is_alike(Expense.of(cost, people)) else None)
    expenses.post(new, version=locks.bump_version(cost.table), at=at, by=by, people=people)
    return new


def can_undo(cost: SharedCost, by: User, *, at: datetime | None = None) -> bool:
    """Return whether this user made this correction tonight, and so may undo it."""
    return cost.counts and cost.replaces_id is not None and payments.can_undo_freely(cost, by, at=at)


@transaction.atomic
def undo(cost: SharedCost, *, by: User, at: datetime | None = None) -> SharedCost:
    """Undo a correction, and return the version before it, which counts again. Lock the table.

    Repeating the call changes nothing. Raise StaleExpense if the correction was itself corrected or voided,
    and RuleError if this user may not undo it.
    """
    locks.lock(cost.table)
    cost.refresh_from_db()
    former, done_at = cost.replaces, at or now()
    if former is not None and former.replaced_at is None:
        return former
    if former is None or not cost.counts:
        raise StaleExpense
    if not can_undo(cost, by, at=done_at):
        raise RuleError(
            _("Only the person who corrected an expense can undo that, on the same night."), field="reason"
        )
    cost.replaced_at, cost.replaced_by = done_at, by
    cost.save(update_fields=["replaced_at", "replaced_by"])
    former.replaced_at = former.replaced_by = None
    former.reason = ""
    former.save(update_fields=["replaced_at", "replaced_by", "reason"])
    expenses.post(former, version=locks.bump_version(cost.table), at=done_at, by=by)
    return former
