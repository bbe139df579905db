"""What can be done with the accounts: pay, take back, confirm, dispute, close a night, retire. Only writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.keys import KeyReused, check_key
from games.locks import StaleGame, hold, lock
from games.models import (
    ACCOUNT_LENGTH,
    MOST_MONEY,
    NOTE_LENGTH,
    Because,
    ClosingNote,
    Game,
    Member,
    Method,
    Payment,
    Table,
)
from games.money.balances import People, accounts_of, read_accounts
from games.money.closings import last_night, lines_of, seen_now
from games.money.dues import Due, Dues, dues_of
from games.money.plans import replanned
from games.scoring.errors import RuleError
from games.scoring.ledger import Transfer
from games.scoring.one_line import one_line
from games.scoring.words import Amount, _

SOON = timedelta(hours=1)  # within which just the same payment may be one tapped twice


class StaleAccounts(Exception):
    """The accounts are not what the person saw."""


class StaleDues(Exception):
    """What was ticked off is not owed like that for the game any more."""


class TakenBack(RuleError):
    """The key was sent before, for a payment that was cancelled since: whoever means it sends it under another."""


class Unusual(Exception):
    """A payment that may be one too many, or too much: to be asked about, and recorded where somebody says it is so."""


class PaidAgain(Unusual):
    """Just the same was recorded within the hour: `before`."""

    def __init__(self, before: Payment) -> None:
        super().__init__()
        self.before = before


class PaidTooMuch(Unusual):
    """More than twice what the payer owes, which is `owes`."""

    def __init__(self, owes: int) -> None:
        super().__init__()
        self.owes = owes


@dataclass(frozen=True)
class _Paid:
    """A payment about to be recorded."""

    payer: Member
    payee: Member
    amount: int
    method: Method
    note: str = ""
    game: Game | None = None


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
    at: datetime | None = None,
    is_asking: bool = False,
) -> Payment:
    """The payment, which counts at once; the same key with the same content gives the one recorded then.

    Any amount goes: part of what the plan says, or more, which is then owed the other way. `is_asking` gives Unusual,
    and records nothing, where somebody is to be asked first whether it is meant.
    """
    check_key(key)
    lock(table)
    note = one_line(note, longest=NOTE_LENGTH, field="note")
    people = People.of(table)
    payer, payee = _two_at_table(payer, payee, people)
    paid, made_at = _Paid(payer, payee, amount, method, note), at or now()
    _check_amount(paid)
    if is_asking and not _known(table, key):
        _ask(paid, table, people, made_at)
    (payment,) = _record(table, [paid], key=key, by=by, at=made_at)
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
    on_result_of: Game | None = None,
) -> Payment:
    """The payment of the accounts that waited on a phone: a fact, and never asked about.

    Where it is the tick at a line of the plan on the result of a game, and another phone ticked that off meanwhile, it
    is the payment known from then.
    """
    lock(table)
    if on_result_of is not None and not _known(table, key):
        known = _ticked_meanwhile(on_result_of, payer, payee, amount)
        if known is not None:
            return known
    return pay(table, payer, payee, amount, method=method, note=note, key=key, by=by)


def _ticked_meanwhile(game: Game, payer: Member, payee: Member, amount: int) -> Payment | None:
    """What was paid like that in the accounts since the game ended, where the plan asks for no such payment any more."""
    if game.ended_at is None:
        return None
    accounts = read_accounts(game.table)
    people = accounts.people
    ends = people.by_pk.get(payer.pk), people.by_pk.get(payee.pk)
    if any((line.payer, line.payee) == ends and line.left >= amount for line in accounts.to_pay):
        return None
    since = game.table.payments.counting().filter(game=None, amount=amount, made_at__gt=game.ended_at)
    alike = (
        paid
        for paid in since.order_by("-made_at", "-pk")
        if (people.by_pk[paid.payer_id], people.by_pk[paid.payee_id]) == ends
    )
    return next(alike, None)


def _ask(paid: _Paid, table: Table, people: People, made_at: datetime) -> None:
    """Unusual where this payment may be one too many, or too much."""
    same = table.payments.counting().filter(
        payer__in=people.rows_of(paid.payer),
        payee__in=people.rows_of(paid.payee),
        amount=paid.amount,
        made_at__gt=made_at - SOON,
        made_at__lte=made_at,
    )
    before = same.order_by("-made_at", "-pk").first()
    if before is not None:
        raise PaidAgain(before)
    owes = max(0, -accounts_of(table, people)[paid.payer.slug].balance)
    if paid.amount > 2 * owes:
        raise PaidTooMuch(owes)


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
        seen = Transfer(one.payer.slug, one.payee.slug, one.amount)
        if others or one.game_id != game.pk or seen != line:
            raise KeyReused
        return one
    found = [due for due in held.to_tick if Transfer(due.payer.slug, due.payee.slug, due.amount) == line]
    if not found:
        raise StaleDues
    (payment,) = _record_dues(game, found, key=key, by=by, at=at or now())
    return payment


def _held(game: Game, *, after: int, key: str) -> Dues | tuple[Payment, ...]:
    """The dues of a game that is held now, or the payments recorded under this key before."""
    check_key(key)
    hold(game)
    known = _known(game.table, key)
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
    paid = [_Paid(line.payer, line.payee, line.amount, Method.CASH, game=game) for line in lines]
    return _record(game.table, paid, key=key, by=by, at=at)


@transaction.atomic
def cancel(payment: Payment, *, by: User, at: datetime | None = None) -> Payment:
    """The payment, taken back for good: it stays in sight and counts no more. What the payee confirmed stays."""
    _hold_payment(payment)
    if payment.cancelled_at is not None:
        return payment
    if payment.confirmed_at is not None:
        raise RuleError(
            _(
                "{name} has confirmed this payment and would have to dispute it first.",
                name=payment.payee.name,
            )
        )
    cancelled_at = at or now()
    with replanned(payment.table, Because.CANCELLED, payment=payment, at=cancelled_at):
        payment.cancelled_at, payment.cancelled_by = cancelled_at, by
        payment.save(update_fields=["cancelled_at", "cancelled_by"])
    return payment


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
    it is open, it is the payment known from then.
    """
    check_key(key)
    hold(game)
    people = People.of(game.table)
    payer, payee = _two_at_table(payer, payee, people)
    if not _known(game.table, key):
        dues = dues_of(game, game.state())
        is_open = any((line.payer, line.payee) == (payer, payee) for line in dues.lines)
        seen_at = game.records.filter(number=after).values_list("recorded_at", flat=True).first()
        for paid in dues.paid:
            pair = people.by_pk[paid.payer_id], people.by_pk[paid.payee_id]
            is_since = seen_at is not None and paid.made_at >= seen_at
            if (*pair, paid.amount) == (payer, payee, amount) and (is_since or not is_open):
                return paid
    ticked = _Paid(payer, payee, amount, Method.CASH, game=game)
    (payment,) = _record(game.table, [ticked], key=key, by=by, at=at or now())
    return payment


