"""The accounts as pages and chats show them: every amount with its causes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Member, Method, Payment, Table
from games.money.balances import Account, Accounts, Entry, People
from games.money.payments import PaidAgain, PaidTooMuch, Unusual
from games.shown.common.amounts import money, tone_of
from games.shown.common.days import clock, moment_in_words
from games.shown.common.marks import marked
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.played import game_page, variant_in_words
from games.shown.common.typed import typed_amount


@dataclass(frozen=True)
class Cause:
    """One thing an amount is made of, and where that is explained."""

    text: str
    amount: str
    href: str = ""


@dataclass(frozen=True)
class BalanceRow:
    """One member's balance."""

    person: Person
    balance: str
    tone: str
    detail: str
    href: str


@dataclass(frozen=True)
class PaymentRow:
    """A payment in a list."""

    title: str
    amount: str
    detail: str
    state: str
    tone: str
    counts: bool
    href: str

    @property
    def marks(self) -> str:
        """How the row looks: what does not count is struck out."""
        return marked("tile", void=not self.counts)


@dataclass(frozen=True)
class EntryRow:
    """Something that moved a balance, and the balance after it."""

    title: str
    detail: str
    amount: str
    tone: str
    balance: str
    counts: bool
    href: str

    @property
    def marks(self) -> str:
        """How the row looks: what does not count is struck out."""
        return marked("tile", void=not self.counts)


# --- small words ------------------------------------------------------------------------------------------------------


def method_in_words(method: str) -> str:
    """How somebody paid."""
    return {
        Method.CASH: _("cash"),
        Method.TRANSFER: _("transfer"),
        Method.WRITE_OFF: _("written off"),
    }[Method(method)]


def owes_in_words(name: str, balance: int) -> str:
    """What a balance means for its member."""
    if balance < 0:
        return _("%(name)s owes") % {"name": name}
    if balance > 0:
        return _("%(name)s is owed") % {"name": name}
    return _("%(name)s is even") % {"name": name}


def account_page(table: Table, slug: str) -> str:
    """Where a member's account is."""
    return reverse("account", args=[table.code, slug])


def pay_page(table: Table, payer: Member, payee: Member, amount: int, **more: str) -> str:
    """Where a payment between these two is noted, with the form filled in."""
    asked = {"payer": payer.slug, "payee": payee.slug, "amount": typed_amount(amount, table), **more}
    return f"{reverse('pay', args=[table.code])}?{urlencode(asked)}"


# --- balances --------------------------------------------------------------------------------------------------------


def composition(account: Account, table: Table) -> tuple[Cause, ...]:
    """What a balance is made of; the amounts add up to it."""
    games = ngettext("%(count)s game", "%(count)s games", account.games) % {"count": account.games}
    parts = (
        (games, account.won),
        (_("Paid"), account.paid),
        (_("Received"), -account.received),
        (_("Written off"), account.written_off),
    )
    return tuple(
        Cause(text, money(amount, table, signed=True))
        for place, (text, amount) in enumerate(parts)
        if amount or place == 0
    )


def balance_rows(accounts: Accounts, table: Table) -> tuple[BalanceRow, ...]:
    """Everybody who plays or is owed or owes, the highest balance first; who has retired even is left out."""
    shown = [
        account for account in accounts.accounts.values() if account.balance or not account.member.retired_at
    ]
    return tuple(_balance_row(account, table) for account in sorted(shown, key=lambda one: -one.balance))


def retired_rows(accounts: Accounts, table: Table) -> tuple[BalanceRow, ...]:
    """Who has retired and is even."""
    return tuple(
        _balance_row(account, table)
        for account in accounts.accounts.values()
        if account.member.retired_at and not account.balance
    )


def _balance_row(account: Account, table: Table) -> BalanceRow:
    said = [ngettext("%(count)s game", "%(count)s games", account.games) % {"count": account.games}]
    if account.member.retired_at:
        said.append(_("no longer plays"))
    return BalanceRow(
        person=person_of(account.member),
        balance=money(account.balance, table, signed=True),
        tone=tone_of(account.balance),
        detail=" · ".join(said),
        href=account_page(table, account.member.slug),
    )


