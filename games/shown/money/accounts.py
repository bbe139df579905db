"""The accounts of a table as pages and chat messages show them.

A member's account has the balance and its *entries*: the games, payments and shared costs that moved it. A
*claimed* payment is one that the payer only reported: it does not count until somebody confirms it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.models import Member, Method, Payment, PaymentState, Table
from games.money.balances import Account, Accounts, Entry, Line, People
from games.money.dues import Due
from games.money.payments import PaidAgain, PaidTooMuch, Unusual
from games.names import isolated
from games.shown.common.amounts import money, tone_of
from games.shown.common.days import clock, day_in_words, moment_in_words
from games.shown.common.marks import class_names
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.played import game_name, game_page, games_in_words
from games.shown.common.typed import typed_amount
from games.shown.money.causes import CauseShown
from games.shown.money.costs import cost_page, entry_in_words


@dataclass(frozen=True)
class BalanceRow:
    """One member's balance in a list, with a link to the member's account."""

    person: Person
    balance: str
    tone: str
    detail: str
    href: str


@dataclass(frozen=True)
class PaymentRow:
    """A payment in a list: payer and payee, amount, details, state, and a link to its page."""

    number: int
    title: str
    amount: str
    detail: str
    state: str
    tone: str
    is_void: bool
    href: str

    @property
    def marks(self) -> str:
        """The row's CSS classes; a payment that does not count, nor awaits confirmation, is struck out."""
        return class_names("tile", void=self.is_void)


@dataclass(frozen=True)
class EntryRow:
    """A row of an account: a game, payment or shared cost, its amount, and the balance after it."""

    title: str
    detail: str
    amount: str
    tone: str
    balance: str
    counts: bool
    href: str

    @property
    def marks(self) -> str:
        """The row's CSS classes; an entry that does not count is struck out."""
        return class_names("tile", void=not self.counts)


# --- labels and links -------------------------------------------------------------------------------------------------


def method_in_words(method: str) -> str:
    """Return the label of a payment method (`Method`), such as “cash”."""
    return {
        Method.CASH: _("cash"),
        Method.TRANSFER: _("transfer"),
        Method.FORGIVEN: _("forgiven"),
        Method.OPENING: _("balance brought forward"),
    }[Method(method)]


def payment_kind(payment: Payment) -> str:
    """Return the label of a payment's kind: a forgiven debt, a balance brought forward, or else a payment."""
    return {
        Method.FORGIVEN: _("Forgiven"),
        Method.OPENING: _("Balance brought forward"),
    }.get(Method(payment.method), _("Payment"))


def owes_in_words(name: str, balance: int) -> str:
    """Return a sentence that says whether the member of this name owes, is owed or is settled up.

    A negative balance is a debt. The sentence does not name the amount.
    """
    if balance < 0:
        return _("%(name)s owes") % {"name": name}
    if balance > 0:
        return _("%(name)s is owed") % {"name": name}
    return _("%(name)s is settled up") % {"name": name}


def account_page(table: Table, slug: str) -> str:
    """Return the URL of the account of the member with this slug."""
    return reverse("account", args=[table.code, slug])


def pay_page(table: Table, payer: Member, payee: Member, amount: int, **more: str) -> str:
    """Return the URL of the payment form, filled in with these two members and this amount.

    The amount is in the smallest units. `more` fills in further fields of the form, such as `note`.
    """
    query = {"payer": payer.slug, "payee": payee.slug, "amount": typed_amount(amount, table), **more}
    return f"{reverse('pay', args=[table.code])}?{urlencode(query)}"


# --- balances --------------------------------------------------------------------------------------------------------


def composition(account: Account, table: Table) -> tuple[CauseShown, ...]:
    """Return the parts of a member's balance, such as games and payments, each with its amount.

    The amounts add up to the balance. A part of 0 is left out, but the part for all games is always there.
    """
    games = games_in_words(account.games)
    parts = (
        (games, account.won),
        (_("Paid"), account.paid),
        (_("Received"), -account.received),
        (_("Forgiven"), account.forgiven),
        (_("Balance brought forward"), account.carried),
        (_("Shared costs"), account.shared),
    )
    return tuple(
        CauseShown(text, money(amount, table, signed=True))
        for place, (text, amount) in enumerate(parts)
        if amount or place == 0
    )


