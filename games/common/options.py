"""House rules in words, with the table's money."""

from __future__ import annotations

from games.common.amounts import money
from games.common.sentences import translate
from games.models import Table
from games.scoring.kinds import Value
from games.scoring.options import Option


def value_shown(option: Option, value: Value, table: Table) -> str:
    """Return the value of an option (a house rule) in words; an amount has the table's unit of money."""
    if option.money is not None and isinstance(value, int):
        return money(value, table)
    return translate(option.value_in_words(value))
