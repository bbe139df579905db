"""Balances, payments, expenses and member merges as pages show them, and the URLs of their pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from games.common import amounts, days, game_labels, naming, parsing, texts
from games.common.naming import Person
from games.models import Entry, EntryKind, Member, Method, Payment, PaymentState, Table
from games.money.services import payments
from games.money.services.accounting import Accounts
from games.money.services.member_merges import MergePreview
from games.scoring.debts import Debts
from games.tables.services import roster
from games.tables.services.roster import People


def payment_title(payment: Payment, kind: EntryKind = EntryKind.PAID) -> str:
    """Return the title of a payment; a reversal's `kind` adds that it was taken back."""
    if payment.method == Method.FORGIVEN:
        return _("Forgiven") if kind == EntryKind.PAID else _("Forgiven, voided")
    return _("Payment") if kind == EntryKind.PAID else _("Payment voided")


def payment_url(payment: Payment, table: Table) -> str:
    return reverse("payment", args=[table.code, payment.pk])


@dataclass(frozen=True)
class BalanceBar:
    """A balance as a bar beside an axis: the positions of the axis and the bar, and its width, in percent."""

    axis: int
    start: int
    width: int


@dataclass(frozen=True)
class BalanceItem:
    """A member's balance in a list, with a link to their statement."""

    person: Person
    balance: str
    tone: str
    detail: str
    href: str
    bar: BalanceBar | None = None


@dataclass(frozen=True)
class MovementItem:
    """A movement in a list: a payment, an expense or a night, with a link to its page; or starting balances.

    A movement that neither counts nor awaits an answer is struck out (`is_void`).
    """

    faces: tuple[Person, ...]
    title: str
    detail: str
    amount: str
    href: str
    state: str = ""
    tone: str = ""
    is_void: bool = False


# --- labels and links -------------------------------------------------------------------------------------------------


def method_label(method: str) -> str:
    return {
        Method.CASH: _("cash"),
        Method.TRANSFER: _("transfer"),
        Method.FORGIVEN: _("forgiven"),
    }[Method(method)]


def allowed_methods(payment: Payment, user: User) -> list[tuple[Method, str]]:
    """Return the methods that this user may change the payment to, with labels; none without the right."""
    if payment.method == Method.FORGIVEN or not payments.can_undo_freely(payment, user):
        return []
    return [(method, method_label(method)) for method in Method if method is not Method.FORGIVEN]


def account_url(table: Table, slug: str) -> str:
    return reverse("account", args=[table.code, slug])


def pay_url(table: Table, payer: Member, payee: Member, amount: int, **fields: str) -> str:
    """Return the URL of the accounts with the payment form prefilled. `fields` are further fields."""
    query = {
        "payer": payer.slug,
        "payee": payee.slug,
        "amount": parsing.input_amount(amount, table),
        **fields,
    }
    return f"{reverse('accounts', args=[table.code])}?{urlencode(query)}"


# --- balances ---------------------------------------------------------------------------------------------------------


MOST_LISTED = 60  # rows of a list before it is unfolded; of more people, the forms are pages of their own

_Row = TypeVar("_Row")


@dataclass(frozen=True)
class LongList(Generic[_Row]):
    """The first rows of a list, and the other ones. If these are folded, `rest_url` is the page that has them."""

    rows: Sequence[_Row]
    rest: Sequence[_Row] = ()
    rest_url: str = ""
    rest_count: int = 0

    @classmethod
    def of(
        cls, rows: Sequence[_Row], rest_url: str, *, is_open: bool, most: int = MOST_LISTED
    ) -> LongList[_Row]:
        """Fold the rows after the first `most`, unless `is_open`."""
        rest = rows[most:]
        return cls(rows[:most], rest if is_open else (), "" if is_open else rest_url, len(rest))


