"""Expenses (gastos compartidos): record and void what one or several members paid for several.

Expenses never count in standings. A debt that several people forgive together is an expense too: the debtor
is its payer, and no money moved. A *current* member is one who was not merged into another; what merged
members paid and bear is added to theirs.

The services lock the table but check no roles: the caller makes sure that the user is an owner or a scorer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from games.common import locks
from games.common.locks import IdempotencyKeyReused, StaleData
from games.models import (
    COUNTING_EXPENSES,
    MOST_MONEY,
    NOTE_LENGTH,
    WAITING_EXPENSES,
    ExpenseState,
    Member,
    SharedCost,
    Table,
)
from games.money.services import movements, payments
from games.money.services.ledgers import Ledger
from games.money.services.movements import AlreadyVoided
from games.scoring.errors import RuleError
from games.scoring.i18n import MoneyParam, _
from games.scoring.shares import expense_shares
from games.scoring.text_line import clean_line
from games.tables.services import roster
from games.tables.services.roster import People

MAX_PARTS = 99  # for one sharer
MAX_WAITING = 20  # proposals of one member
FIRST_NIGHT = date(2000, 1, 1)  # of an expense, which may be older than the table
NO_OTHER_SHARER = _("Choose at least one person besides the payer.")
NOBODY_OWES = _("Everybody would bear exactly what they paid.")


class StaleExpense(StaleData):
    """The expense has been corrected or voided since the user saw it."""


@dataclass(frozen=True, kw_only=True)
class Expense:
    """The content of an expense: what each payer paid, and each member's part of the amount (`borne`).

    With `is_forgiven` these members forgive the only payer the amount.
    """

    paid: Mapping[Member, int]
    amount: int
    borne: Mapping[Member, int]
    note: str = ""
    is_forgiven: bool = False

    @classmethod
    def of(cls, cost: SharedCost, people: People) -> Expense:
        """Return the content of a stored expense, with merged members resolved to current ones."""
        return cls(
            paid=current_payers(cost, people),
            amount=cost.amount,
            borne=current_shares(cost, people),
            note=cost.note,
            is_forgiven=cost.is_forgiven,
        )

    @property
    def payer(self) -> Member:
        """The payer who paid most; of equal payers, the first to join."""
        return min(self.paid, key=lambda member: (-self.paid[member], member.pk))

    @property
    def is_equal(self) -> bool:
        """True if all parts are equal, apart from odd coins; `is_split_equally` looks at those too."""
        return max(self.borne.values()) - min(self.borne.values()) <= 1

    def is_alike(self, other: Expense) -> bool:
        """Return whether the two differ in their notes at most."""
        return replace(self, note=other.note) == other


def load_for_night(night: date, table: Table) -> list[SharedCost]:
    """Return the expenses of this night that are not voided, oldest first."""
    costs = table.costs.filter(COUNTING_EXPENSES, night=night).select_related("table", "recorded_by")
    return list(costs.order_by("made_at", "pk"))


def load_current(first_pks: Collection[int], table: Table) -> dict[int, SharedCost]:
    """Return the current versions of these expenses by the ids of their first ones."""
    if not first_pks:
        return {}
    versions = table.costs.filter(Q(pk__in=first_pks) | Q(first__in=first_pks), replaced_at=None)
    return {cost.first_pk: cost for cost in versions}


def current_version(cost: SharedCost) -> SharedCost:
    """Return the version of this expense that counts or was voided."""
    return cost if cost.replaced_at is None else load_current([cost.first_pk], cost.table)[cost.first_pk]


def current_shares(cost: SharedCost, people: People) -> Mapping[Member, int]:
    """Return each current member's part of a stored expense, in joining order."""
    return _sort_by_member(cost.borne, people)


def current_payers(cost: SharedCost, people: People) -> Mapping[Member, int]:
    """Return what each current member paid of a stored expense, in joining order."""
    return _sort_by_member(cost.paid or {people.by_pk[cost.payer_id].slug: cost.amount}, people)


def _sort_by_member(amounts: Mapping[str, int], people: People) -> Mapping[Member, int]:
    sums = roster.sum_by_current_member(amounts, people.slugs)
    return {people.by_slug[slug]: sums[slug] for slug in sorted(sums, key=people.seats.__getitem__)}


