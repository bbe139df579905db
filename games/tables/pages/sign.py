"""The question before another sign for the money of a table whose books have entries."""

from __future__ import annotations

from django.utils.translation import ngettext

from games.common.amounts import money
from games.models import Table
from games.tables.settings import OtherSign


def question_in_words(asked: OtherSign) -> str:
    """Return the question that is asked before a table's books say another sign."""
    here, there = asked.table, Table(unit=asked.unit, decimals=asked.table.decimals)
    sentence = ngettext(
        "There is %(count)s entry in %(old)s. The same numbers will say %(new)s: %(before)s becomes %(after)s. "
        "Nothing is converted.",
        "There are %(count)s entries in %(old)s. The same numbers will say %(new)s: %(before)s becomes %(after)s. "
        "Nothing is converted.",
        asked.entries,
    )
    amounts = {"before": money(asked.amount, here), "after": money(asked.amount, there)}
    return sentence % {"count": asked.entries, "old": here.unit, "new": there.unit, **amounts}
