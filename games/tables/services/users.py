"""The users of the site: how one is found, and by which names and marks others know them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db.models import QuerySet, Value
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games.tables.services.roster import People

NAMELESS_PREFIX = "guest"
DELETED_PREFIX = "deleted-"  # the user names of deleted accounts begin with this


def with_username(name: str) -> QuerySet[User]:
    """Return the users with this user name, ignoring letter case. There is an index for it."""
    return User.objects.alias(folded=Lower("username")).filter(folded=Lower(Value(name)))


def registered_users(name: str) -> Sequence[User]:
    """Return the users who can sign in under this name.

    Ignore letter case, unless one user's name is exactly this: then return only that user. There can be
    several only if their names were entered at the same moment.
    """
    users = [user for user in with_username(name).filter(is_active=True) if user.has_usable_password()]
    return [user for user in users if user.username == name] or users


def display_name(user: User) -> str:
    """Return the user's display name; "" for a guest without one."""
    return user.first_name or ("" if not user.has_usable_password() else user.username)


def is_deleted(user: User) -> bool:
    return not user.is_active and user.username.startswith(DELETED_PREFIX)


WAS_GUEST = "was_guest"  # session variable: the mark of the guest who signed in as this user


def opaque_id(user: User) -> str:
    """Return an opaque identifier of this user, which reveals neither the user's name nor id."""
    return salted_hmac("games.person", str(user.pk)).hexdigest()[:12]


def is_nameless(user: User) -> bool:
    """Return whether this user stands for a guest without a name on another site."""
    return not user.is_active and re.fullmatch(rf"{NAMELESS_PREFIX}( \d+)?", user.first_name) is not None


def display_name_or_deleted(user: User) -> str:
    """Return the name of a user's account; "" for a guest who gave none.

    For a deleted account, return a text that says so in place of the name.
    """
    return _("a deleted account") if is_deleted(user) else display_name(user)


def name_at_table(user: User, people: People) -> str:
    """Return the user's name at a table whose members are `people`.

    If an owner confirmed that the user is one of these members, it is the member's name, otherwise the name
    of the user's account. Return "" for a guest who gave no name.
    """
    for member in people.current_members:
        if member.belongs_to(user):
            return member.name
    if is_nameless(user):
        return ""
    return display_name_or_deleted(user)
