"""Payments (pagos): record, tick, confirm, dispute and take back payments.

A *claim* is a payment that its payer recorded, and whose payee has a phone here: it does not count until the
payee or a keeper of the accounts (an owner or scorer of the table) confirms it. Forgiving (perdonar) is a
payment with that method.

`by` is the user who acts, `role` their role at the table, which the caller has checked, and `at` the moment,
by default now.
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
from games.money.services import accounting, movements
from games.money.services.accounting import StaleAccounts
from games.money.services.ledgers import Ledger
from games.money.services.movements import AlreadyVoided
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.scoring.text_line import clean_line
from games.tables.services.roster import People


class MoreThanOwed(Exception):
    """Raised for a payment of more than its payer owes its payee: `owed_amount`. It is asked about once.

    `payment` is the number of the claim that was to be confirmed; None for a payment that is not stored.
    """

    def __init__(
        self, payer: Member, payee: Member, amount: int, owed_amount: int, payment: int | None = None
    ) -> None:
        super().__init__()
        self.payer, self.payee, self.amount, self.owed_amount = payer, payee, amount, owed_amount
        self.payment = payment


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
    """Record a payment and return it. A repeated key with the same content returns the recorded payment.

    `day` dates the payment back. With `is_asking`, a payment of more than the debt raises MoreThanOwed and is not
    recorded; else whatever is paid too much is then owed to the payer. Raise RuleError if this user may not record
    this payment, AlreadyVoided if it was recorded under this key and taken back, and IdempotencyKeyReused if the key
    has another payment.
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


def _match_recorded(known: Payment, payment: Payment, people: People) -> Payment:
    """Return the payment that was recorded under this key before, if it says the same as this one.

    Its method and its note may have been changed since.
    """
    if known.ended_at is not None:
        raise AlreadyVoided(_("This payment was recorded and then voided. If it was paid, record it again."))
    locks.check_key_owner(known, by=payment.recorded_by)
    if people.slug_pair(known) != people.slug_pair(payment) or any(
        getattr(known, name) != getattr(payment, name) for name in ("amount", "paid_on")
    ):
        raise IdempotencyKeyReused
    return known


@transaction.atomic
def settle(
    table: Table,
    payer: Member,
    payee: Member,
    *,
    version: int,
    claims: int,
    by: User,
    role: Role = Role.SCORER,
    at: datetime | None = None,
    method: Method | None = None,
    is_asking: bool = False,
) -> Payment:
    """Record that a whole debt was paid tonight (tildar), and return the payment.

    Without a method it has that of the last payment between the two in this direction, else cash. `version` and
    `claims` say which debt the user saw (`accounting.OwedDebt`). Two phones that tick it make one payment. If its
    payer claims to have paid, the payee's tick confirms the oldest claim, and anybody else's raises StaleAccounts;
    with `is_asking`, one of more than the debt raises MoreThanOwed. Raise StaleAccounts if the debt has changed, and
    RuleError if this user may not record it.
    """
    locks.lock(table)
    people = People.of(table)
    payer, payee = movements.resolve_parties(payer, payee, people)
    key = _settlement_key(table, payer, payee, version, claims)
    known = table.payments.filter(key=key).first()
    if known is not None and known.ended_at is None and (known.counts or payer.belongs_to(by)):
        return known
    debt = accounting.find_debt(payer, payee, people)
    if debt is not None and debt.claim and payee.belongs_to(by):
        return confirm(debt.claim, by=by, role=role, at=at, is_asking=is_asking)
    if known or debt is None or debt.claim or (debt.version, debt.claims) != (version, claims):
        raise StaleAccounts
    method = method or _usual_method(payer, payee, table, people)
    return create(table, payer, payee, debt.amount, method=method, key=key, by=by, role=role, at=at)


def _usual_method(payer: Member, payee: Member, table: Table, people: People) -> Method:
    made = table.payments.filter(
        payer__in=people.member_pks(payer), payee__in=people.member_pks(payee), ended_at=None
    )
    last = (
        made.exclude(method=Method.FORGIVEN).order_by("-recorded_at", "-pk").values_list("method", flat=True)
    )
    return Method(last.first() or Method.CASH)


def _settlement_key(table: Table, payer: Member, payee: Member, version: int, claims: int) -> str:
    """Return the key of a tick, which two phones and two copies of a table make alike, and no other debt has.

    The moment of the debt's version is in it: versions of a table whose file is brought here count anew.
    """
    at = table.entries.filter(number=version).values_list("at", flat=True).first()
    debt = f"{table.identity} {payer.slug} {payee.slug} {version} {claims} {at and at.timestamp()}"
    return f"tick {locks.hash_token(debt)[:32]}"


def _check_overpayment(payment: Payment, people: People) -> None:
    """Raise MoreThanOwed if the payment is of more than the debt between its two people."""
    payer, payee = (people.by_pk[pk] for pk in (payment.payer_id, payment.payee_id))
    debt = accounting.find_debt(payer, payee, people)
    owed_amount = debt.amount if debt else 0
    if payment.amount > owed_amount:
        raise MoreThanOwed(payer, payee, payment.amount, owed_amount, payment.pk)


def can_record(payer: Member, payee: Member, *, by: User, role: Role) -> bool:
    """Return whether this user may record a payment between these two: as a keeper, or as one of them."""
    return role in roles.WRITERS or payer.belongs_to(by) or payee.belongs_to(by)