def split_by_parts(
    amount: int,
    paid: Mapping[Member, int],
    parts: Mapping[Member, int],
    people: People,
    *,
    is_forgiven: bool = False,
) -> Mapping[Member, int]:
    """Return each member's share of the amount. A forgiven debtor bears nothing.

    Raise RuleError if a member belongs to another table or if all parts are 0.
    """
    payers, shares = (_resolve(some, people, field) for some, field in ((paid, "payer"), (parts, "sharers")))
    if is_forgiven:
        shares = {member: part for member, part in shares.items() if member not in payers}
    if not any(shares.values()):
        raise RuleError(NO_OTHER_SHARER, field="sharers")
    seats = [member.slug for member in people.current_members]
    borne = expense_shares(amount, _by_slug(payers), _by_slug(shares), seats)
    return {people.by_slug[slug]: part for slug, part in borne.items()}


def is_split_equally(expense: Expense, people: People) -> bool:
    """Return whether its parts, odd coins included, are those that its sharers would get in equal shares."""
    parts = dict.fromkeys(expense.borne, 1)
    try:
        split = split_by_parts(expense.amount, expense.paid, parts, people, is_forgiven=expense.is_forgiven)
    except RuleError:  # who forgave is now the same person as the debtor
        return False
    return split == expense.borne


def _by_slug(amounts: Mapping[Member, int]) -> dict[str, int]:
    return {member.slug: amount for member, amount in amounts.items()}


def _resolve(amounts: Mapping[Member, int], people: People, field: str) -> dict[Member, int]:
    """Return the sums by current member, in joining order. Raise RuleError for a foreign member."""
    sums = Counter[Member]()
    for member, amount in amounts.items():
        sums[movements.resolve_member(member, people, field)] += amount
    return {member: sums[member] for member in people.current_members if member in sums}


# --- recording --------------------------------------------------------------------------------------------------------


def create(
    table: Table,
    night: date,
    expense: Expense,
    *,
    key: str,
    by: User,
    at: datetime | None = None,
    is_proposal: bool = False,
) -> SharedCost:
    """Record an expense of a night and return it. A repeated key returns the stored expense.

    With `is_proposal` it waits for an owner or scorer, and its user must have paid into it. Raise
    IdempotencyKeyReused if the key has other content or belongs to another user of the table, AlreadyVoided
    if that expense was voided since, and RuleError at an invalid field.
    """
    locks.check_key(key)
    expense = clean_note(expense)
    with transaction.atomic():
        locks.lock(table)
        people = People.of(table)
        expense = clean_data(expense, people, by)
        known = table.costs.filter(key=key).first()
        if known is not None:
            return match_recorded(known, night, expense, people, by=by)
        recorded_at = at or now()
        cost = SharedCost(table=table, night=night, key=key, recorded_at=recorded_at, recorded_by=by)
        cost.made_at = _effective_time(night, table, recorded_at)
        if is_proposal:
            cost.is_proposal, cost.proposer = True, _find_proposer(expense, table, people, by)
        insert(cost, expense)
        post(cost, version=locks.bump_version(table), at=recorded_at, by=by, people=people)
        return cost


def _find_proposer(expense: Expense, table: Table, people: People, by: User) -> Member:
    """Return the payer who is this user. Raise RuleError if none is, or if too many of theirs wait."""
    proposer = next((payer for payer in expense.paid if payer.belongs_to(by)), None)
    if proposer is None or expense.is_forgiven:
        raise RuleError(_("You can only propose an expense that you paid into."), field="payer")
    waiting = table.costs.filter(WAITING_EXPENSES, proposer__in=people.member_pks(proposer))
    if waiting.count() >= MAX_WAITING:
        raise RuleError(_("{most} of your expenses wait already.", most=MAX_WAITING), field="")
    return proposer


def clean_note(expense: Expense) -> Expense:
    return replace(expense, note=clean_line(expense.note, longest=NOTE_LENGTH, field="note"))


def insert(cost: SharedCost, expense: Expense, *, like: SharedCost | None = None) -> None:
    """Store a new row with this content. With `like`, an expense that is alike, it names the same members."""
    cost.amount, cost.note, cost.is_forgiven = expense.amount, expense.note, expense.is_forgiven
    if like is None:
        cost.payer, cost.borne = expense.payer, _by_slug(expense.borne)
        cost.paid = _by_slug(expense.paid) if len(expense.paid) > 1 else {}
    else:
        cost.payer, cost.borne, cost.paid = like.payer, like.borne, like.paid
    cost.arrived_at = now()
    cost.save(force_insert=True)


