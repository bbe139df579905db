"""Payments (pagos): record, settle, confirm, dispute and void payments.

An *unconfirmed payment* (`is_claim`) was recorded by its payer while the payee had a phone at the table. It
counts once the payee, or an owner or scorer who is not the payer, confirms it. Forgiving (perdonar) is a
method of payment. All writing services lock the table and work in one transaction. `by` is the acting user
and `role` their role, which the caller has read; `at` is the time, by default now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from games.common import days, locks, roles
from games.common.locks import IdempotencyKeyReused
from games.models import NOTE_LENGTH, Member, Method, Payment, PaymentState, Role, SharedCost, Table
from games.money.services import accounting, entry_rows, fewest_payments, movements
from games.money.services.ledgers import Ledger
from games.money.services.movements import AlreadyVoided
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.scoring.text_line import clean_line
from games.tables.services.roster import People


class PaymentQuestion(Exception):
    """A payment that `payer` may not really have made to `payee`: it needs a confirmation."""

    payer: Member
    payee: Member
    amount: int


class MoreThanOwed(PaymentQuestion):
    """The payment exceeds `owed_amount`, its payer's debt to the payee."""

    def __init__(self, payer: Member, payee: Member, amount: int, owed_amount: int) -> None:
        super().__init__()
        self.payer, self.payee, self.amount, self.owed_amount = payer, payee, amount, owed_amount


def create(
    table: Table,
    payer: Member,
    payee: Member,
    amount: int,
    *,
    method: Method = Method.CASH,
    key: str,
    by: User,
    role: Role = Role.SCORER,
    note: str = "",
    day: date | None = None,
    at: datetime | None = None,
    is_asking: bool = False,
) -> Payment:
    """Record a payment and return it. A repeated key returns the stored payment.

    `day` dates the payment back. Raise MoreThanOwed if `is_asking` and the amount exceeds the debt; otherwise
    the payee owes the payer the excess. Raise RuleError if the user may not record it or a field is invalid,
    AlreadyVoided if the payment with this key has ended, and IdempotencyKeyReused if the key has another
    payment or belongs to another user of the table.
    """
    locks.check_key(key)
    note = clean_line(note, longest=NOTE_LENGTH, field="note")
    with transaction.atomic():
        locks.lock(table)
        people = People.of(table)
        payer, payee = movements.resolve_parties(payer, payee, people)
        check_can_record(payer, payee, method, by=by, role=role)
        movements.check_amount(amount)
        known = table.payments.filter(key=key).first()
        recorded_at = known.recorded_at if known else at or now()
        payment = Payment(table=table, payer=payer, payee=payee, amount=amount, key=key, recorded_by=by)
        payment.method, payment.note = method, note
        payment.made_at, payment.paid_on = movements.effective_time(day, table, recorded_at)
        payment.recorded_at, payment.arrived_at = recorded_at, now()
        payment.is_claim = payer.belongs_to(by) and payee.has_phone
        if known is not None:
            return _match_recorded(known, payment, people)
        if is_asking:
            _check_overpayment(payment, people)
        payment.save(force_insert=True)
        version = locks.bump_version(table)
        post([payment], version=version, at=recorded_at, by=by, people=people)
        return payment


def must_be_confirmed(payment: Payment, payee_confirmed_at: datetime | None, *, by: User) -> bool:
    """Return whether a payment in a file that this user imports waits for its payee, whatever the file says.

    It does if they made it on a night after the one when its payee was confirmed for good at the table.
    """
    if payee_confirmed_at is None or not (payment.payer.belongs_to(by) and payment.payee.has_phone):
        return False
    table = payment.table
    return days.night_for(payee_confirmed_at, table) < entry_rows.row_night(payment, table)


