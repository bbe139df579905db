"""Tick off the dues of a game as paid in cash on the spot, one by one or all at once.

*Dues* are the payments still to be made for a finished game. Each is a *line* of payer, payee and amount. To
*tick off* a line is to record that it was paid. A payment *in the accounts* names no game; one made on the
spot names the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.keys import KeyReused, check_key
from games.locks import StaleGame, hold
from games.models import UNPAID, Game, Member, Method, Payment, Role
from games.money.balances import People, read_accounts
from games.money.booking import (
    PaymentFact,
    StaleDues,
    fact_of,
    known_under,
    record_payments,
    refusal_of_gone_line,
    two_at_table,
)
from games.money.dues import Due, Dues, dues_of
from games.money.payments import confirm_tick, paid_since
from games.scoring.errors import RuleError
from games.scoring.ledger import Transfer
from games.scoring.words import Amount, _


@transaction.atomic
def pay_on_the_spot(
    game: Game,
    *,
    after: int,
    key: str,
    by: User,
    at: datetime | None = None,
) -> tuple[Payment, ...]:
    """Record cash payments for everything still due for a game.

    Raise StaleGame if events were recorded after number `after`, the last that the user saw: the dues may
    have changed. If a later correction changes the result of the game, only the difference is due.
    """
    held = _held(game, after=after, key=key)
    if not isinstance(held, Dues):
        if any(payment.game_id != game.pk for payment in held):
            raise KeyReused
        return held
    if not held.to_tick:
        raise RuleError(_("This game has nothing left to pay."))
    return _record_dues(game, held.to_tick, key=key, by=by, at=at or now())


@transaction.atomic
def tick(
    game: Game,
    line: Transfer,
    *,
    after: int,
    key: str,
    by: User,
    at: datetime | None = None,
) -> Payment:
    """Record a cash payment for one line of a game's dues.

    Raise StaleDues if the line is no longer due, and StaleGame if events were recorded after number `after`,
    the last that the user saw.
    """
    held = _held(game, after=after, key=key)
    if not isinstance(held, Dues):
        payment, *others = held
        sent = fact_of(payment)
        ends = sent.payer.slug, sent.payee.slug
        if others or sent.game != game or Transfer(*ends, sent.amount) != line:
            raise KeyReused
        return payment
    due_lines = [due for due in held.to_tick if Transfer(due.payer.slug, due.payee.slug, due.unsaid) == line]
    if not due_lines:
        raise StaleDues
    (payment,) = _record_dues(game, due_lines, key=key, by=by, at=at or now())
    return payment


def _held(game: Game, *, after: int, key: str) -> Dues | tuple[Payment, ...]:
    """Lock the game. Return its dues or, if this key was used before, the payments recorded under it.

    Raise StaleGame if events were recorded after number `after`.
    """
    check_key(key)
    hold(game)
    known = known_under(game.table, key)
    if known:
        return known
    log = game.log()
    if len(log) != after:
        raise StaleGame(after=after, since=log[max(after, 0) :])
    state = game.state()
    if not state.is_over:
        raise RuleError(_("This game is still being played."))
    return dues_of(game, state)


def _record_dues(
    game: Game, lines: Sequence[Due], *, key: str, by: User, at: datetime
) -> tuple[Payment, ...]:
    paid = [PaymentFact(line.payer, line.payee, line.unsaid, Method.CASH, game=game) for line in lines]
    return record_payments(game.table, paid, key=key, by=by, at=at)


@transaction.atomic
def note_tick(
    game: Game,
    payer: Member,
    payee: Member,
    amount: int,
    *,
    after: int,
    key: str,
    by: User,
    ticked_at: datetime,
    at: datetime | None = None,
) -> Payment:
    """Record the cash payment of a line that was ticked off on a phone without a network.

    `after` is the number of the last event that the phone had seen, `ticked_at` the moment of the tap. The
    payment is recorded even if the game has changed since. But if an equal payment exists that may be the
    same one, return that payment. It may be the same if it was ticked off after event `after`, if it already
    paid the line, if the payer claimed it, or if it was made in the accounts after `ticked_at`. Raise
    RuleError, so that a person decides, if it is unclear whether a payment in the accounts is the same, or if
    other payments cover the line by now.
    """
    check_key(key)
    hold(game)
    people = People.of(game.table)
    payer, payee = two_at_table(payer, payee, people)
    known = None
    if not known_under(game.table, key):
        known = _ticked_since(seen_at(game, after), game, payer, payee, amount, people)
        known = known or _paid_in_accounts(ticked_at, game, payer, payee, amount, people)
        if known is None and _is_covered(game, payer, payee, amount):
            raise refusal_of_gone_line(payer, payee)
    if known is not None:
        return confirm_tick(known, by=by, role=Role.SCORER, at=at)
    ticked = PaymentFact(payer, payee, amount, Method.CASH, game=game)
    (payment,) = record_payments(game.table, [ticked], key=key, by=by, at=at or now())
    return payment


def seen_at(game: Game, after: int) -> datetime:
    """Return the moment at which event `after`, the last that the phone had seen, was recorded.

    If there is no such event, return the moment at which the game began.
    """
    moment = game.records.filter(number=after).values_list("recorded_at", flat=True).first()
    return moment or game.started_at


def _ticked_since(
    seen_at: datetime, game: Game, payer: Member, payee: Member, amount: int, people: People
) -> Payment | None:
    """Return a payment with these members and amount that may be the one ticked off on the phone, or None.

    It is a payment for the game that was made after the phone had last seen the game (`seen_at`), or at any
    time if the line is no longer due; or else a claimed payment in the accounts.
    """
    dues = dues_of(game, game.state())
    is_open = any((line.payer, line.payee) == (payer, payee) for line in dues.lines)
    for paid in dues.paid:
        pair = people.by_pk[paid.payer_id], people.by_pk[paid.payee_id]
        if (*pair, paid.amount) == (payer, payee, amount) and (paid.made_at >= seen_at or not is_open):
            return paid
    since = paid_since(game, payer, payee, amount, people)
    return next((paid for paid in since if paid.is_claim), None)


def _is_covered(game: Game, payer: Member, payee: Member, amount: int) -> bool:
    """Return whether later payments, or the night's settling, already cover a part of this amount."""
    dues = dues_of(game, game.state())
    lines = [line for line in (*dues.lines, *dues.settled) if (line.payer, line.payee) == (payer, payee)]
    return any(line.amount < min(amount, line.whole) for line in lines)


