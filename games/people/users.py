"""Who has a name and a password, what somebody calls himself, and the mark of each."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import QuerySet, Value
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac


def called(name: str) -> QuerySet[User]:
    """The users of this name, in capitals or not; by an index of the names in small letters (migration 0012)."""
    return User.objects.alias(folded=Lower("username")).filter(folded=Lower(Value(name)))


def own_name(user: User) -> str:
    """What somebody let in calls himself; "" for a guest who gave no name."""
    return user.first_name or ("" if not user.has_usable_password() else user.username)


def mark_of(user: User) -> str:
    """A mark of this user that says nothing about him."""
    return salted_hmac("games.person", str(user.pk)).hexdigest()[:12]