def _match_recorded(known: Payment, payment: Payment, people: People) -> Payment:
    """Return the payment with this key. Raise AlreadyVoided or IdempotencyKeyReused.

    The note and the method are not compared, because they may have been changed since; a debt that was forgiven
    never becomes a payment.
    """
    if known.ended_at is not None:
        raise AlreadyVoided(_("This payment was recorded and then voided. If it was paid, record it again."))
    locks.check_key_owner(known, by=payment.recorded_by)
    is_forgiven, now_forgiven = (row.method == Method.FORGIVEN for row in (known, payment))
    if (
        people.slug_pair(known) != people.slug_pair(payment)
        or is_forgiven != now_forgiven
        or any(getattr(known, name) != getattr(payment, name) for name in ("amount", "paid_on"))
    ):
        raise IdempotencyKeyReused
    return known


def _check_overpayment(payment: Payment, people: People) -> None:
    payer, payee = (people.by_pk[pk] for pk in (payment.payer_id, payment.payee_id))
    debt = accounting.find_debt(payer, payee, people)
    owed_amount = debt.amount if debt else 0
    if payment.amount > owed_amount:
        raise MoreThanOwed(payer, payee, payment.amount, owed_amount)


def can_record(payer: Member, payee: Member, *, by: User, role: Role) -> bool:
    return role in roles.WRITERS or payer.belongs_to(by) or payee.belongs_to(by)


def check_can_record(payer: Member, payee: Member, method: Method, *, by: User, role: Role) -> None:
    """Raise RuleError unless this user may record a payment of this method between these two.

    Only the payee forgives a debt, or an owner who is not the payer if the payee has no phone.
    """
    if not can_record(payer, payee, by=by, role=role):
        raise RuleError(_("You can only record payments that you made or received."), field="payer")
    if method is not Method.FORGIVEN or payee.belongs_to(by):
        return
    if payee.has_phone or role is not Role.OWNER or payer.belongs_to(by):
        raise RuleError(_("Only {name} can forgive this.", name=payee.name), field="method")


# --- permissions, answers and changes ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class PaymentPermissions:
    """The actions that a user may take on a payment. `needs_reason` applies to voiding it."""

    can_confirm: bool
    can_dispute: bool
    can_void: bool
    needs_reason: bool


def permissions_for(
    payment: Payment, people: People, *, by: User, role: Role, at: datetime | None = None
) -> PaymentPermissions:
    """Return the actions that this user, with this role, may take on the payment.

    The payee, or an owner or scorer who is not the payer, answers an unconfirmed or disputed payment. The
    user who recorded a payment may void it, and so may owners and scorers; the payer may void a disputed one,
    and the payee one that does not count.
    """
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    is_payer, is_payee = payer.belongs_to(by), payee.belongs_to(by)
    is_scorer, is_recorder = role in roles.WRITERS, payment.recorded_by_id == by.pk
    is_ended, is_open = payment.ended_at is not None, not payment.counts
    is_disputed = payment.state is PaymentState.DISPUTED
    is_granted = is_disputed and is_payer
    return PaymentPermissions(
        can_confirm=not is_ended and is_open and (is_payee or (is_scorer and not is_payer)),
        can_dispute=not is_ended and is_payee and not is_disputed,
        can_void=not is_ended and (is_recorder or is_scorer or is_granted or (is_payee and is_open)),
        needs_reason=not (can_undo_freely(payment, by, at=at) or is_granted or (is_payee and is_open)),
    )


def can_undo_freely(row: Payment | SharedCost, by: User, *, at: datetime | None = None) -> bool:
    """Return whether this user recorded the row tonight, and so may void it without a reason."""
    is_tonight = days.night_for(row.recorded_at, row.table) == days.night_for(at or now(), row.table)
    return row.ended_at is None and row.recorded_by_id == by.pk and is_tonight


def can_undo_confirmation(payment: Payment, by: User, *, at: datetime | None = None) -> bool:
    """Return whether this user confirmed the payment tonight, and so may undo that."""
    return (
        payment.ended_at is None
        and payment.confirmed_at is not None
        and payment.confirmed_by_id == by.pk
        and days.night_for(payment.confirmed_at, payment.table) == days.night_for(at or now(), payment.table)
    )


