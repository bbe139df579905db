"""Expenses that wait, as questions to owners and scorers, and the refused ones, as news for their proposers."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.common import amounts, days
from games.common.naming import Person
from games.models import ExpenseState, Member, SharedCost, Table
from games.money.presenters import expense_display
from games.money.services import proposals
from games.money.services.expenses import Expense
from games.tables.services import roster
from games.tables.services.roster import People


@dataclass(frozen=True)
class ExpenseQuestion:
    """A proposed expense in a list, with links to its page and to the form that accepts it with changes (`change`).

    Without `change` it is news for the proposer: the expense was refused.
    """

    payer: Person
    text: str
    detail: str
    href: str
    change: str = ""


def questions(
    table: Table, people: People, member: Member | None, *, is_scorer: bool
) -> list[ExpenseQuestion]:
    """Return the expenses that this reader answers, and those of theirs that were refused."""
    costs = proposals.list_open(table, people, member, is_scorer=is_scorer)
    return [_question(cost, people, table) for cost in costs]


def _question(cost: SharedCost, people: People, table: Table) -> ExpenseQuestion:
    text, change = _("Not recorded: %(expense)s, %(amount)s"), ""
    if cost.state is ExpenseState.WAITS:
        text = _("Record %(expense)s, %(amount)s, paid by %(names)s?")
        change = reverse("correct-cost", args=[table.code, cost.pk])
    expense = Expense.of(cost, people)
    about = {
        "expense": expense_display.expense_title(cost),
        "amount": amounts.money(cost.amount, table),
        "names": expense_display.payers_label(expense),
    }
    detail = f"{days.format_day(cost.night)} · {expense_display.shares_label(expense, table)}"
    return ExpenseQuestion(
        payer=roster.to_person(expense.payer),
        text=text % about,
        detail=f"“{cost.objection}”" if cost.objection else detail,
        href=expense_display.expense_url(cost, table),
        change=change,
    )
