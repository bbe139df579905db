"""Read the first parts of a table's file: the table itself, its members and seasons.

`value` is always the JSON object to read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.models import (
    ACCOUNT_LENGTH,
    COLOURS,
    DECIMALS,
    IDENTITY_LENGTH,
    NAME_LENGTH,
    ORDER_LENGTH,
    REGION_LENGTH,
    SEASON_NAME_LENGTH,
    TABLE_NAME_LENGTH,
    UNIT_LENGTH,
    Member,
    Season,
    Table,
    is_code,
    new_identity,
)
from games.notebook.contents import Contents
from games.notebook.fields import Fields, Unreadable
from games.people.settings import check_place
from games.scoring.text.notation import read_id
from games.scoring.words import _
from games.season.seasons import read_order

SLUG_LENGTH = 40


def read_head(value: object) -> Table:
    """Return the unsaved table. The table's code is not in the file: the import makes a new one.

    If the file lacks the table's identity, the table gets a new one too.
    """
    names = ("id", "name", "unit", "decimals", "language", "timezone", "pays_on_the_spot", "created_at")
    fields = Fields(value, *names, "region")
    language, timezone = fields.text("language", longest=12), fields.text("timezone", longest=64)
    region = fields.text("region", longest=REGION_LENGTH) if fields.has("region") else ""
    check_place(language, timezone, region)
    return Table(
        identity=_identity(fields) or new_identity(),
        name=fields.name("name", longest=TABLE_NAME_LENGTH),
        unit=fields.name("unit", longest=UNIT_LENGTH),
        decimals=fields.whole("decimals", least=0, most=DECIMALS),
        pays_on_the_spot=fields.truth("pays_on_the_spot"),
        language=language,
        timezone=timezone,
        region=region,
        created_at=fields.moment("created_at"),
    )


def _identity(fields: Fields) -> str:
    identity = fields.text("id", longest=IDENTITY_LENGTH)
    if identity and not is_code(identity, length=IDENTITY_LENGTH):
        raise Unreadable(_("“{id}” is not the identity of a table.", id=identity), field="id")
    return identity


def read_member(value: Any, contents: Contents) -> None:
    """Add one member to the contents. `join_members` reads the merges later. Raise Unreadable if invalid."""
    names = ("id", "name", "colour", "account", "merged_into", "merged_at", "merged_by", "retired_at")
    fields = Fields(value, *names)
    slug = read_id(fields.text("id", longest=SLUG_LENGTH))
    if slug in contents.members:
        raise Unreadable(_("There are two members “{id}”.", id=slug))
    contents.members[slug] = Member(
        table=contents.table,
        slug=slug,
        name=fields.name("name", longest=NAME_LENGTH),
        colour=fields.whole("colour", least=1, most=COLOURS),
        account=fields.text("account", longest=ACCOUNT_LENGTH),
        retired_at=fields.moment_or_none("retired_at"),
    )


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
    fields = Fields(value, "name", "starts_on", "order")
    season = Season(
        table=contents.table,
        name=fields.name("name", longest=SEASON_NAME_LENGTH),
        starts_on=fields.day("starts_on"),
        order=read_order(fields.text("order", longest=ORDER_LENGTH)) if fields.has("order") else "",
    )
    if contents.seasons and season.starts_on <= contents.seasons[-1].starts_on:
        raise Unreadable(_("It must begin after the previous season."))
    contents.seasons.append(season)


def check_seasons(contents: Contents) -> None:
    """Raise Unreadable unless there is a season."""
    if not contents.seasons:
        raise Unreadable(_("A table has at least one season."))
