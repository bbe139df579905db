"""The plan of payments (who pays whom to bring all balances to zero) as pages show it, and its changes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import UNPAID, Game, Method, Payment, Plan, PlanReason, SharedCost, Table
from games.money.balances import Accounts, Line, People
from games.money.plans import changes_of
from games.names import isolated
from games.scoring.replay import replay
from games.scoring.zero_sums import FIRST_OF_ALL_UP_TO
from games.shown.common.amounts import money
from games.shown.common.days import moment_in_words
from games.shown.common.marks import class_names
from games.shown.common.members import person_of
from games.shown.common.people import Person, people_among
from games.shown.common.played import game_in_words, game_page
from games.shown.common.sentences import translate
from games.shown.common.words import event_in_words
from games.shown.money.accounts import (
    account_page,
    claimed_in_words,
    composition,
    owes_in_words,
    pay_page,
    payment_in_words,
    payment_kind,
)
from games.shown.money.causes import CauseShown
from games.shown.money.costs import cost_in_words, cost_page


@dataclass(frozen=True)
class PlanLine:
    """One line of the plan: the amount left, the whole amount, the causes, and a link to pay it.

    `account` tells where to send the money. `claimed` is a text on the amount that the payer claims to have
    paid. `pay` is the link, "" if the user has no payment of this line to record. `settled` says how a
    line with nothing left was settled. `awaits_answer` is True if all of the line is claimed and the page
    asks the user about the claim: the line then links to the question.
    """

    payer: Person
    payee: Person
    left: str
    whole: str
    account: str
    causes: tuple[CauseShown, ...]
    pay: str
    settled: str
    claimed: str = ""
    awaits_answer: bool = False

    @property
    def is_paid(self) -> bool:
        """True if nothing of this line is left to pay."""
        return bool(self.settled)

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
    """The change from a plan to the next one: day and reason, the changed lines, and a link to the cause."""

    day: str
    why: str
    lines: tuple[ChangedLine, ...]
    href: str


def plan_lines(
    accounts: Accounts, table: Table, *, payers: Collection[str], unanswered: Collection[Payment] = ()
) -> tuple[PlanLine, ...]:
    """Return the lines of the plan, paid ones last.

    `payers` are the slugs of the members whose payments the user may record. `unanswered` are payments about
    which the page asks the user: a line that a claimed one of them covers refers to that question.
    """
    lines = sorted(accounts.lines, key=lambda line: not line.left)
    pairs = {accounts.people.slugs_of(payment) for payment in unanswered if payment.is_claimed}
    return tuple(_plan_line(line, accounts, table, payers, pairs) for line in lines)


def _plan_line(
    line: Line,
    accounts: Accounts,
    table: Table,
    payers: Collection[str],
    unanswered: Collection[tuple[str, str]],
) -> PlanLine:
    may_pay = line.unsaid and line.payer.slug in payers
    awaits_answer = bool(line.left) and not line.unsaid and (line.payer.slug, line.payee.slug) in unanswered
    return PlanLine(
        payer=person_of(line.payer),
        payee=person_of(line.payee),
        left=money(line.left or line.amount, table),
        whole=money(line.amount, table) if 0 < line.left < line.amount else "",
        account=line.payee.account,
        causes=causes_of(line, accounts, table),
        pay=pay_page(table, line.payer, line.payee, line.unsaid) if may_pay else "",
        settled="" if line.left else _settled_in_words(line),
        claimed="" if awaits_answer else claimed_in_words(line, table),
        awaits_answer=awaits_answer,
    )


def _settled_in_words(line: Line) -> str:
    if Method.OPENING in line.methods:
        return _("balance brought forward")
    return _("written off") if line.methods == {Method.WRITE_OFF} else _("settled")


def causes_of(line: Line, accounts: Accounts, table: Table) -> tuple[CauseShown, ...]:
    """Return the causes of a line of the plan.

    They are the parts of the payer's balance, then the balances of payer and payee, each with a link to the
    account.
    """
    payer, payee = accounts.accounts[line.payer.slug], accounts.accounts[line.payee.slug]
    return (
        *composition(payer, table),
        *(
            CauseShown(
                owes_in_words(isolated(account.member.name), account.balance),
                money(abs(account.balance), table),
                account_page(table, account.member.slug),
            )
            for account in (payer, payee)
        ),
    )


def fewest_in_words(accounts: Accounts) -> str:
    """Return a sentence on whether fewer payments than those of the plan could settle all accounts.

    Return "" if no payments are left.
    """
    if not accounts.to_pay:
        return ""
    settlement = accounts.settlement
    with_balance = sum(1 for account in accounts.accounts.values() if account.balance)
    is_least = with_balance <= FIRST_OF_ALL_UP_TO  # for more members, `least` is only a lower bound
    if accounts.plan and is_least and len(settlement.transfers) == settlement.least + 1:
        return _("One payment more than necessary, so that the other lines don't change.")
    return translate(settlement.text)


# --- why the plan changed ---------------------------------------------------------------------------------------------


def plan_change(plan: Plan, people: People, table: Table) -> PlanChange | None:
    """Return the change from the plan before this one to this plan; None if their lines are the same."""
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
    """Return a sentence on the event because of which this plan replaced the plan before it."""
    because = PlanReason(plan.because)
    if plan.payment is not None:
        return _payment_why(because, plan.payment, people, table)
    if plan.cost is not None:
        return _cost_why(because, plan.cost, people, table)
    if plan.game is None:
        return {
            PlanReason.MERGED: _("Two members were merged"),
            PlanReason.PARTED: _("Two merged members were separated again"),
            PlanReason.IMPORTED: _("Games or payments were imported"),
            PlanReason.DISCARDED: _("Imported games were removed"),
        }.get(because, _("The accounts were repaired"))
    game = game_in_words(plan.game)
    if plan.number is not None and because is not PlanReason.ENDED:
        return f"{game}: {_recorded(plan.game, plan.number, people, table)}"
    return {
        PlanReason.ENDED: _("The game ended: %(game)s"),
        PlanReason.DISCARDED: _("The game was discarded: %(game)s"),
        PlanReason.RESTORED: _("The game was restored: %(game)s"),
    }.get(because, _("The game was changed: %(game)s")) % {"game": game}


def _recorded(game: Game, number: int, people: People, table: Table) -> str:
    """Return event `number` of a game as a short sentence."""
    log = game.log()
    return event_in_words(
        log[number - 1], log=log, state=replay(log), people=people_among(people), table=table
    )


def _payment_why(because: PlanReason, payment: Payment, people: People, table: Table) -> str:
    details = {"payment": f"{payment_in_words(payment, people)}, {money(payment.amount, table)}"}
    if payment.method in UNPAID:
        return _unpaid_why(because, payment, details["payment"])
    return {
        PlanReason.CANCELLED: _("A payment was cancelled: %(payment)s"),
        PlanReason.DISPUTED: _("A payment was disputed: %(payment)s"),
        PlanReason.CONFIRMED: _("A disputed payment was confirmed: %(payment)s"),
        PlanReason.ACCEPTED: _("An unconfirmed payment was confirmed: %(payment)s"),
        PlanReason.UPHELD: _("A disputed payment was kept: %(payment)s"),
        PlanReason.AMENDED: _("A payment was amended: %(payment)s"),
    }.get(because, _("A payment that was not listed: %(payment)s")) % details


def _cost_why(because: PlanReason, cost: SharedCost, people: People, table: Table) -> str:
    return {
        PlanReason.RESHARED: _("A shared cost was amended: %(cost)s"),
        PlanReason.UNSHARED: _("A shared cost was cancelled: %(cost)s"),
    }.get(because, _("A shared cost: %(cost)s")) % {"cost": cost_in_words(cost, people, table)}


def _unpaid_why(because: PlanReason, payment: Payment, words: str) -> str:
    """Return in words why the plan changed, if a write-off or a balance brought forward changed it.

    Both are stored as payments. `because` says what happened to this one, and `words` describes it as
    `payer → payee, amount`.
    """
    if payment.method == Method.OPENING and because is PlanReason.PAID:
        return _("Balances were brought forward")
    turn = {
        PlanReason.CANCELLED: _("cancelled"),
        PlanReason.DISPUTED: _("disputed"),
        PlanReason.CONFIRMED: _("confirmed"),
        PlanReason.UPHELD: _("stands despite the dispute"),
        PlanReason.AMENDED: _("amended"),
    }.get(because, "")
    return " · ".join(filter(None, (f"{payment_kind(payment)}: {words}", turn)))


def _where(plan: Plan, table: Table) -> str:
    if plan.payment_id is not None:
        return reverse("payment", args=[table.code, plan.payment_id])
    if plan.cost is not None:
        return cost_page(plan.cost, table)
    if plan.game is None:
        return ""
    return game_page(plan.game)
