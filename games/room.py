"""Limits on the number of members of a table."""

from __future__ import annotations

from games.models import MOST_ACTIVE, MOST_MEMBERS, Table
from games.scoring.errors import RuleError
from games.scoring.words import _


def check_room(table: Table, *, coming: int = 1) -> None:
    """Raise RuleError if `coming` more members would exceed the limit. Retired members count too."""
    if table.members.count() + coming > MOST_MEMBERS:
        message = _("A table holds at most {most} people, those who play no more too.", most=MOST_MEMBERS)
        raise RuleError(message, field="name")


def check_seat(table: Table, *, field: str = "name") -> None:
    """Raise RuleError if the table already has the most active members allowed."""
    if table.members.active().count() >= MOST_ACTIVE:
        message = _(
            "At most {most} people play at one table: somebody has to stop playing there first.",
            most=MOST_ACTIVE,
        )
        raise RuleError(message, field=field)
