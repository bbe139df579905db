"""Open a table without a game, with its first members.

In these functions, `apart` has names that look like another member's name, but that the user confirmed to be
the name of another person.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from games.common.keys import KeyReused
from games.common.locks import lock
from games.common.names import check_free, likeness, read_name, slug_for
from games.common.rows import Ready
from games.models import MOST_ACTIVE, NAME_LENGTH, TABLE_NAME_LENGTH, Table
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.tables.members import add_newcomers, newcomers
from games.tables.tables import open_table


def read_people(names: Sequence[str], *, apart: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of a new table's members, in the form in which names are stored.

    Raise RuleError for the field `people` if there are too many names, or if one is not valid or given twice.
    Two names that differ only in accents are refused too, unless the second one is listed in `apart`.
    """
    if len(names) > MOST_ACTIVE:
        raise RuleError(_("At most {most} people can play at a table.", most=MOST_ACTIVE), field="people")
    people: list[str] = []
    for name in names:
        try:
            person = read_name(name, longest=NAME_LENGTH)
            check_free(person, {name: name for name in people}, apart=apart)
        except RuleError as refusal:
            refusal.field = "people"
            raise
        people.append(person)
    return tuple(people)


def names_in(text: str) -> list[str]:
    """Return the names in the text: one a line, or with commas between them."""
    return [name.strip() for name in re.split(r"[\n,;]", text) if name.strip()]


def named_after(people: Sequence[str]) -> str:
    """Return a name for a table: the names of these people joined by commas, as many as fit.

    Return "" if one of them is not a valid name.
    """
    try:
        names = [read_name(name, longest=NAME_LENGTH) for name in people]
    except RuleError:
        return ""
    while names and len(", ".join(names)) > TABLE_NAME_LENGTH:
        names.pop()
    return ", ".join(names)


@transaction.atomic
def found_table(
    user: User,
    parts: dict[str, Any],
    people: Sequence[str],
    *,
    key: str,
    apart: Collection[str] = (),
    at: datetime | None = None,
) -> Table:
    """Create a table with these members, owned by `user`, and return it.

    `parts` are the fields of the table, from `settings.parts_of`. `key` is an idempotency key: a second call
    with it returns the table of the first one. Raise KeyReused if that table has other fields or lacks one of
    `people`.
    """
    table = lock(open_table(user, **parts, key=key, at=at))
    members = list(table.members.all())
    known = {likeness(member.name) for member in members}
    missing = [name for name in people if likeness(name) not in known]
    if members and missing:
        raise KeyReused
    if missing:
        slugs: dict[str, str] = {}
        for name in missing:
            slugs[slug_for(name, slugs)] = name
        add_newcomers(table, Ready(newcomers(table, (), slugs)), apart=apart)
    return table