@transaction.atomic
def confirm(
    payment: Payment,
    *,
    by: User,
    role: Role = Role.SCORER,
    at: datetime | None = None,
    is_asking: bool = False,
) -> Payment:
    """Confirm an unconfirmed or disputed payment, so that it counts. A payment that counts stays as it is.

    Raise RuleError if the payment ended or the user may not confirm it, and MoreThanOwed if `is_asking` and
    the amount exceeds the debt.
    """
    people = _lock(payment)
    if not payment.counts:
        if not permissions_for(payment, people, by=by, role=role).can_confirm:
            payee = people.by_pk[payment.payee_id]
            raise RuleError(_("Only {name} or another scorekeeper can confirm this.", name=payee.name))
        if is_asking:
            _check_overpayment(payment, people)
        confirmed_at = at or now()
        _store(payment, people, at=confirmed_at, by=by, confirmed_at=confirmed_at, confirmed_by=by)
    return payment


@transaction.atomic
def undo_confirmation(payment: Payment, *, by: User, at: datetime | None = None) -> None:
    """Undo the confirmation of a payment, which is then pending again.

    A payment that does not count stays as it is. Raise RuleError if this user did not confirm it tonight.
    """
    people = _lock(payment)
    if payment.counts:
        if not can_undo_confirmation(payment, by, at=at):
            raise RuleError(_("Only the person who confirmed a payment can undo that, on the same night."))
        _store(payment, people, at=at or now(), by=by, confirmed_at=None, confirmed_by=None, seen_at=None)


def dispute(payment: Payment, *, by: User, objection: str = "", at: datetime | None = None) -> Payment:
    """Record that the money did not arrive, as the payee says. An ended or disputed payment stays as it is.

    An unconfirmed payment ends; any other stops counting. Raise RuleError if the user is not the payee.
    """
    objection = clean_line(objection, longest=NOTE_LENGTH, field="objection")
    with transaction.atomic():
        people = _lock(payment)
        payee, done_at = people.by_pk[payment.payee_id], at or now()
        if not payee.belongs_to(by):
            raise RuleError(_("Only {name} can say that it didn't arrive.", name=payee.name))
        if payment.state is PaymentState.CLAIMED:
            _store(payment, people, at=done_at, by=by, ended_at=done_at, ended_by=by, reason=objection)
        elif payment.counts:
            disputed = {"disputed_at": done_at, "disputed_by": by, "objection": objection}
            reopened = {"confirmed_at": None, "confirmed_by": None, "seen_at": None}
            _store(payment, people, at=done_at, by=by, **disputed, **reopened)
        return payment


def can_undo_denial(payment: Payment, people: People, by: User) -> bool:
    """Return whether this user, the payee, denied the payment tonight and may still take that back.

    Another payment or claim between the two settles the matter.
    """
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    if payment.ended_at is None or not payment.is_claim or payment.confirmed_at or payment.disputed_at:
        return False
    if payer == payee:  # merged since then, which ended the claim
        return False
    is_tonight = days.night_for(payment.ended_at, payment.table) == days.night_for(now(), payment.table)
    if payment.ended_by_id != by.pk or not payee.belongs_to(by) or not is_tonight:
        return False
    both = [*people.member_pks(payer), *people.member_pks(payee)]
    later = payment.table.payments.filter(recorded_at__gt=payment.ended_at)
    return not later.filter(payer__in=both, payee__in=both).exists()


@transaction.atomic
def undo_denial(payment: Payment, *, by: User) -> None:
    """Undo the denial of an unconfirmed payment, which is then pending again. Any other stays as it is.

    Also reverse the entry that settled debts anew because of the denial. Raise RuleError unless `can_undo_denial`.
    """
    people = _lock(payment)
    if payment.ended_at is not None:
        if not can_undo_denial(payment, people, by):
            raise RuleError(_("Only the person who denied a payment can undo that, on the same night."))
        denied_at, payment.reason = payment.ended_at, ""
        payment.ended_at = payment.ended_by = payment.seen_at = None
        payment.save(update_fields=["ended_at", "ended_by", "reason", "seen_at"])
        version = locks.bump_version(payment.table)
        fewest_payments.undo_resettling(
            payment.table, denied_at, version=version, at=now(), by=by, people=people
        )


