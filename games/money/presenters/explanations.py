"""The explanation of a balance in words: the causes that add up to it, and whom to pay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from django.utils.translation import gettext as _

from games.common import amounts, days, naming
from games.models import Member, Table
from games.money.presenters import account_display
from games.money.presenters.cause_titles import CauseTitles
from games.money.presenters.money_history import MoneyHistory
from games.money.services.accounting import Accounts
from games.money.services.balance_causes import BalanceCause, CauseId, ExplanationLine, LineKind


@dataclass(frozen=True)
class ExplanationItem:
    """A line of an explanation: text, amount, color class, and a link to the cause or the folded lines.

    With `rest_url` the folded lines are on that page, under the same HTML id (`rest_id`) as here.
    """

    text: str
    amount: str
    tone: str
    href: str = ""
    nested: tuple[ExplanationItem, ...] = ()
    rest_id: str = ""
    rest_url: str = ""
    is_open: bool = False


@dataclass(frozen=True)
class Explanation:
    """The explanation of a balance: lines that add up to `total`, and sentences about the payments to make."""

    lines: tuple[ExplanationItem, ...]
    sentences: tuple[str, ...]
    total: str

    def __bool__(self) -> bool:
        return bool(self.lines or self.sentences)


MOST_NIGHTS = 30  # folded nights that a page has before they are unfolded


def explain(
    history: MoneyHistory,
    accounts: Accounts,
    table: Table,
    *,
    reader: Member | None = None,
    with_nights: bool = False,
) -> Explanation:
    """Return the explanation of a member's balance for a reader.

    More than MOST_NIGHTS folded nights are on the member's page only, with `with_nights`.
    """
    member, titles = history.member, history.titles
    texts = titles.reason_titles(history.named_causes, member.slug, reader.slug if reader else "")
    rest_url = account_display.account_url(table, member.slug)
    items = tuple(
        _nights_item(line, rest_url, table, is_open=with_nights)
        if line.kind is LineKind.UNTIL
        else _line_item(line, texts, titles, table)
        for line in history.lines
    )
    sentences = _payment_sentences(member, accounts, table, is_reader=member == reader)
    total = amounts.money(accounts.balances[member.slug], table, signed=True)
    return Explanation(items, tuple(sentences), total)


def message_lines(history: MoneyHistory, table: Table) -> Iterator[str]:
    """Yield the lines of a member's balance as a message has them, for everybody and without folded lines."""
    texts = history.titles.reason_titles(history.named_causes, history.member.slug)
    for line in history.lines:
        yield f"{_line_text(line, texts)}: {amounts.money(line.amount, table, signed=True)}"


def _line_item(
    line: ExplanationLine, texts: Mapping[CauseId, str], titles: CauseTitles, table: Table
) -> ExplanationItem:
    if line.kind is LineKind.CAUSE:
        return _cause_item(line.causes[0], texts, titles, table)
    nested = tuple(_cause_item(reason, texts, titles, table) for reason in line.causes)
    return replace(_item(_line_text(line, texts), line.amount, table), nested=nested)


def _nights_item(line: ExplanationLine, page_url: str, table: Table, *, is_open: bool) -> ExplanationItem:
    """Return the line of all causes up to a night, with a line for each night or the URL of these."""
    item = _item(_line_text(line, {}), line.amount, table)
    nights = [[*reasons] for _night, reasons in groupby(line.causes, key=attrgetter("night"))]
    rest_id = f"until-{table.code}"  # the first page may show several tables
    if len(nights) > MOST_NIGHTS and not is_open:
        return replace(item, rest_id=rest_id, rest_url=f"{page_url}?more=until")
    nested = (
        _item(days.format_day(night[0].night), sum(reason.amount for reason in night), table)
        for night in nights
    )
    return replace(item, rest_id=rest_id if is_open else "", nested=tuple(nested), is_open=is_open)


def _item(text: str, amount: int, table: Table, *, href: str = "") -> ExplanationItem:
    return ExplanationItem(text, amounts.money(amount, table, signed=True), amounts.tone(amount), href)


def _line_text(line: ExplanationLine, texts: Mapping[CauseId, str]) -> str:
    fields = {"day": days.format_day(line.night), "count": len(line.causes)}
    match line.kind:
        case LineKind.UNTIL:
            return _("until %(day)s") % fields
        case LineKind.NIGHT:
            return _("night of %(day)s") % fields
        case LineKind.OTHERS:
            return _("%(count)s others that night") % fields
    return _cause_text(line.causes[0], texts)


def _cause_text(reason: BalanceCause, texts: Mapping[CauseId, str]) -> str:
    return f"{texts[reason.cause]} · {days.format_day(reason.night)}"


def _cause_item(
    reason: BalanceCause, texts: Mapping[CauseId, str], titles: CauseTitles, table: Table
) -> ExplanationItem:
    return _item(_cause_text(reason, texts), reason.amount, table, href=titles.url(reason.cause))


# --- whom to pay ------------------------------------------------------------------------------------------------------


def _payment_sentences(member: Member, accounts: Accounts, table: Table, *, is_reader: bool) -> Iterator[str]:
    """Yield sentences on unconfirmed payments, and then on payments to make and to expect.

    The payments to make and to expect leave out unconfirmed amounts.
    """
    for debt in accounts.debts:
        if not debt.claimed or member not in (debt.payer, debt.payee):
            continue
        if is_reader and debt.payee == member:
            text, other = _("You have not said yet whether %(amount)s from %(name)s arrived."), debt.payer
        else:
            text, other = _("%(name)s has not said yet whether %(amount)s arrived."), debt.payee
        yield text % {"name": naming.isolate(other.name), "amount": amounts.money(debt.claimed, table)}
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
        yield (_("You pay %(pays)s.") if is_reader else _("%(name)s pays %(pays)s.")) % parts
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
