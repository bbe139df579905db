"""The members of a table as shown on pages."""

from __future__ import annotations

from django.contrib.auth.models import User

from games.models import Member
from games.money.balances import People
from games.notebook.recorders import is_nameless
from games.shown.common.people import Person, given_name, person_as


def person_of(member: Member) -> Person:
    """Return the member as the `Person` that pages show."""
    return person_as(member, member)


def known_as(user: User, people: People) -> str:
    """Return the user's name at a table whose members are `people`.

    If an owner confirmed that the user is one of these members, it is the member's name, otherwise the name
    of the user's account. Return "" for a guest who gave no name.
    """
    for member in people.own:
        if member.is_of(user):
            return member.name
    if is_nameless(user):
        return ""
    return given_name(user)
