"""Expenses (gastos compartidos): record and void what one member paid for several.

Expenses never count in standings. A debt that several people forgive together is an expense too: the debtor
is its payer, and no money moved. A
*current* member is one who was not merged into another; the parts of merged members are added to theirs.

The services lock the table but check no roles: the caller makes sure that the user is an owner or a scorer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from games.common import locks
from games.common.locks import IdempotencyKeyReused
from games.models import MOST_MONEY, NOTE_LENGTH, Member, SharedCost, Table
from games.money.services import movements, payments
from games.money.services.ledgers import Ledger
from games.money.services.movements import AlreadyVoided
from games.scoring.errors import RuleError
from games.scoring.i18n import MoneyParam, _
from games.scoring.shares import expense_shares
from games.scoring.text_line import clean_line
from games.tables.services.roster import People

MAX_PARTS = 9  # for one sharer
NO_OTHER_SHARER = _("Choose at least one person besides the payer.")


@dataclass(frozen=True, kw_only=True)
class Expense:
    """The content of an expense. `borne` is each member's part of the amount.

    With `is_forgiven` these members forgive the payer the amount.
    """

    payer: Member
    amount: int
    borne: Mapping[Member, int]
    note: str = ""
    is_forgiven: bool = False

    @classmethod
    def of(cls, cost: SharedCost, people: People) -> Expense:
        """Return the content of a stored expense, with merged members resolved to current ones."""
        payer, borne = people.by_pk[cost.payer_id], current_shares(cost, people)
        return cls(
            payer=payer,
            amount=cost.amount,
            borne=borne,
            note=cost.note,
            is_forgiven=cost.is_forgiven,
        )

    @property
    def is_equal(self) -> bool:
        """True if all parts are equal, apart from odd coins."""
        return max(self.borne.values()) - min(self.borne.values()) <= 1


def load_for_night(night: date, table: Table) -> list[SharedCost]:
    """Return the expenses of this night that are not voided, oldest first."""
    costs = table.costs.filter(night=night, ended_at=None).select_related("table", "payer", "recorded_by")
    return list(costs.order_by("made_at", "pk"))


def current_shares(cost: SharedCost, people: People) -> Mapping[Member, int]:
    """Return each current member's part of a stored expense, in joining order."""
    borne = Counter[Member]()
    for slug, part in cost.borne.items():
        borne[people.by_slug[slug]] += part
    return {member: borne[member] for member in people.current_members if member in borne}


def split_by_parts(
    amount: int, payer: Member, parts: Mapping[Member, int], people: People, *, is_forgiven: bool = False
) -> Mapping[Member, int]:
    """Return each member's share of the amount. A forgiven debtor bears nothing.

    Raise RuleError if a member belongs to another table or if all parts are 0.
    """
    payer, shares = movements.resolve_member(payer, people, "payer"), Counter[str]()
    for member, part in parts.items():
        shares[movements.resolve_member(member, people, "sharers").slug] += part
    if is_forgiven:
        del shares[payer.slug]
    if not any(shares.values()):
        raise RuleError(NO_OTHER_SHARER, field="sharers")
    borne = expense_shares(amount, payer.slug, shares, [member.slug for member in people.current_members])
    return {people.by_slug[slug]: part for slug, part in borne.items()}


# --- recording --------------------------------------------------------------------------------------------------------


