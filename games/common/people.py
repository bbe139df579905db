"""A player as pages show them: name, colour and the letters on their face."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.common.names import isolated

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
