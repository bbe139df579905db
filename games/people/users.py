"""Users: finding them by name, their display names, and an anonymous mark for each."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import QuerySet, Value
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac


def called(name: str) -> QuerySet[User]:
    """Return the users with this name in any letter case; migration 0012 has an index for it."""
    return User.objects.alias(folded=Lower("username")).filter(folded=Lower(Value(name)))


def own_name(user: User) -> str:
    """Return the user's display name; "" for a guest who gave none."""
    return user.first_name or ("" if not user.has_usable_password() else user.username)


def mark_of(user: User) -> str:
    """Return an opaque identifier of this user, which reveals nothing about them."""
    return salted_hmac("games.person", str(user.pk)).hexdigest()[:12]
