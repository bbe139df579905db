"""Finding the registered user whom a command's argument names."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from games.tables.people import registered_as


def registered_user(name: str, about_guests: str) -> User:
    """Return the user with this name. Raise CommandError if there is none, or more than one.

    If there is none, the error message ends with `about_guests`, a sentence on what the command cannot do for
    a guest.
    """
    users = registered_as(name)
    if not users:
        raise CommandError(f"Nobody signs in here under the name {name}. {about_guests}")
    if len(users) > 1:
        names = ", ".join(sorted(user.username for user in users))
        raise CommandError(f"Several users have this name: {names}. Write it with their capitals.")
    return users[0]