def balance_rows(accounts: Accounts, table: Table) -> tuple[BalanceRow, ...]:
    """Return the rows of all active members, and of retired ones with a balance, highest balance first."""
    shown = [
        account for account in accounts.accounts.values() if account.balance or not account.member.retired_at
    ]
    return tuple(
        _balance_row(account, table) for account in sorted(shown, key=lambda account: -account.balance)
    )


def retired_rows(accounts: Accounts, table: Table) -> tuple[BalanceRow, ...]:
    """Return the rows of retired members (who no longer play) without a balance."""
    return tuple(
        _balance_row(account, table)
        for account in accounts.accounts.values()
        if account.member.retired_at and not account.balance
    )


def _balance_row(account: Account, table: Table) -> BalanceRow:
    details = [games_in_words(account.games)]
    if account.member.retired_at:
        details.append(_("no longer plays"))
    return BalanceRow(
        person=person_of(account.member),
        balance=money(account.balance, table, signed=True),
        tone=tone_of(account.balance),
        detail=" · ".join(details),
        href=account_page(table, account.member.slug),
    )


# --- payments and entries ---------------------------------------------------------------------------------------------


def payment_in_words(payment: Payment, people: People) -> str:
    """Return a payment as “payer → payee”. If the two were merged into one since, use their earlier names."""
    if people.by_pk[payment.payer_id] == people.by_pk[payment.payee_id]:
        return f"{isolated(payment.payer.name)} → {isolated(payment.payee.name)}"
    return (
        f"{isolated(people.by_pk[payment.payer_id].name)} → {isolated(people.by_pk[payment.payee_id].name)}"
    )


def question_in_words(unusual: Unusual, payer: Member, amount: int, table: Table) -> str:
    """Return the question that the user must answer before an unusual payment is recorded.

    `unusual` says in which way it is unusual: it may be a duplicate, or more than the payer owes. `amount` is
    that of the payment, in the smallest units.
    """
    about = {"name": isolated(payer.name), "amount": money(amount, table)}
    if isinstance(unusual, PaidAgain):
        before = unusual.before
        names = {"when": clock(before.recorded_at, table), "payee": isolated(before.payee.name)}
        if before.paid_on is not None or before.is_claim:
            names["when"] = moment_in_words(before.recorded_at, table)
        if before.method == Method.FORGIVEN:
            return _(
                "At %(when)s, %(amount)s of what %(name)s owed %(payee)s was forgiven. Is this another payment?"
            ) % {**about, **names}
        return _(
            "This was already recorded at %(when)s: %(name)s paid %(payee)s %(amount)s. Was it paid again?"
        ) % {
            **about,
            **names,
        }
    assert isinstance(unusual, PaidTooMuch)
    owes = {"owes": money(unusual.owes, table), "claimed": money(unusual.claimed, table)}
    if unusual.claimed:
        return _(
            "%(name)s reported %(claimed)s as paid (not yet confirmed) and also owes "
            "%(owes)s. Was %(amount)s paid too?"
        ) % {**about, **owes}
    if unusual.owes == 0:
        return _("%(name)s owes nothing. Was %(amount)s paid anyway?") % about
    return _("%(name)s owes only %(owes)s. Was %(amount)s really paid?") % {**about, **owes}


def state_in_words(payment: Payment, people: People) -> tuple[str, str]:
    """Return the label of a payment's state, and the label's colour as a CSS class; "" for a plain payment."""
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    if payer == payee:
        return _("both are one person"), "soft"
    match payment.state:
        case PaymentState.ENDED:
            is_answer = payment.is_claim and payee.has_phone and payee.user_id == payment.ended_by_id
            return (_("didn't arrive"), "red") if is_answer else (_("taken back"), "soft")
        case PaymentState.DISPUTED:
            return _("%(name)s says it didn't arrive") % {"name": isolated(payee.name)}, "red"
        case PaymentState.CLAIMED:
            return _("reported as paid"), "gold"
    if payment.confirmed_at is not None:
        return _("confirmed"), "green"
    if payer.has_phone and payer.user_id == payment.recorded_by_id and payment.method != Method.OPENING:
        return _("recorded by the payer"), "soft"
    return "", ""