def balance_items(accounts: Accounts, table: Table) -> tuple[list[BalanceItem], list[BalanceItem]]:
    """Return the rows of all balances, highest first. Retired members who are even are a second list."""
    balances = accounts.balances
    most, least = max((0, *balances.values())), min((0, *balances.values()))
    visible: list[BalanceItem] = []
    retired: list[BalanceItem] = []
    for member in sorted(accounts.people.current_members, key=lambda member: -balances[member.slug]):
        balance = balances[member.slug]
        row = replace(balance_item(member, balance, table), bar=_balance_bar(balance, least, most - least))
        (retired if member.retired_at and not balance else visible).append(row)
    return visible, retired


def _balance_bar(balance: int, least: int, span: int) -> BalanceBar | None:
    """Return the bar of a balance on an axis from `least` over `span`, None if all are even."""
    if not span:
        return None
    axis, end = round(-100 * least / span), round(100 * (balance - least) / span)
    return BalanceBar(axis, min(axis, end), abs(end - axis))


def balance_item(member: Member, balance: int, table: Table) -> BalanceItem:
    return BalanceItem(
        person=roster.to_person(member),
        balance=amounts.money(balance, table, signed=True),
        tone=amounts.tone(balance),
        detail=_("no longer plays") if member.retired_at else "",
        href=account_url(table, member.slug),
    )


def balance_headline(
    member: Member, accounts: Accounts, table: Table, *, is_reader: bool = True
) -> BalanceItem:
    """Return a member's balance as the main figure of a page, with a sentence in the second or third person.

    The figure has no sign. It is "" if the member is even.
    """
    balance = accounts.balances[member.slug]
    if balance < 0:
        text = _("%(name)s, you owe") if is_reader else _("%(name)s owes")
    elif balance > 0:
        text = _("%(name)s, you are owed") if is_reader else _("%(name)s is owed")
    else:
        text = _("%(name)s, you're all square") if is_reader else _("%(name)s is all square")
    return replace(
        balance_item(member, balance, table),
        balance=amounts.money(abs(balance), table) if balance else "",
        detail=text % {"name": naming.isolate(member.name)},
    )


# --- payments and expenses --------------------------------------------------------------------------------------------


def starting_balances_item(entry: Entry, *, is_void: bool) -> MovementItem:
    title, day = _("Starting balances"), days.format_day(entry.night)
    state = _("voided") if is_void else ""
    return MovementItem((), title, day, amount="", href="", state=state, tone="soft", is_void=is_void)


def parties_label(payment: Payment, people: People) -> str:
    """Return a payment as “payer → payee”. If the two were merged since, use the names they had."""
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    if payer == payee:
        payer, payee = payment.payer, payment.payee
    return arrow_label(payer.name, payee.name)


def arrow_label(payer: str, payee: str) -> str:
    """Return two names as “payer → payee”, each isolated."""
    return f"{naming.isolate(payer)} → {naming.isolate(payee)}"


def state_label(payment: Payment, people: People) -> tuple[str, str]:
    """Return the label of a payment's state and its CSS class; both are "" for an ordinary payment."""
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    if payer == payee:
        return _("both are one person"), "soft"
    match payment.state:
        case PaymentState.ENDED:
            return (_("didn't arrive"), "red") if _was_denied(payment, payee) else (_("voided"), "soft")
        case PaymentState.DISPUTED:
            return _("%(name)s says it didn't arrive") % {"name": naming.isolate(payee.name)}, "red"
        case PaymentState.CLAIMED:
            return _("%(name)s says it's paid") % {"name": naming.isolate(payer.name)}, "gold"
    if payment.confirmed_at is not None:
        return _("confirmed"), "green"
    if payment.recorded_by_id in payer.user_ids:
        return _("recorded by the payer"), "soft"
    return "", ""


def unpaid_label(payment: Payment, people: People) -> str:
    """Return why a payment that counted no longer does, for the entry that takes it back."""
    is_denied = payment.state is PaymentState.DISPUTED or _was_denied(payment, people.by_pk[payment.payee_id])
    return _("didn't arrive") if is_denied else _("voided")


def _was_denied(payment: Payment, payee: Member) -> bool:
    return payment.is_claim and payment.ended_by_id in payee.user_ids


