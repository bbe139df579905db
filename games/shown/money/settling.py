"""The settling of a night (saldar la noche), ready for its page: who pays whom among those who played.

A *tick* is a tap that records one of these payments as made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Member, Payment, PaymentState, Table
from games.money.balances import Line, People
from games.money.payments import is_free
from games.money.settling import NightSettlement
from games.names import isolated
from games.shown.common.amounts import money, tone_of
from games.shown.common.days import day_in_words
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.played import game_name, game_page, games_in_words
from games.shown.common.typed import typed_amount
from games.shown.money.accounts import account_page, claimed_in_words, payment_in_words
from games.shown.money.causes import CauseShown
from games.shown.money.costs import cost_page, cost_title


@dataclass(frozen=True)
class NightNet:
    """The net amount of a person for the night, with the games that it comes from."""

    person: Person
    amount: str
    tone: str
    causes: tuple[CauseShown, ...]


@dataclass(frozen=True)
class SettlingRow:
    """One payment of the settling. `pk` is the id of a payment that was made, 0 for one still to be made.

    `typed` is the amount as the form of the tick sends it, "" if the line cannot be ticked off.
    """

    payer: Person
    payee: Person
    amount: str
    typed: str = ""
    detail: str = ""
    causes: tuple[CauseShown, ...] = ()
    pk: int = 0
    may_be_taken_back: bool = False

    @property
    def mark(self) -> str:
        """The HTML id of the control that ticks off this payment or takes the tick back."""
        return f"{self.payer.id}-{self.payee.id}-{self.pk}" if self.pk else f"{self.payer.id}-{self.payee.id}"


@dataclass(frozen=True)
class SettlingShown:
    """The settling of a night: everybody's net amount, the payments, and how many of them are made.

    If `is_with_before`, the payments include older debts among those who played; `absent` are older debts
    between one of them and somebody who did not play.
    """

    day: str
    games: str
    is_with_before: bool
    is_playing: bool
    nets: tuple[NightNet, ...]
    rows: tuple[SettlingRow, ...]
    absent: tuple[SettlingRow, ...]
    progress: str


def settling_shown(settlement: NightSettlement, people: People, table: Table, by: User) -> SettlingShown:
    """Return the settling of a night, ready for its page that this user reads.

    A line keeps its place when it is ticked off.
    """
    seats = {member.slug: seat for seat, member in enumerate(people.own)}
    rows = (
        *(_due_row(line, settlement, table) for line in settlement.lines),
        *(_paid_row(payment, people, table, by) for payment in settlement.ticked),
    )
    highest_first = sorted(settlement.nets.items(), key=lambda item: -item[1])
    return SettlingShown(
        day=day_in_words(settlement.night),
        games=games_in_words(len(settlement.played)),
        is_with_before=settlement.is_with_before,
        is_playing=settlement.is_playing,
        nets=tuple(_net(people.by_slug[slug], net, settlement, table) for slug, net in highest_first),
        rows=tuple(sorted(rows, key=lambda row: (seats[row.payer.id], seats[row.payee.id], row.pk))),
        absent=tuple(_due_row(line, settlement, table) for line in settlement.absent),
        progress=_progress(len(settlement.ticked), len(rows)),
    )


def settling_in_short(settlement: NightSettlement) -> str:
    """Return the text of the link to the settling: the numbers of games and of payments still to be made."""
    left = len(settlement.lines)
    payments = ngettext("%(count)s payment", "%(count)s payments", left) % {"count": left}
    return f"{games_in_words(len(settlement.played))} · {payments if left else _('nothing left to pay')}"


def done_in_words(payment: Payment, people: People, table: Table) -> str:
    """Return a sentence on a payment that a tick just recorded, or that was just taken back."""
    about = {"payment": payment_in_words(payment, people), "amount": money(payment.amount, table)}
    templates = {
        PaymentState.ENDED: _("Taken back: %(payment)s, %(amount)s"),
        PaymentState.CLAIMED: _("Reported: %(payment)s, %(amount)s. It counts when confirmed."),
    }
    return templates.get(payment.state, _("Recorded: %(payment)s, %(amount)s")) % about


def _net(member: Member, net: int, settlement: NightSettlement, table: Table) -> NightNet:
    return NightNet(
        person_of(member),
        money(net, table, signed=True),
        tone_of(net),
        tuple(_causes(member, settlement, table)),
    )


def _causes(member: Member, settlement: NightSettlement, table: Table) -> Iterator[CauseShown]:
    for game, nets in settlement.played:
        if member.slug in nets:
            yield CauseShown(game_name(game), money(nets[member.slug], table, signed=True), game_page(game))
    for cost, nets in settlement.costs:
        if member.slug in nets:
            share = money(nets[member.slug], table, signed=True)
            yield CauseShown(cost_title(cost), share, cost_page(cost, table))
    yield CauseShown(_("In the accounts"), href=account_page(table, member.slug))


def _due_row(line: Line, settlement: NightSettlement, table: Table) -> SettlingRow:
    return SettlingRow(
        person_of(line.payer),
        person_of(line.payee),
        money(line.amount, table),
        typed_amount(line.unsaid, table) if line.unsaid else "",
        claimed_in_words(line, table),
        tuple(_line_causes(line, settlement, table)),
    )


def _line_causes(line: Line, settlement: NightSettlement, table: Table) -> Iterator[CauseShown]:
    """Yield the payer's net amount of that night, the payee's, and where to send the money, if known.

    If the line includes older debts, both amounts link to the person's account, which explains these debts.
    """
    for member in (line.payer, line.payee):
        net = settlement.nets.get(member.slug, 0)
        yield CauseShown(
            _("%(name)s, that night") % {"name": isolated(member.name)},
            money(net, table, signed=True),
            account_page(table, member.slug) if settlement.is_with_before else "",
        )
    if line.payee.account:
        yield CauseShown(_("To %(name)s") % {"name": isolated(line.payee.name)}, line.payee.account)


def _paid_row(payment: Payment, people: People, table: Table, by: User) -> SettlingRow:
    return SettlingRow(
        person_of(people.by_pk[payment.payer_id]),
        person_of(people.by_pk[payment.payee_id]),
        money(payment.amount, table),
        causes=(CauseShown(_("The payment"), href=reverse("payment", args=[table.code, payment.pk])),),
        pk=payment.pk,
        may_be_taken_back=is_free(payment, by),
    )


def _progress(ticked: int, count: int) -> str:
    """Return a text on the number of payments made (`ticked`) of all (`count`); "" if there are none."""
    if not count:
        return ""
    if ticked == count:
        return _("All paid.")
    return _("%(ticked)s of %(count)s paid. The rest stays in the accounts.") % {
        "ticked": ticked,
        "count": count,
    }
