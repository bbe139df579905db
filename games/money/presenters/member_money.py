"""A user's own money at a table: what they owe and are owed, the reasons, and news about payments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.common import amounts, naming
from games.common.naming import Person
from games.models import Member, Payment, Table
from games.money.presenters import account_display, debt_list, explanations, payment_news
from games.money.presenters.explanations import Explanation
from games.money.presenters.money_history import MoneyHistory
from games.money.presenters.payee_sentences import PayeeSentence, Sentences
from games.money.presenters.payment_news import PaymentNotice
from games.money.services import accounting
from games.money.services.accounting import Accounts, OwedDebt
from games.tables.services import roster
from games.tables.services.roster import People


@dataclass(frozen=True)
class MemberMoneyItem:
    """A line of a user's own money: the other person, text, amount, color class, and link.

    A debt of the user has the payee's `account`, if it is known. With `debt` the user can settle it with one
    tap; `why` says why this person is the payee. A question (`is_question`) is a payment that awaits the
    user's answer.
    """

    person: Person
    text: str
    amount: str
    tone: str
    href: str
    detail: str = ""
    account: str = ""
    debt: OwedDebt | None = None
    is_question: bool = False
    why: PayeeSentence | None = None


@dataclass(frozen=True)
class MemberMoney:
    """A user's own money at a table: its lines, the explanation of the balance, and news about payments."""

    rows: tuple[MemberMoneyItem, ...] = ()
    explanation: Explanation | None = None
    news: Sequence[PaymentNotice] = ()

    @property
    def questions(self) -> int:
        """The number of payments that await the user's answer."""
        return sum(row.is_question for row in self.rows)


def load(user: User, table: Table, people: People) -> MemberMoney:
    """Return the user's own money, empty unless they are a confirmed member."""
    me = people.find_for_user(user)
    if me is None:
        return MemberMoney()
    accounts = accounting.load_accounts(table, people)
    history = MoneyHistory.load(me, accounts, table)
    explanation = explanations.explain(history, accounts, table, reader=me)
    return MemberMoney(
        tuple(_member_money_items(me, accounts, table, history.payee_sentences(me))),
        explanation,
        payment_news.payment_notices(me, people, table),
    )


def _member_money_items(
    me: Member, accounts: Accounts, table: Table, why: Sentences
) -> Iterator[MemberMoneyItem]:
    """Yield payments to confirm, debts of the member and to them, and their own unconfirmed payments."""
    by_pk, debts = accounts.people.by_pk, sorted(accounts.debts, key=lambda debt: -debt.unclaimed)
    for claim in accounts.claims:
        if by_pk[claim.payee_id] == me:
            yield _question_item(claim, by_pk[claim.payer_id], table)
    for debt in debts:
        if debt.payer == me and debt.unclaimed:
            yield MemberMoneyItem(
                roster.to_person(debt.payee),
                _("You owe %(names)s") % {"names": naming.isolate(debt.payee.name)},
                amounts.money(debt.unclaimed, table),
                "red",
                account_display.pay_url(table, debt.payer, debt.payee, debt.unclaimed),
                account=debt.payee.account,
                debt=None if debt.claimed else debt,
                why=why.get(debt.ends),
            )
    for debt in debts:
        if debt.payee == me and debt.unclaimed:
            yield MemberMoneyItem(
                roster.to_person(debt.payer),
                _("%(name)s owes you") % {"name": naming.isolate(debt.payer.name)},
                amounts.money(debt.unclaimed, table),
                "green",
                account_display.account_url(table, debt.payer.slug),
                debt_list.claimed_label(debt, table),
                why=why.get(debt.ends),
            )
    for claim in accounts.claims:
        if by_pk[claim.payer_id] == me:
            yield _unconfirmed_item(claim, by_pk[claim.payee_id], table)


def _question_item(claim: Payment, payer: Member, table: Table) -> MemberMoneyItem:
    return MemberMoneyItem(
        roster.to_person(payer),
        _("Did %(name)s pay you?") % {"name": naming.isolate(payer.name)},
        amounts.money(claim.amount, table),
        "gold",
        account_display.payment_url(claim, table),
        is_question=True,
    )


def _unconfirmed_item(claim: Payment, payee: Member, table: Table) -> MemberMoneyItem:
    name = {"name": naming.isolate(payee.name)}
    return MemberMoneyItem(
        roster.to_person(payee),
        _("You paid %(name)s") % name,
        amounts.money(claim.amount, table),
        "soft",
        account_display.payment_url(claim, table),
        _("%(name)s still has to confirm it") % name,
    )
