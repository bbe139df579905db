"""Create a table (mesa): a group of people who play together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils.crypto import salted_hmac
from django.utils.timezone import localdate, now

from games.common.days import night_of
from games.common.locks import KeyReused, check_key, lock
from games.common.names import check_free, likeness, read_name, slug_for
from games.common.rows import Ready
from games.models import (
    ALPHABET,
    CODE_LENGTH,
    MOST_ACTIVE,
    NAME_LENGTH,
    TABLE_NAME_LENGTH,
    TABLES_A_DAY,
    Access,
    Game,
    Role,
    Season,
    Table,
    new_code,
    new_identity,
)
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.tables.members import add_newcomers, newcomers

A_DAY = timedelta(days=1)


@transaction.atomic
def open_table(user: User, parts: dict[str, Any], *, key: str = "", at: datetime | None = None) -> Table:
    """Create a table with its first season, owned by `user`.

    `parts` are its fields, as `settings.parts_of` returned them. If `key` was used before, return the table
    created then, or raise KeyReused if the fields differ.
    """
    opened_at = at or now()
    code = _code_under(key, user) if key else new_code()
    known = _known(code, user) if key else None
    if known is not None:
        if any(getattr(known, part) != value for part, value in parts.items()):
            raise KeyReused
        return known
    _check_pace(user)
    table = Table.objects.create(code=code, identity=new_identity(), created_at=opened_at, **parts)
    tonight = night_of(opened_at, table)
    Season.objects.create(table=table, name=str(tonight.year), starts_on=tonight)
    Access.objects.create(user=user, table=table, role=Role.OWNER, opened_on=localdate())
    return table


def _check_pace(user: User) -> None:
    """Raise RuleError if this user has created too many tables within a day.

    A table counts from when its first access was made.
    """
    earlier = Access.objects.filter(table=OuterRef("table"), pk__lt=OuterRef("pk"))
    first = Access.objects.filter(~Exists(earlier), user=user, role=Role.OWNER, made_at__gt=now() - A_DAY)
    if first.count() >= TABLES_A_DAY:
        raise RuleError(_("At most {most} tables can be opened in a day.", most=TABLES_A_DAY), field="name")


def opened_under(key: str, user: User) -> Table | None:
    """Return the table that this user opened with this key, or None if there is none that the user owns."""
    owned = user.accesses.standing().filter(role=Role.OWNER).values("table")
    return Table.objects.filter(code=_code_under(key, user), pk__in=owned).first()


def _code_under(key: str, user: User) -> str:
    """Return the code derived from this user and key, for the table they create. Nobody else can guess it."""
    check_key(key)
    return secret_code(f"{user.pk} {key}")


def secret_code(text: str) -> str:
    """Return a code derived from this text by an HMAC with the site's secret, so that nobody can guess it."""
    digest = salted_hmac(__name__, text, algorithm="sha256").digest()
    number = int.from_bytes(digest, "big")
    return "".join(ALPHABET[number // len(ALPHABET) ** place % len(ALPHABET)] for place in range(CODE_LENGTH))


def _known(code: str, user: User) -> Table | None:
    """Return the table that this user created before under the same key, or None.

    `code` is the code derived from user and key. Raise KeyReused if the user no longer owns the table.
    """
    User.objects.select_for_update(no_key=True).get(
        pk=user.pk
    )  # of two simultaneous requests, the second waits and finds the first one's table
    table = Table.objects.filter(code=code).first()
    if table is not None and not user.accesses.standing().filter(table=table, role=Role.OWNER).exists():
        raise KeyReused
    return table


def game_to_open(table: Table) -> Game | None:
    """Return the game to show first: the unfinished game recorded last, or else the newest game."""
    games = table.games.filter(discarded_at=None)
    playing = games.filter(ended_at=None).annotate(touched_at=Max("records__recorded_at"))
    return playing.order_by("-touched_at", "-pk").first() or games.first()


# --- open a table without a game, with its first members --------------------------------------------------------------


def read_people(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a new table's members, in the form in which names are stored.

    Raise RuleError for the field `people` if there are too many names, or if one is not valid or given twice.
    """
    if len(names) > MOST_ACTIVE:
        raise RuleError(_("At most {most} people can play at a table.", most=MOST_ACTIVE), field="people")
    people: list[str] = []
    for name in names:
        try:
            person = read_name(name, longest=NAME_LENGTH)
            check_free(person, {name: name for name in people})
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
    at: datetime | None = None,
) -> Table:
    """Create a table with these members, owned by `user`, and return it.

    `parts` are the fields of the table, from `settings.parts_of`. `key` is an idempotency key: a second call
    with it returns the table of the first one. Raise KeyReused if that table has other fields or lacks one of
    `people`.
    """
    table = lock(open_table(user, parts, key=key, at=at))
    members = list(table.members.all())
    known = {likeness(member.name) for member in members}
    missing = [name for name in people if likeness(name) not in known]
    if members and missing:
        raise KeyReused
    if missing:
        slugs: dict[str, str] = {}
        for name in missing:
            slugs[slug_for(name, slugs)] = name
        add_newcomers(table, Ready(newcomers(table, (), slugs)))
    return table
