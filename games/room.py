"""How many people a table has room for: whoever comes, or plays again, asks here."""

from __future__ import annotations

from games.models import MOST_ACTIVE, MOST_MEMBERS, Table
from games.scoring.errors import RuleError
from games.scoring.words import _


def check_room(table: Table, *, coming: int = 1) -> None:
    """RuleError where, with so many `coming`, more were at a table than its file may name, those who play no more too."""
    if table.members.count() + coming > MOST_MEMBERS:
        said = _("A table holds at most {most} people, those who play no more too.", most=MOST_MEMBERS)
        raise RuleError(said, field="name")


def check_seat(table: Table, *, field: str = "name") -> None:
    """RuleError where as many play at a table as may."""
    if table.members.active().count() >= MOST_ACTIVE:
        said = _(
            "At most {most} people play at one table: somebody has to stop playing there first.",
            most=MOST_ACTIVE,
        )
        raise RuleError(said, field=field)
