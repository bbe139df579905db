"""The expense form as one sentence: the closers that say the expense again, and the facts for its script.

A name in braces is filled in by the script (`scripts/money/expense.js`).
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.models import Member, Table


def script_data(reader: Member | None, table: Table) -> Mapping[str, object]:
    """Return what the script needs: who reads, the decimals of the amounts, and the words."""
    return {"me": reader.slug if reader else "", "decimals": table.decimals, "words": _labels()}


def _labels() -> dict[str, str]:
    return {
        "paid": _("{payer} paid {amount}"),
        "paid_for": _("{payer} paid {amount} for {what}"),
        "paid_i": _("I paid {amount}"),
        "paid_i_for": _("I paid {amount} for {what}"),
        "several": _("Several people paid {amount}"),
        "several_for": _("Several people paid {amount} for {what}"),
        "forgiven": _("{payer} is forgiven {amount}"),
        "payer": _("{name} paid"),
        "payer_i": _("You paid"),
        "each": _("{count} people, {part} each"),
        "about": _("{count} people, about {part} each"),
        "missing": _("{amount} is missing"),
        "over": _("{amount} too much"),
        "out": _("not in"),
        "missing_part": pgettext("amount of a person", "missing"),
    }