def _paid_in_accounts(
    ticked_at: datetime, game: Game, payer: Member, payee: Member, amount: int, people: People
) -> Payment | None:
    """Return the payment in the accounts that is the same as the one ticked off on the phone, or None.

    It was recorded after `ticked_at`, the moment of the tap: the page on the phone had already subtracted
    earlier payments. It is the same payment if the amounts are equal and the plan (who pays whom) has no line
    left for this amount. Raise RuleError if it is unclear: the amounts are equal but the plan still has such
    a line, or the amounts differ and the plan has no such line.
    """
    since = game.table.payments.counting().filter(
        game=None,
        recorded_at__gte=ticked_at,
        payer__in=people.rows_of(payer),
        payee__in=people.rows_of(payee),
    )
    payments = list(since.order_by("-recorded_at", "-pk"))
    same = next((one for one in payments if one.amount == amount and one.method not in UNPAID), None)
    to_pay = read_accounts(game.table, people).to_pay if payments else ()
    is_still_due = any(
        (line.payer, line.payee) == (payer, payee) and line.unsaid >= amount for line in to_pay
    )
    if payments and is_still_due is bool(same):
        raise _refusal_if_paid((same or payments[0]), payer, payee)
    return same


def _refusal_if_paid(paid: Payment, payer: Member, payee: Member) -> RuleError:
    amount = Amount(paid.amount)
    if paid.method == Method.FORGIVEN:
        message = _(
            "Of {payer}'s debt to {payee}, {amount} was forgiven meanwhile. If it was also paid, take that "
            "back in the accounts first.",
            amount=amount,
            payer=payer.name,
            payee=payee.name,
        )
    elif paid.method == Method.OPENING:
        message = _(
            "A balance between {payer} and {payee} was brought forward meanwhile. Check the accounts.",
            payer=payer.name,
            payee=payee.name,
        )
    else:
        message = _(
            "{payer} already paid {payee} {amount} in the accounts meanwhile. If this is "
            "another payment, record it there.",
            amount=amount,
            payer=payer.name,
            payee=payee.name,
        )
    return RuleError(message)
