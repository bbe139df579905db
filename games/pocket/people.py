"""Whoever else is in a copy: a number of this copy alone, and a name only where a page shows it to the reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User

from games.people.deletion import is_deleted
from games.people.users import own_name

Somebody = dict[str, Any]

READER = 0  # the number of whose copy it is
NOBODY: Somebody = {"name": "", "is_active": True, "is_deleted": False}  # to the reader


class Others:
    """The users of one table, numbered as they are met."""

    def __init__(self, reader: User) -> None:
        self._numbers = {reader.pk: READER}
        self._shown: set[int] = set()

    def number(self, user: int | None, *, is_shown: bool = False) -> int | None:
        """The number of the user with this key, None for nobody; `is_shown` says that a page calls him by name."""
        if user is None:
            return None
        if is_shown:
            self._shown.add(user)
        return self._numbers.setdefault(user, len(self._numbers))

    def said(self) -> Sequence[Somebody]:
        """Each of them but the reader, from number 1 on."""
        users = User.objects.in_bulk(self._shown)
        others = [user for user, number in self._numbers.items() if number != READER]
        return [_said(users[user]) if user in self._shown else NOBODY for user in others]


def _said(user: User) -> Somebody:
    """What pages go by: what he is called, and that he only stands for somebody, or is gone."""
    return {"name": own_name(user), "is_active": user.is_active, "is_deleted": is_deleted(user)}
