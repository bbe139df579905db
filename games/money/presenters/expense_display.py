"""Expenses as pages and messages show them, the fields of their form, and the URLs of their pages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.common import amounts, days, naming, parsing
from games.common.naming import Person
from games.models import ExpenseState, Member, SharedCost, Table
from games.money.presenters.account_display import MovementItem
from games.money.services import expenses
from games.money.services.expenses import Expense
from games.tables.services import roster
from games.tables.services.roster import People

# The expense form has a checkbox and a number for each member: a part, or an amount, as `split` says; and the
# amount that they paid, if several did. These are the prefixes of their names, such as “for-ana”.
FOR_PREFIX, SHARE_PREFIX, PAID_PREFIX = "for-", "share-", "paid-"
SPLIT_BY_AMOUNTS = "amounts"  # with this value of `split`, the numbers are amounts


def expense_title(cost: SharedCost) -> str:
    """Return the title of an expense: its note or, without one, a word for its kind."""
    return cost.note or (_("Forgiven together") if cost.is_forgiven else _("Expense"))


def expense_action_sentence(cost: SharedCost, table: Table) -> str:
    """Return what became of an expense by the last tap: it was recorded or not, or waits for an answer."""
    if cost.state is ExpenseState.WAITS:
        text = _("Waiting for a scorekeeper's yes: %(payment)s, %(amount)s")
    elif cost.counts:
        text = _("Recorded: %(payment)s, %(amount)s")
    else:
        text = _("Not recorded: %(payment)s, %(amount)s")
    return text % {"payment": expense_title(cost), "amount": amounts.money(cost.amount, table)}


def expense_state_label(cost: SharedCost) -> tuple[str, str]:
    """Return the label of an expense's state and its CSS class; "" for one that counts."""
    match cost.state:
        case ExpenseState.WAITS:
            return pgettext("expense", "waits for a yes"), "gold"
        case ExpenseState.REFUSED:
            return _("not recorded"), "red"
        case ExpenseState.COUNTS:
            return "", ""
    return _("voided"), "soft"


def expense_url(cost: SharedCost, table: Table) -> str:
    return reverse("cost", args=[table.code, cost.pk])


def expense_message_line(cost: SharedCost, people: People, table: Table) -> str:
    """Return an expense as one line of a message: what each payer paid and everybody's part."""
    text = _("%(name)s is forgiven %(amount)s") if cost.is_forgiven else _("%(name)s paid %(amount)s")
    expense = Expense.of(cost, people)
    paid = (
        text % {"name": naming.isolate(person.name), "amount": amount}
        for person, amount in person_amounts(expense.paid, table)
    )
    return f"{expense_title(cost)}: {', '.join(paid)} · {shares_label(expense, table)}"


def payers_label(expense: Expense) -> str:
    return naming.join_names([payer.name for payer in expense.paid])


def shares_label(expense: Expense, table: Table) -> str:
    """Return everybody's part of an expense: `Ana $3, Beto $4`."""
    parts = person_amounts(expense.borne, table)
    return ", ".join(f"{naming.isolate(person.name)} {amount}" for person, amount in parts)


def person_amounts(by_member: Mapping[Member, int], table: Table) -> list[tuple[Person, str]]:
    return [(roster.to_person(member), amounts.money(amount, table)) for member, amount in by_member.items()]


def expense_form_data(expense: Expense, night: date, people: People, table: Table) -> dict[str, str]:
    """Return the fields of the form that records exactly this expense."""
    initial = {
        "night": night.isoformat(),
        "payer": expense.payer.slug,
        "amount": parsing.input_amount(expense.amount, table),
        "note": expense.note,
        **{f"{FOR_PREFIX}{member.slug}": "yes" for member in expense.borne},
    }
    if expense.is_forgiven:
        initial["forgiven"] = "yes"
    if len(expense.paid) > 1:
        initial |= {
            f"{PAID_PREFIX}{member.slug}": parsing.input_amount(part, table)
            for member, part in expense.paid.items()
        }
    if not expenses.is_split_equally(expense, people):
        initial["split"] = SPLIT_BY_AMOUNTS
        initial |= {
            f"{SHARE_PREFIX}{member.slug}": parsing.input_amount(part, table)
            for member, part in expense.borne.items()
        }
    return initial


def expense_item(cost: SharedCost, people: People, table: Table) -> MovementItem:
    expense = Expense.of(cost, people)
    details = [payers_label(expense), days.format_day(cost.night)]
    if not expense.is_equal:
        details.append(shares_label(expense, table))
    state, tone = expense_state_label(cost)
    return MovementItem(
        faces=tuple(map(roster.to_person, expense.paid)),
        title=expense_title(cost),
        detail=" · ".join(details),
        amount=amounts.money(cost.amount, table),
        href=expense_url(cost, table),
        state=state,
        tone=tone,
        is_void=not cost.counts and cost.state is not ExpenseState.WAITS,
    )
