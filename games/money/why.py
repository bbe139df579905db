"""The reasons of a balance in words: the causes that add up to it, and then whom to pay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.common import amounts, days, game_labels, naming
from games.models import Game, Member, Table
from games.money.balances import Accounts
from games.money.reasons import CauseId, Effect, Reason, ReasonLine, folded, reasons_of
from games.money.words import cost_page, cost_title, payment_page, payment_title


@dataclass(frozen=True)
class ReasonShown:
    """A line of reasons: a text, the amount and its colour, a link to its cause, or the lines folded into it."""

    text: str
    amount: str
    tone: str
    href: str = ""
    nested: tuple[ReasonShown, ...] = ()


@dataclass(frozen=True)
class Why:
    """The reasons of a balance: the lines that add up to it, and sentences on whom to pay.

    With `is_both` the person gets money and pays some too: fewer payments may do (simplificar).
    """

    lines: tuple[ReasonShown, ...]
    sentences: tuple[str, ...]
    is_both: bool = False

    def __bool__(self) -> bool:
        return bool(self.lines or self.sentences)


def why_of(
    member: Member, effects: Sequence[Effect], accounts: Accounts, table: Table, *, is_reader: bool
) -> Why:
    """Return why this person's balance is what it is; `effects` are those of all their entries."""
    lines = folded(reasons_of(effects))
    titles = titles_of([reason for line in lines if not line.is_until for reason in line.causes], table)
    items = tuple(_line(line, titles, table) for line in lines)
    debts = accounts.debts
    is_both = member in {debt.payer for debt in debts} & {debt.payee for debt in debts}
    return Why(items, tuple(_whom_to_pay(member, accounts, table, is_reader=is_reader)), is_both)


def _line(line: ReasonLine, titles: Mapping[CauseId, tuple[str, str]], table: Table) -> ReasonShown:
    amount, tone = amounts.money(line.amount, table, signed=True), amounts.tone(line.amount)
    day = {"day": days.format_day(line.night)}
    if line.is_until:
        return ReasonShown(_("until %(day)s") % day, amount, tone, nested=tuple(_nights(line, table)))
    lines = tuple(_reason(reason, titles, table) for reason in line.causes)
    return (
        lines[0] if len(lines) == 1 else ReasonShown(_("night of %(day)s") % day, amount, tone, nested=lines)
    )


def _nights(line: ReasonLine, table: Table) -> Iterator[ReasonShown]:
    """Yield a line for each night that is folded into this one."""
    for night in dict.fromkeys(reason.night for reason in line.causes):
        amount = sum(reason.amount for reason in line.causes if reason.night == night)
        yield ReasonShown(
            days.format_day(night), amounts.money(amount, table, signed=True), amounts.tone(amount)
        )


def _reason(reason: Reason, titles: Mapping[CauseId, tuple[str, str]], table: Table) -> ReasonShown:
    title, href = titles[reason.cause]
    if reason.is_rest:
        title = _("%(game)s, corrected") % {"game": title}
    text = f"{title} · {days.format_day(reason.night)}"
    return ReasonShown(
        text, amounts.money(reason.amount, table, signed=True), amounts.tone(reason.amount), href
    )


def titles_of(reasons: Iterable[Reason], table: Table) -> dict[CauseId, tuple[str, str]]:
    """Return for each cause its title and the address of its page, "" for starting balances."""
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
        titles["payment", pk] = payment_title(payment), payment_page(payment, table)
    for pk, cost in table.costs.in_bulk(ids["cost"]).items():
        titles["cost", pk] = cost_title(cost), cost_page(cost, table)
    return titles


def _game_title(game: Game) -> str:
    if game.spot_nets is None:
        return game_labels.game_label(game)
    return _("%(game)s, apart from what was paid on the table") % {"game": game_labels.game_label(game)}


# --- whom to pay ------------------------------------------------------------------------------------------------------


def _whom_to_pay(member: Member, accounts: Accounts, table: Table, *, is_reader: bool) -> Iterator[str]:
    """Yield who has not answered yet, and then from whom the person gets money and whom they pay.

    What waits for an answer is no longer to be paid.
    """
    for debt in accounts.debts:
        if debt.payer == member and debt.claimed:
            waiting = {"name": naming.isolate(debt.payee.name), "amount": amounts.money(debt.claimed, table)}
            yield _("%(name)s has not answered yet about %(amount)s.") % waiting
    pays = _listed(((debt.payee, debt.unclaimed) for debt in accounts.debts if debt.payer == member), table)
    gets = _listed(((debt.payer, debt.unclaimed) for debt in accounts.debts if debt.payee == member), table)
    parts = {"name": naming.isolate(member.name), "pays": pays, "gets": gets}
    if pays and gets:
        text = _("You get it from %(gets)s and pay %(pays)s.")
        yield (text if is_reader else _("%(name)s gets it from %(gets)s and pays %(pays)s.")) % parts
    elif pays:
        yield (_("You pay it to %(pays)s.") if is_reader else _("%(name)s pays it to %(pays)s.")) % parts
    elif gets:
        yield (_("You get it from %(gets)s.") if is_reader else _("%(name)s gets it from %(gets)s.")) % parts


def _listed(debts: Iterable[tuple[Member, int]], table: Table) -> str:
    """Return the people with the amount of each, the largest first; "" for nobody."""
    ordered = sorted(debts, key=lambda debt: -debt[1])
    return naming.join_names(
        [
            f"{naming.isolate(member.name)} ({amounts.money(amount, table)})"
            for member, amount in ordered
            if amount
        ]
    )
