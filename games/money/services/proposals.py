"""Expenses that wait: a member proposes one (`expenses.create`), and an owner or scorer accepts or refuses it.

A proposal is no ledger entry (RULES 1.3). Accepted, it is one of its own night. The services lock the table
but check no roles, like those of `expenses.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from games.common import days, locks
from games.models import NOTE_LENGTH, WAITING_EXPENSES, ExpenseState, Member, SharedCost, Table
from games.money.services import expenses
from games.money.services.accounting import NEWS_PERIOD
from games.money.services.expenses import StaleExpense
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.scoring.text_line import clean_line
from games.tables.services.roster import People


def list_open(
    table: Table, people: People, member: Member | None, *, is_scorer: bool
) -> QuerySet[SharedCost]:
    """Return the expenses that this reader answers or has not seen, oldest first.

    For an owner or scorer these are the ones that wait. For every member, those that they proposed and that
    were refused, for NEWS_PERIOD or until they have seen it.
    """
    pks = people.member_pks(member) if member else []
    refused = Q(proposer__in=pks, ended_at=None, refused_at__gte=now() - NEWS_PERIOD, seen_at=None)
    return table.costs.filter(WAITING_EXPENSES | refused if is_scorer else refused).order_by(
        "recorded_at", "pk"
    )


def can_take_back(cost: SharedCost, people: People, *, by: User) -> bool:
    """Return whether this user is the proposer of an expense that waits, or that they took back already."""
    proposer = people.by_pk.get(cost.proposer_id or 0)
    is_open = cost.state in (ExpenseState.WAITS, ExpenseState.TAKEN_BACK) and cost.accepted_at is None
    return is_open and proposer is not None and proposer.belongs_to(by)


@transaction.atomic
def accept(cost: SharedCost, *, by: User, at: datetime | None = None) -> SharedCost:
    """Accept an expense that waits; an accepted one stays as it is. Raise StaleExpense for any other."""
    _lock(cost)
    if cost.counts and cost.accepted_at is not None:
        return cost
    if cost.state is not ExpenseState.WAITS:
        raise StaleExpense
    done_at = at or now()
    return _store(cost, at=done_at, by=by, accepted_at=done_at, accepted_by=by)


def refuse(cost: SharedCost, *, by: User, objection: str = "", at: datetime | None = None) -> SharedCost:
    """Refuse an expense that waits; a refused one stays as it is. Raise StaleExpense for any other."""
    objection = clean_line(objection, longest=NOTE_LENGTH, field="objection")
    with transaction.atomic():
        _lock(cost)
        if cost.state is ExpenseState.REFUSED:
            return cost
        if cost.state is not ExpenseState.WAITS:
            raise StaleExpense
        done_at = at or now()
        return _store(cost, at=done_at, by=by, refused_at=done_at, refused_by=by, objection=objection)


def can_undo_answer(cost: SharedCost, by: User, *, at: datetime | None = None) -> bool:
    """Return whether this user accepted or refused the expense tonight, and so may undo that."""
    answered_at, answered_by = (
        (cost.accepted_at, cost.accepted_by_id) if cost.counts else (cost.refused_at, cost.refused_by_id)
    )
    if answered_at is None or answered_by != by.pk or not (cost.counts or cost.state is ExpenseState.REFUSED):
        return False
    return days.night_for(answered_at, cost.table) == days.night_for(at or now(), cost.table)


@transaction.atomic
def undo_answer(cost: SharedCost, *, by: User, at: datetime | None = None) -> SharedCost:
    """Undo a yes or no, so that the expense waits again. One that waits stays as it is.

    Raise StaleExpense if it was corrected or voided since, and RuleError if this user did not answer tonight.
    """
    _lock(cost)
    if cost.state is ExpenseState.WAITS:
        return cost
    if cost.state in (ExpenseState.REPLACED, ExpenseState.TAKEN_BACK):
        raise StaleExpense
    if not can_undo_answer(cost, by, at=at):
        raise RuleError(_("Only the person who answered can undo that, on the same night."))
    answers = {"accepted_at": None, "accepted_by": None, "refused_at": None, "refused_by": None}
    return _store(cost, at=at or now(), by=by, **answers, objection="", seen_at=None)


@transaction.atomic
def mark_seen(cost: SharedCost, *, by: User, at: datetime | None = None) -> SharedCost:
    """Record that the proposer has read that the expense was refused. For any other user it does nothing."""
    _lock(cost)
    proposer = People.of(cost.table).by_pk.get(cost.proposer_id or 0)
    is_news = cost.state is ExpenseState.REFUSED and cost.seen_at is None
    if is_news and proposer is not None and proposer.belongs_to(by):
        cost.seen_at = at or now()
        cost.save(update_fields=["seen_at"])
        locks.bump_version(cost.table)
    return cost


def _lock(cost: SharedCost) -> None:
    locks.lock(cost.table)
    cost.refresh_from_db()


def _store(cost: SharedCost, *, at: datetime, by: User, **values: Any) -> SharedCost:
    """Save the changed fields, and post an entry if the expense began or stopped counting."""
    for name, value in values.items():
        setattr(cost, name, value)
    cost.save(update_fields=[*values])
    expenses.post(cost, version=locks.bump_version(cost.table), at=at, by=by)
    return cost