def paid_on_label(payment: Payment, table: Table) -> str:
    """Return the day that a payment is dated back to or, without one, the time it was made."""
    if payment.paid_on is not None:
        return days.format_day(payment.paid_on)
    return days.format_datetime(payment.made_at, table)


def payment_item(payment: Payment, people: People, table: Table) -> MovementItem:
    state, tone = state_label(payment, people)
    details = (method_label(payment.method), paid_on_label(payment, table), payment.note)
    return MovementItem(
        faces=tuple(roster.to_person(people.by_pk[pk]) for pk in (payment.payer_id, payment.payee_id)),
        title=parties_label(payment, people),
        detail=" · ".join(filter(None, details)),
        amount=amounts.money(payment.amount, table),
        href=payment_url(payment, table),
        state=state,
        tone=tone,
        is_void=payment.state in (PaymentState.ENDED, PaymentState.DISPUTED),
    )


@dataclass(frozen=True)
class PendingPaymentItem:
    """A payment that awaits the reader's answer. `can_deny` is True if they can deny it without a reason.

    With `is_denied` the reader has disputed it, and can now only confirm it.
    """

    row: MovementItem
    payer: Person
    question: str
    detail: str
    can_deny: bool
    is_denied: bool = False


def pending_payment_item(payment: Payment, people: People, table: Table, reader: User) -> PendingPaymentItem:
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    is_mine = payee.belongs_to(reader)
    is_denied = is_mine and payment.state is PaymentState.DISPUTED
    text = _("Did %(payer)s pay you %(amount)s?") if is_mine else _("Did %(payer)s pay %(payee)s %(amount)s?")
    if is_denied:
        text = _("You said that %(amount)s from %(payer)s didn't arrive")
    names = {"payer": naming.isolate(payer.name), "payee": naming.isolate(payee.name)}
    row, is_claimed = payment_item(payment, people, table), payment.state is PaymentState.CLAIMED
    return PendingPaymentItem(
        row,
        roster.to_person(payer),
        text % {**names, "amount": amounts.money(payment.amount, table)},
        detail=row.detail if is_claimed or is_denied else f"{row.detail} · {row.state}",
        can_deny=is_mine and is_claimed,
        is_denied=is_denied,
    )


# --- merging two members ----------------------------------------------------------------------------------------------


def merge_context(effect: MergePreview, table: Table) -> dict[str, object]:
    """Return the template variables for the preview of a merge.

    `accounts` are the two balances and `together` is the joint one. `between` are payments between the two,
    which no longer count after the merge. `wrong` is the reason why they cannot be merged, "" if they can.
    `game` is the label and URL of a game that both played in.
    """
    people = People.of(table)
    before, after = (debt_labels(debts, people, table) for debts in (effect.debts, effect.debts_after))
    return {
        "accounts": [
            balance_item(member, balance, table)
            for member, balance in zip((effect.member, effect.into), effect.before, strict=True)
        ],
        "together": balance_item(effect.into, effect.after, table),
        "between": [payment_item(payment, people, table) for payment in effect.payments_between],
        "before": before,
        "after": after,
        "changes_debts": before != after,
        "game": effect.shared_game
        and (game_labels.game_night_label(effect.shared_game), game_labels.game_url(effect.shared_game)),
        "wrong": "" if effect.refusal is None else texts.translate(effect.refusal),
    }


def debt_labels(debts: Debts, people: People, table: Table) -> tuple[tuple[str, str], ...]:
    """Return each debt as “debtor → creditor” and its amount, by debtor and creditor in joining order."""
    seats = {member: place for place, member in enumerate(people.current_members)}
    in_order = sorted(
        debts, key=lambda debt: [seats[people.by_slug[end]] for end in (debt.payer, debt.payee)]
    )
    return tuple(
        (
            arrow_label(people.by_slug[debt.payer].name, people.by_slug[debt.payee].name),
            amounts.money(debt.amount, table),
        )
        for debt in in_order
    )
