"""The explanation of a balance in words: the causes that add up to it, and whom to pay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.common import amounts, days, game_labels, naming
from games.models import Game, Member, Table
from games.money.presenters import account_display
from games.money.services import balance_causes
from games.money.services.accounting import Accounts
from games.money.services.balance_causes import BalanceCause, CauseId, EntryEffect, ExplanationLine


@dataclass(frozen=True)
class ExplanationItem:
    """A line of an explanation: text, amount, color class, and a link to the cause or the folded lines."""

    text: str
    amount: str
    tone: str
    href: str = ""
    nested: tuple[ExplanationItem, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """The explanation of a balance: lines that add up to it, and sentences about the payments to make."""

    lines: tuple[ExplanationItem, ...]
    sentences: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.lines or self.sentences)


def explain(
    member: Member, effects: Sequence[EntryEffect], accounts: Accounts, table: Table, *, is_reader: bool
) -> Explanation:
    """Return the explanation of a member's balance. `effects` are those of all of their entries."""
    lines = balance_causes.fold(balance_causes.compute(effects))
    titles = load_cause_titles(
        [reason for line in lines if not line.is_until for reason in line.causes], table
    )
    items = tuple(_line_item(line, titles, table) for line in lines)
    return Explanation(items, tuple(_payment_sentences(member, accounts, table, is_reader=is_reader)))


def _line_item(
    line: ExplanationLine, titles: Mapping[CauseId, tuple[str, str]], table: Table
) -> ExplanationItem:
    amount, tone = amounts.money(line.amount, table, signed=True), amounts.tone(line.amount)
    day = {"day": days.format_day(line.night)}
    if line.is_until:
        return ExplanationItem(
            _("until %(day)s") % day, amount, tone, nested=tuple(_night_items(line, table))
        )
    lines = tuple(_cause_item(reason, titles, table) for reason in line.causes)
    return (
        lines[0]
        if len(lines) == 1
        else ExplanationItem(_("night of %(day)s") % day, amount, tone, nested=lines)
    )


def _night_items(line: ExplanationLine, table: Table) -> Iterator[ExplanationItem]:
    for night in dict.fromkeys(reason.night for reason in line.causes):
        amount = sum(reason.amount for reason in line.causes if reason.night == night)
        yield ExplanationItem(
            days.format_day(night), amounts.money(amount, table, signed=True), amounts.tone(amount)
        )


def _cause_item(
    reason: BalanceCause, titles: Mapping[CauseId, tuple[str, str]], table: Table
) -> ExplanationItem:
    title, href = titles[reason.cause]
    if reason.is_rest:
        title = _("%(game)s, corrected") % {"game": title}
    text = f"{title} · {days.format_day(reason.night)}"
    return ExplanationItem(
        text, amounts.money(reason.amount, table, signed=True), amounts.tone(reason.amount), href
    )


def load_cause_titles(reasons: Iterable[BalanceCause], table: Table) -> dict[CauseId, tuple[str, str]]:
    """Return the title and page URL of each cause. Starting balances have no page: their URL is ""."""
    ids: dict[str, set[int]] = {"game": set(), "payment": set(), "cost": set(), "opening": set()}
    for reason in reasons:
        kind, pk = reason.cause
        ids[kind].add(pk)
    titles: dict[CauseId, tuple[str, str]] = {
        ("opening", number): (_("Starting balances"), "") for number in ids["opening"]
    }
    for pk, game in table.games.in_bulk(ids["game"]).items():
        titles["game", pk] = _game_title(game), game_labels.game_url(game)
    for pk, payment in table.payments.in_bulk(ids["payment"]).items():
        titles["payment", pk] = (
            account_display.payment_title(payment),
            account_display.payment_url(payment, table),
        )
    for pk, cost in table.costs.in_bulk(ids["cost"]).items():
        titles["cost", pk] = account_display.expense_title(cost), account_display.expense_url(cost, table)
    return titles


def _game_title(game: Game) -> str:
    if game.spot_nets is None:
        return game_labels.game_label(game)
    return _("%(game)s, apart from what was paid on the spot") % {"game": game_labels.game_label(game)}


# --- whom to pay ------------------------------------------------------------------------------------------------------


def _payment_sentences(member: Member, accounts: Accounts, table: Table, *, is_reader: bool) -> Iterator[str]:
    """Yield sentences on unconfirmed payments, and then on payments to make and to expect.

    The payments to make and to expect leave out unconfirmed amounts.
    """
    for debt in accounts.debts:
        if debt.payer == member and debt.claimed:
            waiting = {"name": naming.isolate(debt.payee.name), "amount": amounts.money(debt.claimed, table)}
            yield _("%(name)s has not answered yet about %(amount)s.") % waiting
    pays = _names_with_amounts(
        ((debt.payee, debt.unclaimed) for debt in accounts.debts if debt.payer == member), table
    )
    gets = _names_with_amounts(
        ((debt.payer, debt.unclaimed) for debt in accounts.debts if debt.payee == member), table
    )
    parts = {"name": naming.isolate(member.name), "pays": pays, "gets": gets}
    if pays and gets:
        text = _("You collect from %(gets)s and pay %(pays)s.")
        yield (text if is_reader else _("%(name)s collects from %(gets)s and pays %(pays)s.")) % parts
    elif pays:
        yield (_("You pay it to %(pays)s.") if is_reader else _("%(name)s pays it to %(pays)s.")) % parts
    elif gets:
        yield (
            _("You collect from %(gets)s.") if is_reader else _("%(name)s collects from %(gets)s.")
        ) % parts


def _names_with_amounts(debts: Iterable[tuple[Member, int]], table: Table) -> str:
    ordered = sorted(debts, key=lambda debt: -debt[1])
    return naming.join_names(
        [
            f"{naming.isolate(member.name)} ({amounts.money(amount, table)})"
            for member, amount in ordered
            if amount
        ]
    )