@transaction.atomic
def confirm(payment: Payment, *, by: User, at: datetime | None = None) -> Payment:
    """The payment with the payee's word for it, a badge; one she had disputed counts again."""
    _hold_payment(payment)
    _check_payee(payment, by)
    if payment.confirmed_at is None:
        confirmed_at = at or now()
        with replanned(payment.table, Because.CONFIRMED, payment=payment, at=confirmed_at):
            payment.confirmed_at, payment.disputed_at, payment.objection = confirmed_at, None, ""
            payment.save(update_fields=["confirmed_at", "disputed_at", "objection"])
    return payment


@transaction.atomic
def dispute(payment: Payment, *, by: User, objection: str = "", at: datetime | None = None) -> Payment:
    """The payment the payee says she did not get: in sight, with her reason, and not counted until she confirms."""
    _hold_payment(payment)
    _check_payee(payment, by)
    objection = one_line(objection, longest=NOTE_LENGTH, field="objection")
    if payment.disputed_at is None:
        disputed_at = at or now()
        with replanned(payment.table, Because.DISPUTED, payment=payment, at=disputed_at):
            payment.disputed_at, payment.confirmed_at, payment.objection = disputed_at, None, objection
            payment.save(update_fields=["disputed_at", "confirmed_at", "objection"])
    return payment


def _check_payee(payment: Payment, user: User) -> None:
    payee = People.of(payment.table).by_pk[payment.payee_id]
    if not payee.is_of(user):
        raise RuleError(_("Only {name} can say so.", name=payee.name))
    if payment.cancelled_at is not None:
        raise RuleError(_("This payment was cancelled."))


# --- nights and people ------------------------------------------------------------------------------------------------


@transaction.atomic
def close_night(
    table: Table, night: date, *, seen: str, by: User, text: str = "", at: datetime | None = None
) -> ClosingNote:
    """The closing note of the last night: the balances and the plan everybody saw.

    StaleAccounts where they are not those of `seen` any more, or another night has begun. Closing it again with
    nothing changed gives the note there is.
    """
    lock(table)
    text = one_line(text, longest=NOTE_LENGTH, field="text")
    accounts = read_accounts(table)
    if night != last_night(table) or seen != seen_now(accounts):
        raise StaleAccounts
    known = table.closing_notes.filter(night=night).first()
    if known is not None and (known.balances, known.lines, known.text) == (
        accounts.balances,
        lines_of(accounts),
        text,
    ):
        return known
    return table.closing_notes.create(
        night=night,
        balances=accounts.balances,
        lines=lines_of(accounts),
        text=text,
        made_at=at or now(),
        made_by=by,
    )


