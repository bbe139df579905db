"""What people and tables may be called, which names are too alike, and the player id a name gives."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from unicodedata import combining, normalize

from games.scoring.errors import RuleError
from games.scoring.one_line import one_line, seen
from games.scoring.words import _

SLUG_LENGTH = 32
NOBODY = "nobody"  # closes a round in the notation, so it is nobody's id
ABOVE_AND_BELOW = (
    200  # from this combining class on a mark is an accent; those below it are part of the letter
)


class Alike(RuleError):
    """A name that differs from another's by accents alone: one person written in two ways, or two."""

    def __init__(self, name: str, other: str, *, field: str = "name") -> None:
        super().__init__(
            _("{other} is here already. Is {name} somebody else?", other=other, name=name), field=field
        )
        self.name = name


def read_name(text: str, *, longest: int, field: str = "name") -> str:
    """The name as it is kept; RuleError where there is none, or it breaks the law of a line."""
    name = one_line(text, longest=longest, field=field, quoted=True)
    if not name:
        raise RuleError(_("A name is missing."), field=field)
    return name


def check_free(name: str, others: Iterable[str], *, apart: Collection[str] = ()) -> None:
    """RuleError where one of the others at the table is called the same; Alike where only accents tell them apart,

    unless somebody said that this name is somebody else's: it is among those that stay `apart`.
    """
    others = list(others)
    if any(same_name(name, other) for other in others):
        raise RuleError(_("There is already somebody called {name} at this table.", name=name), field="name")
    other = None if name in apart else alike_among(name, others)
    if other is not None:
        raise Alike(name, other)


def same_name(one: str, other: str) -> bool:
    """Whether two names are too alike for one table: only capitals, the width of letters or unseen signs differ."""
    return likeness(one) == likeness(other)


def alike_among(name: str, others: Iterable[str]) -> str | None:
    """The first of the others that is this name with other accents, None where there is none."""
    bare = without_accents(name)
    return next((other for other in others if without_accents(other) == bare), None)


@lru_cache(maxsize=4096)  # somebody new is compared with everybody
def likeness(name: str) -> str:
    """What names that are too alike have in common."""
    return normalize("NFKC", seen(normalize("NFKC", name))).casefold()


@lru_cache(maxsize=4096)
def without_accents(name: str) -> str:
    """What names have in common that differ by accents at most."""
    letters = normalize("NFKD", likeness(name))
    return "".join(letter for letter in letters if combining(letter) < ABOVE_AND_BELOW)


def slug_for(name: str, taken: Collection[str]) -> str:
    """A player id made from the name: `a-z`, `0-9`, `_`, a letter first, and none of those taken."""
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    slug = re.sub(r"[^a-z0-9]+", "_", plain)[:SLUG_LENGTH].strip("_")
    if not slug:
        slug = "player"
    elif slug[0].isdigit():
        slug = f"p{slug}"
    found, count = slug, 1
    while found in taken or found == NOBODY:
        count += 1
        found = f"{slug}_{count}"
    return found
