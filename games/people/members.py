"""What the people of a table and the table itself are called and how they look: the writes that record nothing.

Records keep the player ids; a name is only what stands for one, so it changes in every game there ever was.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import transaction

from games.changes import tell
from games.locks import lock, revise
from games.models import (
    COLOURS,
    NAME_LENGTH,
    TABLE_NAME_LENGTH,
    Change,
    Member,
    Table,
    What,
)
from games.names import check_free, read_name, slug_for
from games.room import check_room, check_seat
from games.rows import Ready
from games.scoring.errors import RuleError
from games.scoring.words import _


@transaction.atomic
def change_member(member: Member, *, name: str, colour: int, apart: Collection[str] = ()) -> None:
    """Gives a member this name and this colour; the id stays. RuleError where somebody else has the name.

    Alike where only accents tell it from somebody's, unless it is among the names said to stay `apart`.
    """
    table = lock(member.table)
    if name != member.name:
        name = read_name(name, longest=NAME_LENGTH)
        others = table.members.exclude(pk=member.pk).values_list("name", flat=True)
        check_free(name, others, apart=apart)
    if not 1 <= colour <= COLOURS:
        raise RuleError(_("Choose one of the colours."), field="colour")
    if (member.name, member.colour) != (name, colour):
        member.name, member.colour = name, colour
        member.save(update_fields=["name", "colour"])
        revise(table)
        tell(table, Change(what=What.MEMBER_CHANGED, member=member))


@transaction.atomic
def rename_table(table: Table, name: str) -> None:
    """Gives the table this name."""
    table = lock(table)
    name = read_name(name, longest=TABLE_NAME_LENGTH, field="table-name")
    if table.name != name:
        table.name = name
        table.save(update_fields=["name"])
        revise(table)
        tell(table, Change(what=What.TABLE_CHANGED))


@transaction.atomic
def add_member(table: Table, name: str, *, apart: Collection[str] = ()) -> Member:
    """Somebody new at the table, with an id of his own and the next colour; RuleError where the name is taken.

    Alike where only accents tell it from somebody's, unless it is among the names said to stay `apart`. RuleError too
    where so many play already.
    """
    lock(table)
    check_seat(table)
    members = list(table.members.all())
    name = read_name(name, longest=NAME_LENGTH)
    slug = slug_for(name, {member.slug for member in members})
    (member,) = newcomers(table, members, {slug: name})
    add_newcomers(table, Ready([member]), apart=apart)
    return member


def newcomers(table: Table, members: Collection[Member], names: Mapping[str, str]) -> list[Member]:
    """Who would be new beside these members, not saved: each with an id, which leads to the name, and the next colour."""
    return [
        Member(table=table, slug=slug, name=name, colour=place % COLOURS + 1)
        for place, (slug, name) in enumerate(names.items(), start=len(members))
    ]


def add_newcomers(table: Table, coming: Ready[Member], *, apart: Collection[str] = ()) -> None:
    """Stores who is new at a table that is held; RuleError where there is no room, or a name is taken.

    One may be more than play at a table: an old notebook knows people who play no more.
    """
    check_room(table, coming=len(coming.rows))
    names = list(table.members.values_list("name", flat=True))
    for member in coming.rows:
        check_free(member.name, names, apart=apart)
        names.append(member.name)
    coming.insert()
    tell(table, *(Change(what=What.MEMBER_ADDED, member=member) for member in coming.rows))