def change_method(payment: Payment, method: Method, note: str | None = None, *, by: User) -> Payment:
    """Change the method of a payment and, unless it is None, its note. This adds no ledger entry.

    Raise RuleError if the user did not record it tonight, or if either method is FORGIVEN.
    """
    changes = {} if note is None else {"note": clean_line(note, longest=NOTE_LENGTH, field="note")}
    with transaction.atomic():
        _lock(payment)
        if not can_undo_freely(payment, by):
            raise RuleError(
                _("Only the person who recorded a payment can change it, on the same night."), field="method"
            )
        if Method.FORGIVEN in (payment.method, method):
            raise RuleError(_("Void it, and record it again."), field="method")
        payment.method = method
        for name, value in changes.items():
            setattr(payment, name, value)
        payment.save(update_fields=["method", *changes])
        locks.bump_version(payment.table)
        return payment


def mark_seen(payment: Payment, *, by: User) -> None:
    """Record that the payer has read the outcome of a dispute. For any other user it does nothing."""
    with transaction.atomic():
        people = _lock(payment)
        if people.by_pk[payment.payer_id].belongs_to(by) and payment.seen_at is None:
            payment.seen_at = now()
            payment.save(update_fields=["seen_at"])
            locks.bump_version(payment.table)


def void(
    payment: Payment, *, by: User, role: Role = Role.SCORER, reason: str = "", at: datetime | None = None
) -> Payment:
    """Void a payment: it stays visible but no longer counts. A payment that ended stays as it is.

    Raise RuleError if the user may not void it or, at the field `reason`, if they must give a reason.
    """
    reason = clean_line(reason, longest=NOTE_LENGTH, field="reason")
    with transaction.atomic():
        people, done_at = _lock(payment), at or now()
        if payment.ended_at is None:
            permissions = permissions_for(payment, people, by=by, role=role, at=done_at)
            if not permissions.can_void:
                raise RuleError(_("Only the person who recorded this or a scorekeeper can void it."))
            if permissions.needs_reason and not reason:
                raise RuleError(_("Say why you're voiding it."), field="reason")
            _store(payment, people, at=done_at, by=by, ended_at=done_at, ended_by=by, reason=reason)
        return payment


def _store(payment: Payment, people: People, *, at: datetime, by: User, **values: Any) -> None:
    """Save the changed fields, and post an entry if the payment began or stopped counting.

    An unconfirmed payment that ends moves nothing, but the debts that it kept apart may be settled anew.
    """
    was_claim = payment.state is PaymentState.CLAIMED
    for name, value in values.items():
        setattr(payment, name, value)
    payment.save(update_fields=[*values])
    version = locks.bump_version(payment.table)
    if was_claim and not payment.counts:
        fewest_payments.resettle(payment.table, version=version, at=at, by=by, people=people)
    else:
        post([payment], version=version, at=at, by=by, people=people)


def _lock(payment: Payment) -> People:
    """Lock the payment's table, reload the payment, and return the members."""
    locks.lock(payment.table)
    payment.refresh_from_db()
    return People.of(payment.table)


def post(
    payments: Sequence[Payment],
    *,
    version: int,
    at: datetime,
    by: User | None,
    people: People | None = None,
) -> None:
    """Post the ledger entries that these payments need in their present state, whether they count or not.

    All are of one table, whose lock the caller holds; `version` is its version after the write.
    """
    if not payments:
        return
    table = payments[0].table
    ledger = Ledger(table, at=at, by=by, people=people, causes=Q(payment__in=payments))
    for payment in payments:
        ledger.change(payment)
    ledger.store(version)
