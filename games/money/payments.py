"""Payments of the accounts: record, confirm, dispute and take back payments.

A *claim* is a payment that its payer recorded, and whose payee has a phone here: it does not count until the
payee or a keeper of the accounts (an owner or scorer of the table) confirms it. A payment *in the accounts*
names no game; one made on the spot names the game.

`by` is the user who acts, `role` their role at the table, which the caller has checked, and `at` the moment,
by default now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from games.changes import tell
from games.keys import check_key
from games.locks import lock
from games.models import (
    CLAIMED,
    NOTE_LENGTH,
    Change,
    ChangeKind,
    Game,
    Member,
    Method,
    Payment,
    PaymentState,
    Role,
    SharedCost,
    Table,
)
from games.money.balances import People, accounts_of, read_accounts
from games.money.booking import (
    PaymentFact,
    check_amount,
    known_under,
    record_payments,
    two_at_table,
)
from games.money.dating import moment_on
from games.money.plans import replanned
from games.nights import night_of, window_of
from games.people.access import WRITERS
from games.scoring.errors import RuleError
from games.scoring.one_line import one_line
from games.scoring.words import _

SOON = timedelta(hours=1)  # an equal payment within this time may be a double tap


class Unusual(Exception):
    """Raised for a payment that may be a duplicate or too large.

    The user should check the payment before it is recorded.
    """


class PaidAgain(Unusual):
    """Raised for a payment that is a likely duplicate of `before`, with the same payer, payee and amount.

    That payment is still only claimed, was recorded within the last hour, or was made in the same night.
    """

    def __init__(self, before: Payment) -> None:
        super().__init__()
        self.before = before


class PaidTooMuch(Unusual):
    """Raised for a payment that is more than twice the amount that the payer `owes`.

    The unconfirmed amount that the payer has `claimed` is already subtracted from `owes`.
    """

    def __init__(self, owes: int, claimed: int) -> None:
        super().__init__()
        self.owes, self.claimed = owes, claimed


# --- paying -----------------------------------------------------------------------------------------------------------


@transaction.atomic
def pay(
    table: Table,
    payer: Member,
    payee: Member,
    amount: int,
    *,
    method: Method,
    key: str,
    by: User,
    role: Role = Role.SCORER,
    note: str = "",
    day: date | None = None,
    at: datetime | None = None,
    arrived_at: datetime | None = None,
    is_asking: bool = False,
) -> Payment:
    """Record a payment and return it. A repeated key with the same content returns the recorded payment.

    The amount may differ from the plan: whatever is paid too much is then owed to the payer. `day` dates the
    payment back. With `is_asking`, a payment that may be a duplicate or too large raises Unusual and is not
    recorded. Raise RuleError if this user may not record this payment.
    """
    check_key(key)
    lock(table)
    note = one_line(note, longest=NOTE_LENGTH, field="note")
    people = People.of(table)
    payer, payee = two_at_table(payer, payee, people)
    _check_recorder(payer, payee, method, by=by, role=role)
    known = known_under(table, key)
    recorded_at = known[0].recorded_at if known else at or now()
    made_at, paid_on = moment_on(day, table, recorded_at)
    paid = PaymentFact(payer, payee, amount, method, note, paid_on=paid_on)
    check_amount(amount)
    if is_asking and not known:
        _check_usual(paid, table, people, recorded_at)
    (payment,) = record_payments(
        table, [paid], people=people, key=key, by=by, at=recorded_at, made_at=made_at,
        arrived_at=arrived_at,
    )  # fmt: skip
    return payment


@transaction.atomic
def note_payment(
    table: Table,
    payer: Member,
    payee: Member,
    amount: int,
    *,
    method: Method,
    key: str,
    by: User,
    role: Role = Role.SCORER,
    note: str = "",
    day: date | None = None,
    on_result_of: Game | None = None,
    at: datetime | None = None,
) -> Payment:
    """Record a payment that waited on a phone without a network. Never raise Unusual.

    `on_result_of` is the game on whose result page the user ticked off (marked as paid) a line of the plan,
    or None. Then the same payment may have been recorded or claimed on another phone meanwhile: return that
    payment, confirmed as far as this user may confirm it.
    """
    lock(table)
    if on_result_of is not None and not known_under(table, key):
        known = _ticked_meanwhile(on_result_of, payer, payee, amount)
        if known is not None:
            return confirm_tick(known, by=by, role=role, at=at)
    return pay(
        table,
        payer,
        payee,
        amount,
        method=method,
        note=note,
        day=day,
        key=key,
        by=by,
        role=role,
        at=at,
    )


def _ticked_meanwhile(game: Game, payer: Member, payee: Member, amount: int) -> Payment | None:
    """Return a payment made in the accounts since the game ended, with this payer, payee and amount.

    Return None if there is none. Return None too if the plan (who pays whom) still has a line for another
    such payment: then the phone's payment is another one.
    """
    accounts = read_accounts(game.table)
    people = accounts.people
    payer, payee = two_at_table(payer, payee, people)
    lines = (line for line in accounts.to_pay if (line.payer, line.payee) == (payer, payee))
    if any(line.unsaid >= amount for line in lines):
        return None
    return next(paid_since(game, payer, payee, amount, people), None)


def paid_since(game: Game, payer: Member, payee: Member, amount: int, people: People) -> Iterator[Payment]:
    """Yield the payments made in the accounts since the game ended that have this payer, payee and amount.

    The newest payment comes first.
    """
    if game.ended_at is None:
        return
    since = game.table.payments.standing().filter(game=None, amount=amount, made_at__gt=game.ended_at)
    for paid in since.order_by("-made_at", "-pk"):
        if people.slugs_of(paid) == (payer.slug, payee.slug):
            yield paid


def confirm_tick(payment: Payment, *, by: User, role: Role, at: datetime | None) -> Payment:
    """Return the payment that a tick repeats. If it is a claim that this user may answer, confirm it."""
    acts = acts_of(payment, People.of(payment.table), by=by, role=role)
    return confirm(payment, by=by, role=role, at=at) if acts.may_confirm else payment


def may_record(payer: Member, payee: Member, *, by: User, role: Role) -> bool:
    """Return whether this user may record a payment between these two: as a keeper, or as one of them."""
    return role in WRITERS or payer.is_of(by) or payee.is_of(by)


def _check_recorder(payer: Member, payee: Member, method: Method, *, by: User, role: Role) -> None:
    """Raise RuleError unless this user may record a payment of this method between these two."""
    if not Method(method).is_by_hand:
        raise RuleError(_("Choose how it was paid."), field="method")
    if not may_record(payer, payee, by=by, role=role):
        raise RuleError(_("You can only record payments that you made or received."), field="payer")
    is_for_payee = role is Role.OWNER and not payee.has_phone and not payer.is_of(by)
    if method is Method.FORGIVEN and not (payee.is_of(by) or is_for_payee):
        raise RuleError(_("Only {name} can forgive this.", name=payee.name), field="method")


def _check_usual(paid: PaymentFact, table: Table, people: People, recorded_at: datetime) -> None:
    """Raise Unusual if this payment may be a duplicate or too large."""
    near = CLAIMED | Q(recorded_at__gt=recorded_at - SOON, recorded_at__lte=recorded_at)
    if paid.paid_on is not None:
        begins, ends = window_of(paid.paid_on, table)
        near |= Q(made_at__gte=begins, made_at__lt=ends)
    same = table.payments.standing().filter(
        near,
        payer__in=people.rows_of(paid.payer),
        payee__in=people.rows_of(paid.payee),
        amount=paid.amount,
    )
    before = same.order_by("-recorded_at", "-pk").first()
    if before is not None:
        raise PaidAgain(before)
    payer = accounts_of(table, people)[paid.payer.slug]
    if paid.amount > 2 * payer.owes:
        raise PaidTooMuch(payer.owes, payer.claimed)


# --- the life of a payment --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Acts:
    """The acts that a user may do to a payment. With `needs_reason`, they take it back only with a reason."""

    may_confirm: bool
    may_dispute: bool
    may_take_back: bool
    needs_reason: bool


def acts_of(payment: Payment, people: People, *, by: User, role: Role, at: datetime | None = None) -> Acts:
    """Return the acts that this user, who has this role at the table, may do to the payment.

    The payee, or a keeper of the accounts who is not the payer, answers a claimed or disputed payment. Who
    recorded a payment takes it back, and keepers do.
    """
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    is_payee, is_keeper, is_recorder = payee.is_of(by), role in WRITERS, payment.recorded_by_id == by.pk
    is_over, is_open = payment.ended_at is not None, not payment.counts
    return Acts(
        may_confirm=not is_over and is_open and (is_payee or (is_keeper and not payer.is_of(by))),
        may_dispute=not is_over and is_payee and payment.state is not PaymentState.DISPUTED,
        may_take_back=not is_over and (is_recorder or is_keeper or (is_payee and is_open)),
        needs_reason=not (is_free(payment, by, at=at) or (is_payee and is_open)),
    )


def is_free(row: Payment | SharedCost, by: User, *, at: datetime | None = None) -> bool:
    """Return whether this user recorded the payment or cost tonight, and so takes it back without a reason."""
    is_tonight = night_of(row.recorded_at, row.table) == night_of(at or now(), row.table)
    return row.ended_at is None and row.recorded_by_id == by.pk and is_tonight


@transaction.atomic
def confirm(payment: Payment, *, by: User, role: Role = Role.SCORER, at: datetime | None = None) -> Payment:
    """Confirm a claimed or disputed payment, which counts from now on. A payment that counts stays as it is.

    Raise RuleError if it ended, or if the user may not answer it.
    """
    people = _hold(payment)
    _check_stands(payment)
    if not payment.counts:
        if not acts_of(payment, people, by=by, role=role).may_confirm:
            payee = people.by_pk[payment.payee_id]
            raise RuleError(_("Only {name} or another scorekeeper can confirm this.", name=payee.name))
        _store(payment, ChangeKind.PAYMENT_CONFIRMED, confirmed_at=at or now(), confirmed_by=by)
    return payment


@transaction.atomic
def dispute(payment: Payment, *, by: User, objection: str = "", at: datetime | None = None) -> Payment:
    """Say as the payee that the money did not arrive: a claim ends, any other payment no longer counts.

    Raise RuleError if the payment ended, or if the user is not the payee.
    """
    people = _hold(payment)
    payee, done_at = people.by_pk[payment.payee_id], at or now()
    objection = one_line(objection, longest=NOTE_LENGTH, field="objection")
    if not payee.is_of(by):
        raise RuleError(_("Only {name} can say that it didn't arrive.", name=payee.name))
    if payment.ended_by_id != by.pk:
        _check_stands(payment)
    if payment.state is PaymentState.CLAIMED:
        _end(payment, by=by, at=done_at, reason=objection)
    elif payment.counts:
        _store(
            payment, ChangeKind.PAYMENT_DISPUTED, disputed_at=done_at, disputed_by=by, objection=objection, confirmed_at=None, confirmed_by=None,
        )  # fmt: skip
    return payment


@transaction.atomic
def take_back(
    payment: Payment, *, by: User, role: Role = Role.SCORER, reason: str = "", at: datetime | None = None
) -> Payment:
    """Take back a payment for good: it stays visible but no longer counts. An ended one stays as it is.

    Raise RuleError if the user may not take it back, or, at the field `reason`, if they must say why.
    """
    people, done_at = _hold(payment), at or now()
    reason = one_line(reason, longest=NOTE_LENGTH, field="reason")
    if payment.ended_at is None:
        acts = acts_of(payment, people, by=by, role=role, at=done_at)
        if not acts.may_take_back:
            raise RuleError(_("Only the person who recorded this or a scorekeeper can take it back."))
        if acts.needs_reason and not reason:
            raise RuleError(_("Say why you take it back."), field="reason")
        _end(payment, by=by, at=done_at, reason=reason)
    return payment


def _end(payment: Payment, *, by: User, at: datetime, reason: str) -> None:
    _store(payment, ChangeKind.PAYMENT_ENDED, ended_at=at, ended_by=by, reason=reason)


def _store(payment: Payment, what: ChangeKind, **values: Any) -> None:
    """Store what was done to the payment, the plan that follows, and the change in the feed."""
    at = next(value for name, value in values.items() if name.endswith("_at"))
    with replanned(payment.table, at=at, is_payment=True):
        for name, value in values.items():
            setattr(payment, name, value)
        payment.save(update_fields=[*values])
    tell(payment.table, Change(what=what, payment=payment))


def _check_stands(payment: Payment) -> None:
    if payment.ended_at is not None:
        raise RuleError(_("This payment was taken back."))


def _hold(payment: Payment) -> People:
    """Lock the payment's table, read the payment again, and return the members."""
    lock(payment.table)
    payment.refresh_from_db()
    return People.of(payment.table)
