"""What is due for a game ticked off: line by line, or all of it as cash on the table. Only writes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.keys import KeyReused, check_key
from games.locks import StaleGame, hold
from games.models import UNPAID, Game, Member, Method, Payment
from games.money.balances import People, read_accounts
from games.money.booking import Paid, known_under, record_payments, said_first, two_at_table
from games.money.dues import Due, Dues, dues_of
from games.money.payments import accept, paid_since
from games.scoring.errors import RuleError
from games.scoring.ledger import Transfer
from games.scoring.words import Amount, _


class StaleDues(Exception):
    """What was ticked off is not owed like that for the game any more."""


@transaction.atomic
def pay_on_the_spot(
    game: Game,
    *,
    after: int,
    key: str,
    by: User,
    at: datetime | None = None,
) -> tuple[Payment, ...]:
    """The payments, in cash, of all that is still due for a game.

    StaleGame where the game went on since event `after`: what is due may be something else. Where a correction
    changes the game later, just the difference is owed.
    """
    held = _held(game, after=after, key=key)
    if not isinstance(held, Dues):
        if any(payment.game_id != game.pk for payment in held):
            raise KeyReused
        return held
    if not held.open:
        raise RuleError(_("Nothing is left to be paid for this game."))
    return _record_dues(game, held.open, key=key, by=by, at=at or now())


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
    """The payment, in cash, of one line that is still due for a game, as whoever ticks it off saw it.

    StaleDues where it is not owed like that any more, StaleGame where the game went on since event `after`.
    """
    held = _held(game, after=after, key=key)
    if not isinstance(held, Dues):
        (one, *others) = held
        sent = said_first(one)
        ends = sent.payer.slug, sent.payee.slug
        if others or sent.game != game or Transfer(*ends, sent.amount) != line:
            raise KeyReused
        return one
    found = [due for due in held.to_tick if Transfer(due.payer.slug, due.payee.slug, due.unsaid) == line]
    if not found:
        raise StaleDues
    (payment,) = _record_dues(game, found, key=key, by=by, at=at or now())
    return payment


def _held(game: Game, *, after: int, key: str) -> Dues | tuple[Payment, ...]:
    """The dues of a game that is held now, or the payments recorded under this key before."""
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
    paid = [Paid(line.payer, line.payee, line.unsaid, Method.CASH, game=game) for line in lines]
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
    at: datetime | None = None,
) -> Payment:
    """The payment, in cash, of a line that was ticked off on a phone without a network: a fact, whatever became of the
    game since. Where the same line was ticked off meanwhile, since event `after` which the phone had seen, or nothing of
    it is open, or the payer said so himself, or just that was recorded in the accounts, it is the payment known from
    then. RuleError where the accounts have meanwhile another payment that may be this one: people say.
    """
    check_key(key)
    hold(game)
    people = People.of(game.table)
    payer, payee = two_at_table(payer, payee, people)
    known = None
    if not known_under(game.table, key):
        seen_at = _seen_at(game, after)
        known = _ticked_since(seen_at, game, payer, payee, amount, people)
        known = known or _paid_in_accounts(seen_at, game, payer, payee, amount, people)
    if known is not None:
        return accept(known, by=by, at=at) if known.is_claimed else known
    ticked = Paid(payer, payee, amount, Method.CASH, game=game)
    (payment,) = record_payments(game.table, [ticked], key=key, by=by, at=at or now())
    return payment


def _seen_at(game: Game, after: int) -> datetime:
    """When event `after`, the last one the phone had seen, was recorded; when the game began, where there is none."""
    moment = game.records.filter(number=after).values_list("recorded_at", flat=True).first()
    return moment or game.started_at


def _ticked_since(
    seen_at: datetime, game: Game, payer: Member, payee: Member, amount: int, people: People
) -> Payment | None:
    """What was paid like that for the game since then, or at all where nothing is open, or what the payer said."""
    dues = dues_of(game, game.state())
    is_open = any((line.payer, line.payee) == (payer, payee) for line in dues.lines)
    for paid in dues.paid:
        pair = people.by_pk[paid.payer_id], people.by_pk[paid.payee_id]
        if (*pair, paid.amount) == (payer, payee, amount) and (paid.made_at >= seen_at or not is_open):
            return paid
    since = paid_since(game, payer, payee, amount, people)
    return next((paid for paid in since if paid.claimed_at is not None), None)


def _paid_in_accounts(
    seen_at: datetime, game: Game, payer: Member, payee: Member, amount: int, people: People
) -> Payment | None:
    """What was recorded like that in the accounts since the phone had seen the game, where they ask for no more.

    A game's own line is offered for ticking only while nothing was paid in the accounts since. RuleError where it may
    be this debt that was paid there: another amount, and they ask for no more, or the same, and they still ask.
    """
    since = game.table.payments.counting().filter(
        game=None,
        recorded_at__gte=seen_at,
        payer__in=people.rows_of(payer),
        payee__in=people.rows_of(payee),
    )
    found = list(since.order_by("-recorded_at", "-pk"))
    same = next((one for one in found if one.amount == amount and one.method not in UNPAID), None)
    asked = read_accounts(game.table, people).to_pay if found else ()
    is_asked = any((line.payer, line.payee) == (payer, payee) and line.unsaid >= amount for line in asked)
    if found and is_asked is bool(same):
        raise _paid_there((same or found[0]), payer, payee)
    return same


def _paid_there(paid: Payment, payer: Member, payee: Member) -> RuleError:
    amount = Amount(paid.amount)
    if paid.method == Method.WRITE_OFF:
        said = _(
            "In the accounts {amount} of what {payer} owed {payee} was written off meanwhile. If it was paid all the "
            "same, cancel that there first.",
            amount=amount,
            payer=payer.name,
            payee=payee.name,
        )
    elif paid.method == Method.OPENING:
        said = _(
            "What {payer} owed {payee} went to another table meanwhile: it is paid there.",
            payer=payer.name,
            payee=payee.name,
        )
    else:
        said = _(
            "In the accounts {payer} paid {payee} {amount} meanwhile. If this was paid besides, record it there.",
            amount=amount,
            payer=payer.name,
            payee=payee.name,
        )
    return RuleError(said)