# --- payments and entries ---------------------------------------------------------------------------------------------


def payment_in_words(payment: Payment, people: People) -> str:
    """Who paid whom."""
    return f"{people.by_pk[payment.payer_id].name} → {people.by_pk[payment.payee_id].name}"


def question_in_words(unusual: Unusual, payer: Member, amount: int, table: Table) -> str:
    """What is asked before a payment is recorded that may be one too many, or too much."""
    about = {"name": payer.name, "amount": money(amount, table)}
    if isinstance(unusual, PaidAgain):
        said = {"when": clock(unusual.before.made_at, table), "payee": unusual.before.payee.name}
        return _(
            "At %(when)s just this was recorded: %(name)s paid %(payee)s %(amount)s. Was it paid again?"
        ) % {
            **about,
            **said,
        }
    assert isinstance(unusual, PaidTooMuch)
    if unusual.owes == 0:
        return _("%(name)s owes nothing in the accounts. Were %(amount)s paid all the same?") % about
    owes = {"owes": money(unusual.owes, table)}
    return _("%(name)s owes %(owes)s in all. Were %(amount)s really paid?") % {**about, **owes}


def state_in_words(payment: Payment) -> tuple[str, str]:
    """What has become of a payment, and its colour; "" for one that was only recorded."""
    if payment.cancelled_at is not None:
        return _("cancelled"), "soft"
    if payment.disputed_at is not None:
        return _("disputed"), "red"
    if payment.confirmed_at is not None:
        return _("confirmed"), "green"
    return "", ""


def payment_row(payment: Payment, people: People, table: Table) -> PaymentRow:
    """The payment as a line of a list."""
    state, tone = state_in_words(payment)
    said = [method_in_words(payment.method), moment_in_words(payment.made_at, table)]
    return PaymentRow(
        title=payment_in_words(payment, people),
        amount=money(payment.amount, table),
        detail=" · ".join((*said, *filter(None, [payment.note]))),
        state=state,
        tone=tone,
        counts=payment.counts,
        href=reverse("payment", args=[table.code, payment.pk]),
    )


def entry_row(entry: Entry, account: Account, people: People, table: Table) -> EntryRow:
    """The entry as a line of its account."""
    amount, counts, state = entry.amount, True, ""
    if entry.game is not None:
        title, href = variant_in_words(entry.game), game_page(entry.game)
        detail = moment_in_words(entry.at, table)
    else:
        assert entry.payment is not None
        payment = entry.payment
        title, href = payment_in_words(payment, people), reverse("payment", args=[table.code, payment.pk])
        counts, (state, _tone) = payment.counts, state_in_words(payment)
        if not counts:
            is_payer = people.by_pk[payment.payer_id] == account.member
            amount = payment.amount if is_payer else -payment.amount
        detail = " · ".join((method_in_words(payment.method), moment_in_words(entry.at, table)))
    return EntryRow(
        title=title,
        detail=" · ".join(filter(None, (detail, state))),
        amount=money(amount, table, signed=True),
        tone=tone_of(amount) if counts else "soft",
        balance=money(entry.balance, table, signed=True),
        counts=counts,
        href=href,
    )


# --- for the group ----------------------------------------------------------------------------------------------------


def message_of(accounts: Accounts, table: Table) -> str:
    """Who pays whom and how everybody stands, as text for the group's chat."""
    return "\n".join(_message_lines(accounts, table))


def _message_lines(accounts: Accounts, table: Table) -> Iterator[str]:
    yield _("%(table)s: the accounts") % {"table": table.name}
    yield ""
    if accounts.to_pay:
        yield _("Who pays whom:")
    else:
        yield _("Nobody owes anything.")
    for line in accounts.to_pay:
        said = f"{line.payer.name} → {line.payee.name}: {money(line.left, table)}"
        yield f"{said} ({line.payee.account})" if line.payee.account else said
    owing = [account for account in accounts.accounts.values() if account.balance]
    if owing:
        yield ""
        yield _("Balances:")
    for account in sorted(owing, key=lambda one: -one.balance):
        yield f"{account.member.name}: {money(account.balance, table, signed=True)}"
