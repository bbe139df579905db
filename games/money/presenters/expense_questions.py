"""Expenses that wait, as questions to owners and scorers, and the refused ones, as news for their proposers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.common import amounts, naming
from games.common.naming import Person
from games.models import ExpenseState, Member, SharedCost, Table
from games.money.presenters import expense_display
from games.money.presenters.account_display import MovementItem
from games.money.services import proposals
from games.money.services.expenses import Expense
from games.tables.services import roster
from games.tables.services.roster import People


@dataclass(frozen=True)
class ExpenseQuestion:
    """A proposed expense in a list. `change` is the URL of the form that accepts it with changes, for a keeper.

    Without `change` it is news for the proposer: the expense was refused.
    """

    payer: Person
    text: str
    detail: str
    row: MovementItem
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
    expense, row = Expense.of(cost, people), expense_display.expense_item(cost, people, table)
    names = naming.join_names([naming.isolate(payer.name) for payer in expense.paid])
    about = {
        "expense": expense_display.expense_title(cost),
        "amount": amounts.money(cost.amount, table),
        "names": names,
    }
    detail = f"“{cost.objection}”" if cost.objection else " · ".join(_details(expense, row, table))
    return ExpenseQuestion(roster.to_person(expense.payer), text % about, detail, row, change)


def _details(expense: Expense, row: MovementItem, table: Table) -> Iterator[str]:
    parts = expense_display.person_amounts(expense.borne, table)
    yield row.detail.split(" · ")[1]
    yield ", ".join(f"{naming.isolate(person.name)} {amount}" for person, amount in parts)
