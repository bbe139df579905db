"""What can be done with the accounts: pay, take back, confirm, dispute, close a night, retire. Only writes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.accounts import People, accounts_of, read_accounts
from games.closings import last_night, lines_of, seen_now
from games.dues import dues_of
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
from games.plans import replanned
from games.scoring.errors import RuleError
from games.scoring.rounds import PlayerId
from games.scoring.words import Amount, _
from games.services import KeyReused, StaleGame, check_key, hold, lock


class StaleAccounts(Exception):
    """The accounts are not what the person saw."""


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
) -> Payment:
    """The payment, which counts at once; the same key with the same content gives the one recorded then.

    Any amount goes: part of what the plan says, or more, which is then owed the other way.
    """
    check_key(key)
    lock(table)
    note = _read_note(note)
    people = People.of(table)
    payer, payee = (
        _at_table(member, people, field) for member, field in ((payer, "payer"), (payee, "payee"))
    )
    if payer == payee:
        raise RuleError(_("Nobody pays themselves: choose two people."), field="payee")
    (payment,) = _record(table, [_Paid(payer, payee, amount, method, note)], key=key, by=by, at=at or now())
    return payment


@transaction.atomic
def pay_on_the_spot(
    game: Game,
    *,
    after: int,
    key: str,
    by: User,
    only: tuple[PlayerId, PlayerId] | None = None,
    at: datetime | None = None,
) -> tuple[Payment, ...]:
    """The payments, in cash, of all that is still due for a game, or of the one line between these two.

    StaleGame where the game went on since event `after`: what is due may be something else. Where a correction
    changes the game later, just the difference is owed.
    """
    check_key(key)
    hold(game)
    known = _known(game.table, key)
    if known:
        return _same_line(known, game, only)
    log = game.log()
    if len(log) != after:
        raise StaleGame(after=after, since=log[max(after, 0) :])
    state = game.state()
    if not state.is_over:
        raise RuleError(_("This game is still being played."))
    lines = dues_of(game, state).open
    if only is not None:
        lines = tuple(line for line in lines if (line.payer.slug, line.payee.slug) == only)
    if not lines:
        raise RuleError(_("Nothing is left to be paid for this game."))
    paid = [_Paid(line.payer, line.payee, line.amount, Method.CASH, game=game) for line in lines]
    return _record(game.table, paid, key=key, by=by, at=at or now())


def _same_line(
    known: tuple[Payment, ...], game: Game, only: tuple[PlayerId, PlayerId] | None
) -> tuple[Payment, ...]:
    """What the same tap recorded before; KeyReused where that was another one."""
    (one, *others) = known
    if one.game_id != game.pk or (only and (others or (one.payer.slug, one.payee.slug) != only)):
        raise KeyReused
    return known


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
    objection = _read_note(objection, field="objection")
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
    text = _read_note(text, field="text")
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
    member.account = _read_note(text, field="account", longest=ACCOUNT_LENGTH)
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
    if not all(0 < one.amount <= MOST_MONEY for one in paid):
        raise RuleError(
            _("A payment is more than nothing, and {most} at most.", most=Amount(MOST_MONEY)),
            field="amount",
        )
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


def _content(paid: Payment | _Paid) -> tuple[object, ...]:
    return (paid.payer, paid.payee, paid.amount, str(paid.method), paid.note, paid.game)


def _known(table: Table, key: str) -> tuple[Payment, ...]:
    return tuple(table.payments.filter(key=key).select_related("payer", "payee", "game").order_by("pk"))


def _hold_payment(payment: Payment) -> None:
    """Holds the payment's table and reads what others may have done with it."""
    lock(payment.table)
    payment.refresh_from_db()


def _at_table(member: Member, people: People, field: str) -> Member:
    """Who this is now at the table."""
    if member.pk not in people.by_pk:
        raise RuleError(_("{name} does not belong to this table.", name=member.name), field=field)
    return people.by_pk[member.pk]


def _read_note(text: str, *, field: str = "note", longest: int = NOTE_LENGTH) -> str:
    """The words in one line; RuleError where they are too many, or cannot be seen."""
    note = " ".join(text.split())
    if len(note) > longest or not note.isprintable():
        raise RuleError(_("At most {longest} letters fit here.", longest=longest), field=field)
    return note
