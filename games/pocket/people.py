"""The users in the copy of tables that a user (the reader) gets for their phone.

The copy refers to other users by numbers. It has a user's name only if a page shows the name to the reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User

from games.people.users import is_deleted, own_name

Somebody = dict[str, Any]

READER = 0  # the number of the copy's owner
NOBODY: Somebody = {
    "name": "",
    "is_active": True,
    "is_deleted": False,
}  # a user whose name no page shows to the reader


class Others:
    """The users to whom a table's rows in the copy refer, numbered in the order of their first reference."""

    def __init__(self, reader: User) -> None:
        self._numbers = {reader.pk: READER}
        self._shown: set[int] = set()

    def number(self, user: int | None, *, is_shown: bool = False) -> int | None:
        """Return the number of the user with this id; None for None.

        Set `is_shown` if a page shows this user's name to the reader: then the copy has the name too.
        """
        if user is None:
            return None
        if is_shown:
            self._shown.add(user)
        return self._numbers.setdefault(user, len(self._numbers))

    def as_rows(self) -> Sequence[Somebody]:
        """Return the data that pages show of each user but the reader, in the order of their numbers."""
        users = User.objects.in_bulk(self._shown)
        others = [user for user, number in self._numbers.items() if number != READER]
        return [_row(users[user]) if user in self._shown else NOBODY for user in others]


def _row(user: User) -> Somebody:
    """Return the data that pages show of a user: the name, and whether the user is inactive or deleted."""
    return {"name": own_name(user), "is_active": user.is_active, "is_deleted": is_deleted(user)}