def _effective_time(night: date, table: Table, at: datetime) -> datetime:
    """Return the time that an expense of this night counts from. Raise RuleError at an impossible night."""
    if night < FIRST_NIGHT:
        raise RuleError(_("That day is before the year 2000."), field="night")
    return movements.effective_time(night, table, at, field="night", is_bound=False)[0]


def match_recorded(
    known: SharedCost, night: date, expense: Expense, people: People, *, by: User
) -> SharedCost:
    """Return the current version of the expense with this key. Raise AlreadyVoided or IdempotencyKeyReused."""
    current = current_version(known)
    if current.ended_at is not None:
        raise AlreadyVoided(_("This expense was recorded and then voided. If it counts, record it again."))
    locks.check_key_owner(known, by=by)
    if (known.night, Expense.of(known, people)) != (night, expense):
        raise IdempotencyKeyReused
    return current


def clean_data(expense: Expense, people: People, by: User, *, stored: Expense | None = None) -> Expense:
    """Return the content with current members in joining order. Raise RuleError at an invalid field.

    If only the note differs from `stored`, the expense that it corrects, it is valid, even if it could not be
    entered now because members were merged.
    """
    if not 0 < expense.amount <= MOST_MONEY:
        raise RuleError(
            _("An expense must be more than zero and at most {most}.", most=MoneyParam(MOST_MONEY)),
            field="amount",
        )
    paid, borne = _resolve(expense.paid, people, "payer"), _resolve(expense.borne, people, "sharers")
    if expense.is_forgiven and any(payer.belongs_to(by) for payer in paid):
        raise RuleError(_("You can't forgive your own debt."), field="payer")
    expense = replace(expense, paid=paid, borne=borne)
    if stored is not None and expense.is_alike(stored):
        return expense
    if expense.is_forgiven and len(paid) > 1:
        raise RuleError(_("A debt that is forgiven together is one person's."), field="payers")
    _check_sum(expense.amount, paid, "payers")
    _check_sum(expense.amount, borne, "amounts")
    if not any((Counter(paid) - Counter(borne)).values()):
        raise RuleError(NO_OTHER_SHARER if len(paid) == 1 else NOBODY_OWES, field="sharers")
    if expense.is_forgiven and (expense.payer in borne or not expense.is_equal):
        raise RuleError(_("A debt is forgiven in equal shares."), field="forgiven")
    return expense


def _check_sum(amount: int, parts: Mapping[Member, int], field: str) -> None:
    if missing := amount - sum(parts.values()):
        text = _("{missing} is missing.") if missing > 0 else _("That's {missing} too much.")
        raise RuleError(text.filled(missing=MoneyParam(abs(missing))), field=field)


# --- voiding ----------------------------------------------------------------------------------------------------------


def void(cost: SharedCost, *, by: User, reason: str = "", at: datetime | None = None) -> SharedCost:
    """Void an expense; a voided one is returned as it is. Lock the table.

    Its proposer takes one back while it waits. Raise RuleError if another user does, or if there is no reason
    and `payments.can_undo_freely` is False, and StaleExpense if the expense was corrected or refused
    meanwhile.
    """
    reason, ended_at = clean_line(reason, longest=NOTE_LENGTH, field="reason"), at or now()
    with transaction.atomic():
        locks.lock(cost.table)
        cost.refresh_from_db()
        if cost.ended_at is not None:
            return cost
        if cost.state is ExpenseState.WAITS:
            _check_is_proposer(cost, by)
        elif not cost.counts:
            raise StaleExpense
        elif not reason and not payments.can_undo_freely(cost, by, at=ended_at):
            raise RuleError(_("Say why you're voiding it."), field="reason")
        cost.ended_at, cost.ended_by, cost.reason = ended_at, by, reason
        cost.save(update_fields=["ended_at", "ended_by", "reason"])
        post(cost, version=locks.bump_version(cost.table), at=ended_at, by=by)
        return cost


def _check_is_proposer(cost: SharedCost, by: User) -> None:
    proposer = People.of(cost.table).by_pk[cost.proposer_id or 0]
    if not proposer.belongs_to(by):
        raise RuleError(_("Only {name} can take this back while it waits.", name=proposer.name))


def post(
    cost: SharedCost, *, version: int, at: datetime, by: User | None, people: People | None = None
) -> None:
    """Post the ledger entries that an expense needs in its present state, whether it counts or was voided.

    The caller holds the table's lock; `version` is the table's version after the write.
    """
    ledger = Ledger(cost.table, at=at, by=by, people=people, causes=Q(cost=cost.first_pk))
    ledger.change(cost)
    ledger.store(version)