@transaction.atomic
def set_account(member: Member, text: str) -> Member:
    """The member with where to send money: an alias, a number, any words; "" takes it away."""
    lock(member.table)
    member.refresh_from_db()
    member.account = one_line(text, longest=ACCOUNT_LENGTH, field="account")
    member.save(update_fields=["account"])
    return member


@transaction.atomic
def retire(member: Member, *, written_off: int = 0, key: str, by: User, at: datetime | None = None) -> Member:
    """The member, who plays no more. A balance must be zero, or be written off by whoever saw it to be this much."""
    check_key(key)
    table = member.table
    lock(table)
    member.refresh_from_db()
    if member.retired_at is not None:
        return member
    if member.merged_into_id is not None:
        raise RuleError(_("{name} now counts as somebody else at this table.", name=member.name))
    people = People.of(table)
    seats = {people.by_slug[player.id] for game in _running(table) for player in game.state().players}
    if member in seats:
        raise RuleError(_("{name} plays in a game under way.", name=member.name))
    balance = accounts_of(table, people)[member.slug].balance
    if balance != written_off:
        raise StaleAccounts
    retired_at = at or now()
    if balance:
        lines = [line for line in read_accounts(table).to_pay if member in (line.payer, line.payee)]
        paid = [_Paid(line.payer, line.payee, line.left, Method.WRITE_OFF) for line in lines]
        _record(table, paid, key=key, by=by, at=retired_at)
    member.retired_at = retired_at
    member.save(update_fields=["retired_at"])
    return member


@transaction.atomic
def bring_back(member: Member) -> Member:
    """The member, who plays again."""
    lock(member.table)
    member.refresh_from_db()
    member.retired_at = None
    member.save(update_fields=["retired_at"])
    return member


def _running(table: Table) -> Iterable[Game]:
    return table.games.filter(ended_at=None, discarded_at=None)


# --- inside a transaction ---------------------------------------------------------------------------------------------


def _record(table: Table, paid: list[_Paid], *, key: str, by: User, at: datetime) -> tuple[Payment, ...]:
    """The payments recorded under this key, now or before; KeyReused where those before were others.

    RuleError where one is of more than the database adds up: who owes more pays in parts.
    """
    for one in paid:
        _check_amount(one)
    known = _known(table, key)
    if known:
        if [_content(payment) for payment in known] != [_content(one) for one in paid]:
            raise KeyReused
        return known
    found = tuple(
        Payment(
            table=table, payer=one.payer, payee=one.payee, amount=one.amount, method=one.method, note=one.note,
            game=one.game, key=key, made_at=at, recorded_by=by,
        )
        for one in paid
    )  # fmt: skip
    with replanned(table, Because.PAID, payment=found[0], game=found[0].game, at=at):
        for payment in found:
            payment.save()
    return found


def _check_amount(paid: _Paid) -> None:
    if not 0 < paid.amount <= MOST_MONEY:
        raise RuleError(
            _("A payment is more than nothing, and {most} at most.", most=Amount(MOST_MONEY)),
            field="amount",
        )


def _content(paid: Payment | _Paid) -> tuple[object, ...]:
    return (paid.payer, paid.payee, paid.amount, str(paid.method), paid.note, paid.game)


def _known(table: Table, key: str) -> tuple[Payment, ...]:
    """The payments recorded under this key before; TakenBack where one was cancelled since and is recorded no more."""
    known = tuple(table.payments.filter(key=key).select_related("payer", "payee", "game").order_by("pk"))
    if any(payment.cancelled_at is not None for payment in known):
        raise TakenBack(_("This was recorded and then cancelled. If it was paid, record it once more."))
    return known


def _hold_payment(payment: Payment) -> None:
    """Holds the payment's table and reads what others may have done with it."""
    lock(payment.table)
    payment.refresh_from_db()


def _two_at_table(payer: Member, payee: Member, people: People) -> tuple[Member, Member]:
    """Who these are now at the table; RuleError where they are one and the same."""
    payer, payee = _at_table(payer, people, "payer"), _at_table(payee, people, "payee")
    if payer == payee:
        raise RuleError(_("Nobody pays themselves: choose two people."), field="payee")
    return payer, payee


def _at_table(member: Member, people: People, field: str) -> Member:
    """Who this is now at the table."""
    if member.pk not in people.by_pk:
        raise RuleError(_("{name} does not belong to this table.", name=member.name), field=field)
    return people.by_pk[member.pk]
