"""Shared costs as pages and chat messages show them: the payer and everybody's part.

A shared cost is money that one member paid for several members on a night, such as for pizza.
"""

from __future__ import annotations

from datetime import date

from django.urls import reverse
from django.utils.translation import gettext as _

from games.common.amounts import money
from games.common.names import isolated
from games.common.people import Person
from games.common.typed import typed_amount
from games.models import SharedCost, Table
from games.money.costs import CostWords, parts_of_cost
from games.tables.pages.people import person_of
from games.tables.people import People

FOR = "for-"  # the beginning of a form field for each member who shares a cost, such as “for-ana”


def cost_title(cost: SharedCost) -> str:
    """Return the name of a shared cost: its note or, without one, the word for its kind."""
    return cost.note or (_("Forgiven among all") if cost.is_forgiven else _("Shared cost"))


def cost_page(cost: SharedCost, table: Table) -> str:
    """Return the URL of a shared cost."""
    return reverse("cost", args=[table.code, cost.pk])


def _paid(words: CostWords, table: Table) -> str:
    """Return who paid how much or, of a forgiven debt, who is forgiven how much."""
    text = _("%(name)s is forgiven %(amount)s") if words.is_forgiven else _("%(name)s put in %(amount)s")
    return text % {
        "name": isolated(words.payer.name),
        "amount": money(words.amount, table),
    }


def _parts_in_words(cost: SharedCost, people: People, table: Table) -> str:
    parts = parts_of_cost(cost, people).items()
    return ", ".join(f"{isolated(member.name)} {money(part, table)}" for member, part in parts)


def cost_for_group(cost: SharedCost, people: People, table: Table) -> str:
    """Return a shared cost as one line of a message."""
    paid = _paid(CostWords.of(cost, people), table)
    return f"{cost_title(cost)}: {paid} · {_parts_in_words(cost, people, table)}"


def parts_shown(cost: SharedCost, people: People, table: Table) -> list[tuple[Person, str]]:
    """Return everybody's part of a shared cost, as it is now or was before it was taken back."""
    parts = parts_of_cost(cost, people).items()
    return [(person_of(member), money(part, table)) for member, part in parts]


def cost_typed(words: CostWords, night: date, table: Table) -> dict[str, str]:
    """Return the texts with which the HTML form of a shared cost is filled in, by field name.

    `words` is the content of the cost: payer, amount, note and the members who share it.
    """
    return {
        "night": night.isoformat(),
        "payer": words.payer.slug,
        "amount": typed_amount(words.amount, table),
        "note": words.note,
        **({"forgiven": "yes"} if words.is_forgiven else {}),
        **{f"{FOR}{member.slug}": "yes" for member in words.sharers},
    }
