"""The members of a table as shown on pages."""

from __future__ import annotations

from django.contrib.auth.models import User

from games.models import Member
from games.money.balances import People
from games.notebook.recorders import is_nameless
from games.shown.common.people import Person, given_name


def person_of(member: Member) -> Person:
    """Return the member as the `Person` that pages show."""
    return Person(member.slug, member.name, member.colour)


def known_as(user: User, people: People) -> str:
    """Return the name of the user: that of the member of `people` whom they are, or else their account's.

    An owner must have confirmed which member they are. Return "" for a guest who gave no name.
    """
    for member in people.own:
        if member.is_of(user):
            return member.name
    if is_nameless(user):
        return ""
    return given_name(user)
