"""The members of a table as shown on pages."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.common.names import letters_among
from games.common.people import Person
from games.models import Member, Table
from games.tables.people import People
from games.tables.users import is_deleted, is_nameless, own_name


def people_of(table: Table) -> Mapping[str, Person]:
    """Return every member the table has ever had as a `Person`, keyed by player id."""
    return people_among(People.of(table))


def people_among(members: People) -> Mapping[str, Person]:
    """Return these members of one table, each as a `Person`, keyed by player id.

    A member who was merged into another one has the other's name.
    """
    return {member.slug: person_as(member, members.by_pk[member.pk]) for member in members.members}


def person_as(member: Member, now: Member) -> Person:
    """Return the member as a `Person` with the name of the present member who they became."""
    return Person(member.slug, now.name, member.colour, _letters_at(member.table).get(now.pk, ""))


def _letters_at(table: Table) -> Mapping[int, str]:
    if table.face_letters is None:
        table.face_letters = letters_among(
            dict(table.members.filter(merged_into=None).values_list("pk", "name"))
        )
    return table.face_letters


def given_name(user: User) -> str:
    """Return the name of a user's account; "" for a guest who gave none.

    For a deleted account, return a text that says so in place of the name.
    """
    return _("a deleted account") if is_deleted(user) else own_name(user)


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
