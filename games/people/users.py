"""Who has a name and a password."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import QuerySet, Value
from django.db.models.functions import Lower


def called(name: str) -> QuerySet[User]:
    """The users of this name, in capitals or not; by an index of the names in small letters (migration 0012)."""
    return User.objects.alias(folded=Lower("username")).filter(folded=Lower(Value(name)))
