"""The people of a table as pages show them, keyed by player id."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.models import Member, Table
from games.money.balances import People
from games.names import isolated, letters_among
from games.people.users import is_deleted, own_name

_BEGINS_LIKE_I = re.compile(r"h?[ií](?![eé])", re.IGNORECASE)


@dataclass(frozen=True)
class Person:
    """A player's name and colour, and what is written on their face."""

    id: str
    name: str
    colour: int
    letters: str = ""

    @property
    def initial(self) -> str:
        """The first letter of the name, or two letters if somebody else at the table has the same."""
        return self.letters or self.name[:1].upper()

    @property
    def drawn(self) -> dict[str, object]:
        """The person as JSON data for `static/money/picture.js`, which draws the picture of a result."""
        return {"name": self.name, "initial": self.initial, "colour": self.colour}


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


def all_of(names: Sequence[str]) -> str:
    """Return the names joined: `Ana, Beto and Caro`. In Spanish, `y` becomes `e` before the sound of an i."""
    names = [isolated(name) for name in names]
    if len(names) < 2:
        return "".join(names)
    *others, last = names
    joint = _("and")
    if joint == "y" and _BEGINS_LIKE_I.match(last):
        joint = "e"
    return f"{', '.join(others)} {joint} {last}"


def colour_in_words(number: int) -> str:
    """Return the name of the player's colour with this number, from 1 to 8, such as “teal”.

    The style sheets define the colours themselves.
    """
    return {
        1: _("indigo"),
        2: _("teal"),
        3: _("purple"),
        4: _("brown"),
        5: _("grey"),
        6: _("olive"),
        7: _("pink"),
        8: _("light blue"),
    }[number]


def given_name(user: User) -> str:
    """Return the name of a user's account; "" for a guest who gave none.

    For a deleted account, return a text that says so in place of the name.
    """
    return _("a deleted account") if is_deleted(user) else own_name(user)