def paid_in_words(payment: Payment, table: Table) -> str:
    """Return in words the day on which a payment was made or, if no day was entered, the moment."""
    if payment.paid_on is not None:
        return day_in_words(payment.paid_on)
    return moment_in_words(payment.made_at, table)


def is_void(payment: Payment) -> bool:
    """Return whether the payment's amount is struck out: it neither counts nor waits to be confirmed."""
    return payment.state in (PaymentState.ENDED, PaymentState.DISPUTED)


def payment_row(payment: Payment, people: People, table: Table) -> PaymentRow:
    """Return the payment as a row of a list."""
    state, tone = state_in_words(payment, people)
    details = [method_in_words(payment.method), paid_in_words(payment, table)]
    return PaymentRow(
        number=payment.pk,
        title=payment_in_words(payment, people),
        amount=money(payment.amount, table),
        detail=" · ".join((*details, *filter(None, [payment.note]))),
        state=state,
        tone=tone,
        is_void=is_void(payment),
        href=reverse("payment", args=[table.code, payment.pk]),
    )


def entry_row(entry: Entry, account: Account, people: People, table: Table) -> EntryRow:
    """Return the row of an account for one of its entries: a game, payment or shared cost."""
    amount, counts, state = entry.amount, True, ""
    if entry.game is not None:
        title, href = game_name(entry.game), game_page(entry.game)
        detail = moment_in_words(entry.at, table)
    elif entry.cost is not None:
        (title, detail), href = entry_in_words(entry, table), cost_page(entry.cost, table)
    else:
        assert entry.payment is not None
        payment = entry.payment
        title, href = payment_in_words(payment, people), reverse("payment", args=[table.code, payment.pk])
        counts, (state, _tone) = payment.counts, state_in_words(payment, people)
        if not counts:
            is_payer = people.by_pk[payment.payer_id] == account.member
            amount = payment.amount if is_payer else -payment.amount
        detail = " · ".join((method_in_words(payment.method), paid_in_words(payment, table)))
    return EntryRow(
        title=title,
        detail=" · ".join(filter(None, (detail, state))),
        amount=money(amount, table, signed=True),
        tone=tone_of(amount) if counts else "soft",
        balance=money(entry.balance, table, signed=True),
        counts=counts,
        href=href,
    )


def claimed_in_words(line: Line | Due, table: Table) -> str:
    """Return a text on how much of a payment still to be made (`line`) its payer claims to have paid.

    For example: `reported $ 20 as paid`. Return "" if there is no such claim.
    """
    if not line.claimed:
        return ""
    if not line.unsaid:
        return _("reported as paid")
    return _("reported %(amount)s as paid") % {"amount": money(line.claimed, table)}


# --- for the group ----------------------------------------------------------------------------------------------------


def message_of(accounts: Accounts, table: Table) -> str:
    """Return a text for the group's chat, in the table's language: the payments to make, and all balances."""
    with override(table.language):
        return "\n".join(_message_lines(accounts, table))


def _message_lines(accounts: Accounts, table: Table) -> Iterator[str]:
    yield _("%(table)s: the accounts") % {"table": table.name}
    yield ""
    if accounts.to_pay:
        yield _("Who pays whom:")
    else:
        yield _("Nobody owes anything.")
    for line in accounts.to_pay:
        text = f"{isolated(line.payer.name)} → {isolated(line.payee.name)}: {money(line.left, table)}"
        text = f"{text} ({line.payee.account})" if line.payee.account else text
        yield f"{text} · {claimed_in_words(line, table)}" if line.claimed else text
    owing = [account for account in accounts.accounts.values() if account.balance]
    if owing:
        yield ""
        yield _("Balances:")
    for account in sorted(owing, key=lambda account: -account.balance):
        yield f"{isolated(account.member.name)}: {money(account.balance, table, signed=True)}"
