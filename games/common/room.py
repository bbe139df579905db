"""Limits on the number of members of a table."""

from __future__ import annotations

from games.models import MOST_ACTIVE, MOST_MEMBERS, Table
from games.scoring.errors import RuleError
from games.scoring.words import _


def check_room(table: Table, *, coming: int = 1) -> None:
    """Raise RuleError if `coming` more members would exceed the limit. Retired members count too."""
    if table.members.count() + coming > MOST_MEMBERS:
        message = _(
            "A table holds at most {most} people, including those who no longer play.", most=MOST_MEMBERS
        )
        raise RuleError(message, field="name")


def check_seat(table: Table, *, coming: int = 1, field: str = "name") -> None:
    """Raise RuleError, naming the form's `field`, if `coming` more active members would exceed the limit."""
    if table.members.active().count() + coming > MOST_ACTIVE:
        message = _(
            "At most {most} people can play at a table. Remove one from the next games first.",
            most=MOST_ACTIVE,
        )
        raise RuleError(message, field=field)