def create(
    table: Table,
    night: date,
    expense: Expense,
    *,
    key: str,
    by: User,
    at: datetime | None = None,
) -> SharedCost:
    """Record an expense of a night and return it. A repeated key returns the stored expense.

    Raise IdempotencyKeyReused if the key has other content or belongs to another user of the table,
    AlreadyVoided if that expense was voided since, and RuleError at an invalid field.
    """
    locks.check_key(key)
    expense = replace(expense, note=clean_line(expense.note, longest=NOTE_LENGTH, field="note"))
    with transaction.atomic():
        locks.lock(table)
        people = People.of(table)
        expense = clean_data(expense, people, by)
        known = table.costs.filter(key=key).first()
        if known is not None:
            return _match_recorded(known, night, expense, people, by=by)
        recorded_at = at or now()
        cost = SharedCost(table=table, night=night, key=key, recorded_at=recorded_at, recorded_by=by)
        cost.payer, cost.amount = expense.payer, expense.amount
        cost.note, cost.is_forgiven = expense.note, expense.is_forgiven
        cost.borne = {member.slug: part for member, part in expense.borne.items()}
        cost.made_at, _paid_on = movements.effective_time(night, table, recorded_at, field="night")
        cost.arrived_at = now()
        cost.save(force_insert=True)
        post(cost, version=locks.bump_version(table), at=recorded_at, by=by, people=people)
        return cost


def _match_recorded(
    known: SharedCost, night: date, expense: Expense, people: People, *, by: User
) -> SharedCost:
    if not known.counts:
        raise AlreadyVoided(_("This expense was recorded and then voided. If it counts, record it again."))
    locks.check_key_owner(known, by=by)
    if (known.night, Expense.of(known, people)) != (night, expense):
        raise IdempotencyKeyReused
    return known


def clean_data(expense: Expense, people: People, by: User) -> Expense:
    """Return the content with current members in joining order. Raise RuleError at an invalid field."""
    if not 0 < expense.amount <= MOST_MONEY:
        raise RuleError(
            _("An expense must be more than zero and at most {most}.", most=MoneyParam(MOST_MONEY)),
            field="amount",
        )
    payer = movements.resolve_member(expense.payer, people, "payer")
    if expense.is_forgiven and payer.belongs_to(by):
        raise RuleError(_("You can't forgive your own debt."), field="payer")
    borne = Counter[Member]()
    for member, part in expense.borne.items():
        borne[movements.resolve_member(member, people, "sharers")] += part
    missing = expense.amount - sum(borne.values())
    if missing:
        text = _("{missing} is missing.") if missing > 0 else _("That's {missing} too much.")
        raise RuleError(text.filled(missing=MoneyParam(abs(missing))), field="amounts")
    if not any(part for member, part in borne.items() if member != payer):
        raise RuleError(NO_OTHER_SHARER, field="sharers")
    expense = replace(
        expense,
        payer=payer,
        borne={sharer: borne[sharer] for sharer in people.current_members if sharer in borne},
    )
    if expense.is_forgiven and (payer in borne or not expense.is_equal):
        raise RuleError(_("A debt is forgiven in equal shares."), field="forgiven")
    return expense


# --- voiding ----------------------------------------------------------------------------------------------------------


def void(cost: SharedCost, *, by: User, reason: str = "", at: datetime | None = None) -> SharedCost:
    """Void an expense; a voided one is returned as it is. Lock the table.

    Raise RuleError if there is no reason and `payments.can_undo_freely` is False.
    """
    reason, ended_at = clean_line(reason, longest=NOTE_LENGTH, field="reason"), at or now()
    with transaction.atomic():
        locks.lock(cost.table)
        cost.refresh_from_db()
        if cost.ended_at is not None:
            return cost
        if not reason and not payments.can_undo_freely(cost, by, at=ended_at):
            raise RuleError(_("Say why you're voiding it."), field="reason")
        cost.ended_at, cost.ended_by, cost.reason = ended_at, by, reason
        cost.save(update_fields=["ended_at", "ended_by", "reason"])
        post(cost, version=locks.bump_version(cost.table), at=ended_at, by=by)
        return cost


def post(
    cost: SharedCost, *, version: int, at: datetime, by: User | None, people: People | None = None
) -> None:
    """Post the ledger entries that an expense needs in its present state, whether it counts or was voided.

    The caller holds the table's lock; `version` is the table's version after the write.
    """
    ledger = Ledger(cost.table, at=at, by=by, people=people, causes=Q(cost=cost))
    ledger.change(cost)
    ledger.store(version)
