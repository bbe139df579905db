"""Users of the site: look-up by name, display names, and opaque identifiers."""

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
    """Return the users with this user name, ignoring case. LOWER(username) is indexed."""
    return User.objects.alias(folded=Lower("username")).filter(folded=Lower(Value(name)))


def registered_users(name: str) -> Sequence[User]:
    """Return the users who can sign in with this name.

    Case is ignored, unless one user has exactly this name: then return only that user. There can be several
    only if they registered at the same moment.
    """
    users = [user for user in with_username(name).filter(is_active=True) if user.has_usable_password()]
    return [user for user in users if user.username == name] or users


def display_name(user: User) -> str:
    return user.first_name or ("" if not user.has_usable_password() else user.username)


def is_deleted(user: User) -> bool:
    return not user.is_active and user.username.startswith(DELETED_PREFIX)


# session variable: the mark of the guest whose tables came along when this user signed in (`guests.entries_mark`)
WAS_GUEST = "was_guest"


def opaque_id(user: User) -> str:
    """Return an identifier that reveals neither the user's name nor their id."""
    return salted_hmac("games.person", str(user.pk), algorithm="sha1").hexdigest()[:12]


def is_nameless(user: User) -> bool:
    """Return whether this user was imported in place of another site's guest who had no name."""
    return not user.is_active and re.fullmatch(rf"{NAMELESS_PREFIX}( \d+)?", user.first_name) is not None


def display_name_or_deleted(user: User) -> str:
    """Return the user's display name, or “a deleted account”; "" for a guest without a name."""
    return _("a deleted account") if is_deleted(user) else display_name(user)


def name_at_table(user: User, people: People) -> str:
    """Return the user's name at a table whose members are `people`.

    A user who is confirmed for good to be a member has the member's name, any other user their own. Return ""
    for a guest without a name.
    """
    member = people.find_for_user(user)
    if member is not None:
        return member.name
    return "" if is_nameless(user) else display_name_or_deleted(user)
