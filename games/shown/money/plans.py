"""The plan of payments as pages show it, and the reasons why it changed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Game, Payment, Plan, PlanReason, Table
from games.money.balances import Accounts, Line, People
from games.money.plans import changes_of
from games.scoring.replay import replay
from games.shown.common.amounts import money
from games.shown.common.days import moment_in_words
from games.shown.common.marks import class_names
from games.shown.common.members import person_of, persons_of
from games.shown.common.people import Person
from games.shown.common.played import game_in_words, game_page
from games.shown.common.sentences import translate
from games.shown.common.words import event_in_words
from games.shown.money.accounts import (
    Cause,
    account_page,
    claimed_in_words,
    composition,
    owes_in_words,
    pay_page,
    payment_in_words,
)


@dataclass(frozen=True)
class PlanLine:
    """One line of the plan: the amount left, the whole amount, the causes, and a link to pay it.

    `account` tells where to send the money. `claimed` is the amount that the payer claims to have paid. `pay`
    is "" if the user has no payment of this line to record.
    """

    payer: Person
    payee: Person
    left: str
    whole: str
    account: str
    causes: tuple[Cause, ...]
    pay: str
    is_paid: bool
    claimed: str = ""

    @property
    def marks(self) -> str:
        """The line's CSS classes."""
        return class_names("fold", done=self.is_paid)


@dataclass(frozen=True)
class ChangedLine:
    """A line of the plan before and after a change."""

    payer: str
    payee: str
    before: str
    after: str


@dataclass(frozen=True)
class PlanChange:
    """One change of the plan: the reason, the changed lines, and a link to the cause."""

    day: str
    why: str
    lines: tuple[ChangedLine, ...]
    href: str


def plan_lines(accounts: Accounts, table: Table, *, payers: Collection[str]) -> tuple[PlanLine, ...]:
    """Return the lines of the plan, paid ones last.

    The user may record payments by the members in `payers`.
    """
    lines = sorted(accounts.lines, key=lambda line: not line.left)
    return tuple(_plan_line(line, accounts, table, payers) for line in lines)


def _plan_line(line: Line, accounts: Accounts, table: Table, payers: Collection[str]) -> PlanLine:
    may_pay = line.unsaid and line.payer.slug in payers
    return PlanLine(
        payer=person_of(line.payer),
        payee=person_of(line.payee),
        left=money(line.left or line.amount, table),
        whole=money(line.amount, table) if 0 < line.left < line.amount else "",
        account=line.payee.account,
        causes=causes_of(line, accounts, table),
        pay=pay_page(table, line.payer, line.payee, line.unsaid) if may_pay else "",
        is_paid=not line.left,
        claimed=claimed_in_words(line, table),
    )


def causes_of(line: Line, accounts: Accounts, table: Table) -> tuple[Cause, ...]:
    """Return the causes of a line: the parts of the payer's balance, and both balances."""
    payer, payee = accounts.accounts[line.payer.slug], accounts.accounts[line.payee.slug]
    return (
        *composition(payer, table),
        *(
            Cause(
                owes_in_words(account.member.name, account.balance),
                money(abs(account.balance), table),
                account_page(table, account.member.slug),
            )
            for account in (payer, payee)
        ),
    )


def fewest_in_words(accounts: Accounts) -> str:
    """Return a sentence on whether fewer payments are possible; "" if no payments are left."""
    return translate(accounts.settlement.text) if accounts.to_pay else ""


# --- why the plan changed ---------------------------------------------------------------------------------------------


def plan_change(plan: Plan, people: People, table: Table) -> PlanChange | None:
    """Return the changed lines of a plan and the reason; None if the plan only stored the same lines."""
    changes = changes_of(plan, people)
    if not changes:
        return None
    return PlanChange(
        day=moment_in_words(plan.made_at, table),
        why=why_in_words(plan, people, table),
        lines=tuple(
            ChangedLine(
                people.by_slug[change.payer].name,
                people.by_slug[change.payee].name,
                money(change.before, table),
                money(change.after, table),
            )
            for change in changes
        ),
        href=_where(plan, table),
    )


def why_in_words(plan: Plan, people: People, table: Table) -> str:
    """Return a sentence on the reason why the plan changed."""
    because = PlanReason(plan.because)
    if plan.payment is not None:
        return _payment_why(because, plan.payment, people, table)
    if plan.game is None:
        return {
            PlanReason.MERGED: _("Two members turned out to be one"),
            PlanReason.PARTED: _("Two who had been made one are two again"),
            PlanReason.IMPORTED: _("Games or payments were brought in from elsewhere"),
            PlanReason.DISCARDED: _("Games that had been brought in were taken away"),
        }.get(because, _("The books were put right"))
    game = game_in_words(plan.game)
    if plan.number is not None and because is not PlanReason.ENDED:
        return f"{game}: {_recorded(plan.game, plan.number, people, table)}"
    return {
        PlanReason.ENDED: _("The game ended: %(game)s"),
        PlanReason.DISCARDED: _("The game was taken away: %(game)s"),
        PlanReason.RESTORED: _("The game was brought back: %(game)s"),
    }.get(because, _("The game was changed: %(game)s")) % {"game": game}


def _recorded(game: Game, number: int, people: People, table: Table) -> str:
    """Return the event of a game with this number in words."""
    log = game.log()
    return event_in_words(log[number - 1], log=log, state=replay(log), people=persons_of(people), table=table)


def _payment_why(because: PlanReason, payment: Payment, people: People, table: Table) -> str:
    details = {"payment": f"{payment_in_words(payment, people)}, {money(payment.amount, table)}"}
    return {
        PlanReason.CANCELLED: _("A payment was cancelled: %(payment)s"),
        PlanReason.DISPUTED: _("A payment was disputed: %(payment)s"),
        PlanReason.CONFIRMED: _("A disputed payment was confirmed: %(payment)s"),
        PlanReason.ACCEPTED: _("A payment that waited for it was confirmed: %(payment)s"),
        PlanReason.UPHELD: _("A disputed payment stands all the same: %(payment)s"),
        PlanReason.AMENDED: _("A payment was amended: %(payment)s"),
    }.get(because, _("A payment outside the plan: %(payment)s")) % details


def _where(plan: Plan, table: Table) -> str:
    if plan.payment_id is not None:
        return reverse("payment", args=[table.code, plan.payment_id])
    if plan.game is None:
        return ""
    return game_page(plan.game)
