"""The plan of payments (who pays whom to bring all balances to zero) as pages show it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.models import Method, Payment, Role, Table
from games.money.balances import Accounts, Line
from games.money.booking import is_claim
from games.money.payments import may_record
from games.names import isolated
from games.scoring.zero_sums import FIRST_OF_ALL_UP_TO
from games.shown.common.amounts import money
from games.shown.common.marks import class_names
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.sentences import translate
from games.shown.money.accounts import (
    account_page,
    claimed_in_words,
    composition,
    owes_in_words,
    pay_page,
)
from games.shown.money.causes import CauseShown


@dataclass(frozen=True)
class PlanLine:
    """One line of the plan: the amount left, the whole amount, the causes, and a link to pay it.

    `account` tells where to send the money. `claimed` is a text on the amount that the payer claims to have
    paid. `pay` is the link, "" if the user has no payment of this line to record, and `is_claim` says that
    their payment will be a claim. `settled` says how a
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
    is_claim: bool = False

    @property
    def is_paid(self) -> bool:
        """True if nothing of this line is left to pay."""
        return bool(self.settled)

    @property
    def marks(self) -> str:
        """The line's CSS classes."""
        return class_names("fold", done=self.is_paid)


def plan_lines(
    accounts: Accounts, table: Table, *, user: User, role: Role, unanswered: Collection[Payment] = ()
) -> tuple[PlanLine, ...]:
    """Return the lines of the plan, paid ones last.

    `user`, in this role, reads the page. `unanswered` are payments about which the page asks them: a line that
    a claimed one of them covers refers to that question.
    """
    lines = sorted(accounts.lines, key=lambda line: not line.left)
    pairs = {accounts.people.slugs_of(payment) for payment in unanswered if payment.is_claim}
    return tuple(_plan_line(line, accounts, table, user, role, pairs) for line in lines)


def _plan_line(
    line: Line,
    accounts: Accounts,
    table: Table,
    user: User,
    role: Role,
    unanswered: Collection[tuple[str, str]],
) -> PlanLine:
    may_pay = line.unsaid and may_record(line.payer, line.payee, by=user, role=role)
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
        is_claim=is_claim(line.payer, line.payee, user),
    )


def _settled_in_words(line: Line) -> str:
    if Method.OPENING in line.methods:
        return _("balance brought forward")
    return _("forgiven") if line.methods == {Method.FORGIVEN} else _("settled")


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
