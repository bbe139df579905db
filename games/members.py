"""What the people of a table and the table itself are called and how they look: the writes that record nothing.

Records keep the player ids; a name is only what stands for one, so it changes in every game there ever was.
"""

from __future__ import annotations

from django.db import transaction

from games.models import COLOURS, NAME_LENGTH, TABLE_NAME_LENGTH, Member, Table
from games.names import read_name, same_name
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.services import lock, revise


@transaction.atomic
def change_member(member: Member, *, name: str, colour: int) -> None:
    """Gives a member this name and this colour; the id stays. RuleError where somebody else has the name."""
    table = lock(member.table)
    name = read_name(name, longest=NAME_LENGTH)
    if any(same_name(name, other.name) for other in table.members.exclude(pk=member.pk)):
        raise RuleError(_("There is already somebody called {name} at this table.", name=name), field="name")
    if not 1 <= colour <= COLOURS:
        raise RuleError(_("Choose one of the colours."), field="colour")
    if (member.name, member.colour) != (name, colour):
        member.name, member.colour = name, colour
        member.save(update_fields=["name", "colour"])
        revise(table)


@transaction.atomic
def rename_table(table: Table, name: str) -> None:
    """Gives the table this name."""
    table = lock(table)
    name = read_name(name, longest=TABLE_NAME_LENGTH, field="table-name")
    if table.name != name:
        table.name = name
        table.save(update_fields=["name"])
        revise(table)
