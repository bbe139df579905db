"""Read the first parts of a table's file: the table itself, its members and seasons.

`value` is always the JSON object to read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.common.fields import Fields, Unreadable
from games.files.contents import Contents
from games.files.parts import PERSON, SEASON, TABLE, read_row
from games.models import IDENTITY_LENGTH, Member, Season, Table, is_code, new_identity
from games.scoring.text.notation import read_id
from games.scoring.words import _
from games.seasons.seasons import read_order
from games.tables.settings import check_place


def read_head(value: object) -> Contents:
    """Return contents with the unsaved table. Its code is not in the file: the import makes a new one.

    If the file lacks the table's identity, the table gets a new one too.
    """
    table = Table()
    contents = Contents(table, "")
    for column, part in read_row(value, TABLE, contents).items():
        setattr(table, column, part)
    if table.identity and not is_code(table.identity, length=IDENTITY_LENGTH):
        raise Unreadable(_("“{id}” is not the identity of a table.", id=table.identity), field="id")
    check_place(table.language, table.timezone, table.region)
    table.identity = table.identity or new_identity()
    return contents


def read_member(value: Any, contents: Contents) -> None:
    """Add one member to the contents. `join_members` reads the merges later. Raise Unreadable if invalid."""
    member = Member(table=contents.table, **read_row(value, PERSON, contents))
    slug = read_id(member.slug)
    if slug in contents.members:
        raise Unreadable(_("There are two members “{id}”.", id=slug))
    contents.members[slug] = member


def join_members(values: list[Mapping[str, Any]], contents: Contents) -> None:
    """Set `merged_into` of each merged member. Raise Unreadable if the merges form a circle.

    `values` are the JSON objects of all members, in the order of `contents.members`.
    """
    for value, member in zip(values, contents.members.values(), strict=True):
        fields = Fields(value, *value)
        into, merged_at = fields.part("merged_into"), fields.moment_or_none("merged_at")
        member.merged_into = None if into is None else contents.member(into)
        if len({into is None, merged_at is None, fields.part("merged_by") is None}) > 1:
            raise Unreadable(_("The merge of “{id}” lacks its target or its time.", id=member.slug))
        if into is not None:
            member.merged_at, member.merged_by = merged_at, contents.recorder(fields, "merged_by")
    for member in contents.members.values():
        followed, somebody = {member.slug}, member.merged_into
        while somebody is not None:
            if somebody.slug in followed:
                raise Unreadable(_("The merges of the member “{id}” lead nowhere.", id=member.slug))
            followed.add(somebody.slug)
            somebody = somebody.merged_into


def read_season(value: Any, contents: Contents) -> None:
    """Add one season to the contents. Raise Unreadable unless it begins after the season before it."""
    season = Season(table=contents.table, **read_row(value, SEASON, contents))
    season.order = season.order and read_order(season.order)
    if contents.seasons and season.starts_on <= contents.seasons[-1].starts_on:
        raise Unreadable(_("It must begin after the previous season."))
    contents.seasons.append(season)


def check_seasons(contents: Contents) -> None:
    """Raise Unreadable unless there is a season."""
    if not contents.seasons:
        raise Unreadable(_("A table has at least one season."))
