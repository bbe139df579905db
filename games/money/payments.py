"""Payments of the accounts: record, claim, cancel, confirm, dispute and uphold payments.

A *claimed* payment does not count until the payee or a keeper of the accounts (an owner or scorer of the
table) confirms it. A payment *in the accounts* names no game; one made on the spot names the game.

`by` is the user who acts, `text` their reason, and `at` the moment, by default now. The caller checks that a
user who acts as a keeper of the accounts is one; these functions check whether a user is the payer or the
payee.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from games.keys import check_key
from games.locks import lock
from games.models import CLAIMED, NOTE_LENGTH, Game, Member, Method, Payment, StepKind, Table
from games.money.balances import People, accounts_of, read_accounts
from games.money.booking import (
    PaymentFact,
    check_amount,
    known_under,
    note_step,
    record_payments,
    two_at_table,
)
from games.money.dating import moment_on
from games.money.plans import replanned
from games.nights import window_of
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
    note: str = "",
    day: date | None = None,
    at: datetime | None = None,
    arrived_at: datetime | None = None,
    is_asking: bool = False,
    is_claimed: bool = False,
) -> Payment:
    """Record a payment and return it. A repeated key with the same content returns the recorded payment.

    The amount may differ from the plan: whatever is paid too much is then owed to the payer. `day` dates the
    payment back. With `is_claimed`, payers record their own payment, which counts once somebody confirms it.
    With `is_asking`, a payment that may be a duplicate or too large raises Unusual and is not recorded.
    """
    check_key(key)
    check_by_hand(method)
    lock(table)
    note = one_line(note, longest=NOTE_LENGTH, field="note")
    people = People.of(table)
    payer, payee = two_at_table(payer, payee, people)
    if is_claimed:
        check_claim(payer, method, by)
    known = known_under(table, key)
    recorded_at = known[0].recorded_at if known else at or now()
    made_at, paid_on = moment_on(day, table, recorded_at)
    paid = PaymentFact(payer, payee, amount, method, note, paid_on=paid_on)
    check_amount(amount)
    if is_asking and not known:
        _check_usual(paid, table, people, recorded_at)
    (payment,) = record_payments(
        table, [paid], people=people, key=key, by=by, at=recorded_at, made_at=made_at,
        arrived_at=arrived_at, is_claimed=is_claimed,
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
    note: str = "",
    day: date | None = None,
    on_result_of: Game | None = None,
    is_claimed: bool = False,
    at: datetime | None = None,
) -> Payment:
    """Record a payment that waited on a phone without a network. Never raise Unusual.

    `on_result_of` is the game on whose result page the user ticked off (marked as paid) a line of the plan,
    or None. Then the same payment may have been recorded or claimed on another phone meanwhile: return that
    payment. If it was only claimed, and this one is not, accept it.
    """
    lock(table)
    if on_result_of is not None and not known_under(table, key):
        known = _ticked_meanwhile(on_result_of, payer, payee, amount)
        if known is not None:
            return known if is_claimed or not known.is_claimed else accept(known, by=by, at=at)
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
        is_claimed=is_claimed,
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


def check_by_hand(method: Method) -> None:
    """Raise RuleError if users cannot choose this method.

    Only the method of starting balances cannot be chosen.
    """
    if not Method(method).is_by_hand:
        raise RuleError(_("Choose how it was paid."), field="method")


def check_claim(payer: Member, method: Method, by: User) -> None:
    """Raise RuleError unless this user is the payer and the payment is not a write-off."""
    if not payer.is_of(by):
        raise RuleError(_("You can only report your own payments."), field="payer")
    if method is Method.WRITE_OFF:
        raise RuleError(_("Only a scorekeeper can write something off."), field="method")


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


@transaction.atomic
def cancel(payment: Payment, *, by: User, text: str = "", at: datetime | None = None) -> Payment:
    """Cancel a payment for good: the payment stays visible but no longer changes balances.

    Raise RuleError if the payee has confirmed the payment. A cancelled payment is returned as it is.
    """
    hold_payment(payment)
    text = one_line(text, longest=NOTE_LENGTH, field="text")
    if payment.cancelled_at is not None:
        return payment
    check_unconfirmed(payment)
    cancelled_at = at or now()
    with replanned(payment.table, at=cancelled_at, is_payment=True):
        note_step(payment, StepKind.CANCELLED, by=by, at=cancelled_at, text=text)
        payment.cancelled_at, payment.cancelled_by = cancelled_at, by
        payment.save(update_fields=["cancelled_at", "cancelled_by"])
    return payment


@transaction.atomic
def withdraw(payment: Payment, *, by: User, at: datetime | None = None) -> Payment:
    """Cancel a claimed payment as its payer.

    Raise RuleError unless `by` is the payer and nobody has confirmed, disputed or cancelled the payment yet.
    """
    hold_payment(payment)
    if not is_own_claim(payment, by):
        raise RuleError(_("Only a scorekeeper can cancel this payment now."))
    return cancel(payment, by=by, at=at)


def is_own_claim(payment: Payment, user: User) -> bool:
    """Return whether this user is the payer of the payment, and it is claimed and not answered by anybody."""
    payer = People.of(payment.table).by_pk[payment.payer_id]
    return payment.stands and payment.is_claimed and payer.is_of(user)


@transaction.atomic
def confirm(payment: Payment, *, by: User, at: datetime | None = None) -> Payment:
    """Confirm a payment as its payee. A disputed or claimed payment counts from now on; others count already.

    Raise RuleError if `by` is not the payee, or if the payment was cancelled.
    """
    hold_payment(payment)
    _check_payee(payment, by)
    if payment.confirmed_at is None:
        confirmed_at = at or now()
        with replanned(payment.table, at=confirmed_at, is_payment=True):
            note_step(payment, StepKind.CONFIRMED, by=by, at=confirmed_at)
            payment.confirmed_at = confirmed_at
            settle(payment, at=confirmed_at)
            payment.save(update_fields=["confirmed_at", *SETTLED])
    return payment


@transaction.atomic
def accept(payment: Payment, *, by: User, at: datetime | None = None) -> Payment:
    """Accept a claimed payment as a keeper of the accounts: the payment counts from now on.

    A payment that counts already is returned as it is. Raise RuleError if it was disputed or cancelled.
    """
    hold_payment(payment)
    if not payment.stands:
        raise RuleError(_("This payment was disputed or cancelled meanwhile."))
    if payment.is_claimed:
        accepted_at = at or now()
        with replanned(payment.table, at=accepted_at, is_payment=True):
            note_step(payment, StepKind.ACCEPTED, by=by, at=accepted_at)
            settle(payment, at=accepted_at)
            payment.save(update_fields=SETTLED)
    return payment


@transaction.atomic
def dispute(payment: Payment, *, by: User, objection: str = "", at: datetime | None = None) -> Payment:
    """Dispute a payment as its payee: the payment stays visible but no longer counts.

    It counts again if the payee confirms it, or if a keeper of the accounts upholds or amends it. Raise
    RuleError if `by` is not the payee, or if the payment was cancelled.
    """
    hold_payment(payment)
    _check_payee(payment, by)
    objection = one_line(objection, longest=NOTE_LENGTH, field="objection")
    if payment.disputed_at is None:
        disputed_at = at or now()
        with replanned(payment.table, at=disputed_at, is_payment=True):
            note_step(payment, StepKind.DISPUTED, by=by, at=disputed_at, text=objection)
            payment.disputed_at, payment.confirmed_at, payment.objection = disputed_at, None, objection
            payment.save(update_fields=["disputed_at", "confirmed_at", "objection"])
    return payment


@transaction.atomic
def uphold(payment: Payment, *, by: User, text: str = "", at: datetime | None = None) -> Payment:
    """Uphold a disputed payment as a keeper of the accounts: the payment counts again.

    A payment without a dispute is returned as it is. Raise RuleError if it was cancelled.
    """
    hold_payment(payment)
    text = one_line(text, longest=NOTE_LENGTH, field="text")
    if payment.cancelled_at is not None:
        raise RuleError(_("This payment was cancelled."))
    if payment.disputed_at is not None:
        upheld_at = at or now()
        with replanned(payment.table, at=upheld_at, is_payment=True):
            note_step(payment, StepKind.UPHELD, by=by, at=upheld_at, text=text)
            settle(payment, at=upheld_at)
            payment.save(update_fields=SETTLED)
    return payment


# --- inside a transaction ---------------------------------------------------------------------------------------------

SETTLED = ("disputed_at", "objection", "accepted_at")  # the fields that `settle` changes


def settle(payment: Payment, *, at: datetime) -> None:
    """Clear the payment's dispute, and accept the payment if it was only claimed. The caller saves it."""
    payment.disputed_at, payment.objection = None, ""
    if payment.is_claimed:
        payment.accepted_at = at


def check_unconfirmed(payment: Payment) -> None:
    """Raise RuleError if the payee has confirmed the payment."""
    if payment.confirmed_at is not None:
        raise RuleError(
            _(
                "{name} has confirmed this payment, so {name} must dispute it first.",
                name=payment.payee.name,
            )
        )


def hold_payment(payment: Payment) -> None:
    """Lock the payment's table and read the payment again."""
    lock(payment.table)
    payment.refresh_from_db()


def _check_payee(payment: Payment, user: User) -> None:
    payee = People.of(payment.table).by_pk[payment.payee_id]
    if not payee.is_of(user):
        raise RuleError(_("Only {name} can confirm or dispute this.", name=payee.name))
    if payment.cancelled_at is not None:
        raise RuleError(_("This payment was cancelled."))
