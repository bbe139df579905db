"""The users who recorded at a table, as names in the table's file. The users themselves are not exported."""

from __future__ import annotations

import secrets

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

from games.models import Table
from games.scoring.one_line import shortened
from games.tables.people import NAMELESS, own_name

NAME_LENGTH = 150
STAND_IN = "recorder-"  # the user names of stand-ins begin with this
CUT_AT = 140  # the length to which a name is cut, which leaves room for a number after the name


class Recorders:
    """The names by which a table's file refers to the users who recorded at the table.

    Each user has a different name. A user's name depends on the names given before: if the users come in the
    same order, they always get the same names.
    """

    def __init__(self, table: Table) -> None:
        self._at_table = dict(table.accesses.for_good().values_list("user", "member__name"))
        self._names: dict[int, str] = {}

    def name(self, user_pk: int) -> str:
        """Return this user's name in the file."""
        if user_pk not in self._names:
            self._names[user_pk] = self._free(self._at_table.get(user_pk) or _own_name(user_pk))
        return self._names[user_pk]

    def name_or_none(self, user_pk: int | None) -> str | None:
        """Return this user's name in the file; None for None."""
        return None if user_pk is None else self.name(user_pk)

    def _free(self, name: str) -> str:
        name, taken, count = shortened(name, CUT_AT), set(self._names.values()), 1
        free = name
        while free in taken:
            count += 1
            free = f"{name} {count}"
        return free


def stand_in(name: str) -> User:
    """Return an unsaved user for a person with this name on another site. Nobody can sign in as this user."""
    return User(
        username=f"{STAND_IN}{secrets.token_hex(8)}",
        first_name=name,
        password=make_password(None),
        is_active=False,
    )


def _own_name(user_pk: int) -> str:
    return own_name(User.objects.get(pk=user_pk)) or NAMELESS