def check_can_record(payer: Member, payee: Member, method: Method, *, by: User, role: Role) -> None:
    """Raise RuleError unless this user may record a payment of this method between these two."""
    if not can_record(payer, payee, by=by, role=role):
        raise RuleError(_("You can only record payments that you made or received."), field="payer")
    if method is not Method.FORGIVEN or payee.belongs_to(by):
        return
    if payee.has_phone or role is not Role.OWNER or payer.belongs_to(by):
        raise RuleError(_("Only {name} can forgive this.", name=payee.name), field="method")


# --- the life of a payment --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PaymentPermissions:
    """The acts that a user may do to a payment. With `needs_reason`, they take it back only with a reason."""

    can_confirm: bool
    can_dispute: bool
    can_void: bool
    needs_reason: bool


def permissions_for(
    payment: Payment, people: People, *, by: User, role: Role, at: datetime | None = None
) -> PaymentPermissions:
    """Return what this user, who has this role at the table, may do with the payment.

    The payee, or a keeper of the accounts who is not the payer, answers a claimed or disputed payment. Who
    recorded a payment takes it back, and keepers do, and of a disputed one its payer.
    """
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    is_payee, is_scorer, is_recorder = (
        payee.belongs_to(by),
        role in roles.WRITERS,
        payment.recorded_by_id == by.pk,
    )
    is_ended, is_open = payment.ended_at is not None, not payment.counts
    is_granted = payment.state is PaymentState.DISPUTED and payer.belongs_to(by)
    return PaymentPermissions(
        can_confirm=not is_ended and is_open and (is_payee or (is_scorer and not payer.belongs_to(by))),
        can_dispute=not is_ended and is_payee and payment.state is not PaymentState.DISPUTED,
        can_void=not is_ended and (is_recorder or is_scorer or is_granted or (is_payee and is_open)),
        needs_reason=not (can_undo_freely(payment, by, at=at) or is_granted or (is_payee and is_open)),
    )


def can_undo_freely(row: Payment | SharedCost, by: User, *, at: datetime | None = None) -> bool:
    """Return whether this user recorded the payment or cost tonight, and so takes it back without a reason."""
    is_tonight = days.night_for(row.recorded_at, row.table) == days.night_for(at or now(), row.table)
    return row.ended_at is None and row.recorded_by_id == by.pk and is_tonight


def can_undo_confirmation(payment: Payment, by: User, *, at: datetime | None = None) -> bool:
    """Return whether this user confirmed the payment tonight, and so may take that back."""
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
    """Confirm a claimed or disputed payment, which counts from now on. A payment that counts stays as it is.

    With `is_asking`, one of more than the debt raises MoreThanOwed. Raise RuleError if the payment ended, or
    if the user may not answer it.
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
    """Let a payment wait for its answer again. One that does not count stays as it is.

    Raise RuleError if this user did not confirm it tonight.
    """
    people = _lock(payment)
    if payment.counts:
        if not can_undo_confirmation(payment, by, at=at):
            raise RuleError(_("Only the person who confirmed a payment can undo that, on the same night."))
        _store(payment, people, at=at or now(), by=by, confirmed_at=None, confirmed_by=None)


def dispute(payment: Payment, *, by: User, objection: str = "", at: datetime | None = None) -> Payment:
    """Say as the payee that the money did not arrive: a claim ends, any other payment no longer counts.

    A payment that ended stays as it is. Raise RuleError if the user is not the payee.
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
            _store(payment, people, at=done_at, by=by, **disputed, confirmed_at=None, confirmed_by=None)
        return payment


def change_method(
    payment: Payment, method: Method, note: str | None = None, *, by: User, at: datetime | None = None
) -> Payment:
    """Change how a payment was made and, if it is given, its note. No money moves, so it adds no entry.

    Raise RuleError if this user did not record it tonight, or if a debt was or would be forgiven by it.
    """
    changes = {} if note is None else {"note": clean_line(note, longest=NOTE_LENGTH, field="note")}
    with transaction.atomic():
        _lock(payment)
        if not can_undo_freely(payment, by, at=at):
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


def mark_seen(payment: Payment, *, by: User, at: datetime | None = None) -> None:
    """Note that the payer has read how a dispute of their payment ended; from anybody else it does nothing."""
    with transaction.atomic():
        people = _lock(payment)
        if people.by_pk[payment.payer_id].belongs_to(by) and payment.seen_at is None:
            payment.seen_at = at or now()
            payment.save(update_fields=["seen_at"])
            locks.bump_version(payment.table)


def void(
    payment: Payment, *, by: User, role: Role = Role.SCORER, reason: str = "", at: datetime | None = None
) -> Payment:
    """Take back a payment for good: it stays visible but no longer counts. An ended one stays as it is.

    Raise RuleError if the user may not take it back, or, at the field `reason`, if they must say why.
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
    """Store what was done to the payment, and its entry if it began or stopped to count."""
    for name, value in values.items():
        setattr(payment, name, value)
    payment.save(update_fields=[*values])
    post([payment], version=locks.bump_version(payment.table), at=at, by=by, people=people)


def _lock(payment: Payment) -> People:
    """Lock the payment's table, read the payment again, and return the members."""
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
    """Enter payments of one table, each as it stands now: one that counts, or one that does so no more."""
    if not payments:
        return
    table = payments[0].table
    ledger = Ledger(table, at=at, by=by, people=people, causes=Q(payment__in=payments))
    for payment in payments:
        ledger.change(payment)
    ledger.store(version)
