"""The app's name, and names of people and tables.

It validates and compares names, and makes the player id from a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from unicodedata import bidirectional, combining, normalize

from games.scoring.errors import RuleError
from games.scoring.one_line import one_line, seen
from games.scoring.words import Text, _

APP_NAME = "Anotador"  # the same in every language
_ISOLATES = re.compile("[\u2068\u2069]")
SLUG_LENGTH = 32
ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"
NOBODY = "nobody"  # a keyword of the notation, so no player may have it as an id
# A Unicode mark whose combining class is at least this is an accent; other marks are part of the letter.
ABOVE_AND_BELOW = 200


class Alike(RuleError):
    """Raised for a name that differs from another one only in accents: both may be one person's name."""

    def __init__(self, name: str, other: str, *, field: str = "name") -> None:
        super().__init__(
            _("{other} is already here. Is {name} another person?", other=other, name=name), field=field
        )
        self.name = name


def read_name(text: str, *, longest: int, field: str = "name") -> str:
    """Return the name as it is stored, without isolating marks: it may be copied from a message of ours.

    Raise RuleError if the name is missing or not a valid single line.
    """
    name = one_line(_ISOLATES.sub("", text), longest=longest, field=field, quoted=True)
    if not name:
        raise RuleError(_("Enter a name."), field=field)
    return name


def letters_among(names: Mapping[int, str]) -> dict[int, str]:
    """Return what is written on each person's face: the initial, or two letters where initials collide.

    The second letter is the first of the name that tells them apart from those before.
    """
    initials = Counter(name[:1].upper() for name in names.values())
    letters: dict[int, str] = {}
    for key, name in names.items():
        first = name[:1].upper()
        pairs = [first + letter.lower() for letter in name[1:] if letter.isalnum()]
        if initials[first] == 1 or not pairs:
            letters[key] = first
        else:
            letters[key] = next((pair for pair in pairs if pair not in letters.values()), pairs[0])
    return letters


def check_free(name: str, others: Mapping[str, str], *, apart: Collection[str] = ()) -> None:
    """Raise RuleError if the name is taken, and Alike if it differs from a taken one only in accents.

    `others` maps each taken name to the present name of the person who has it, since a member who was merged
    into another keeps their name. A user has confirmed that the names in `apart` belong to somebody else: they
    raise no Alike.
    """
    taken = next((other for other in others if same_name(name, other)), None)
    if taken is not None:
        raise RuleError(_taken(taken, others[taken]), field="name")
    other = None if name in apart else alike_among(name, others)
    if other is not None:
        raise Alike(name, other)


def _taken(name: str, person: str) -> Text:
    if same_name(name, person):
        return _("This table already has a member called {name}. Choose another name.", name=name)
    return _(
        "{name} was merged with {other} and keeps the name. Choose another name.", name=name, other=person
    )


@lru_cache(maxsize=4096)
def has_right_to_left(name: str) -> bool:
    """Return whether the name has letters of a script that is written from right to left."""
    return any(bidirectional(letter) in ("R", "AL", "AN") for letter in name)


def isolated(name: str) -> str:
    """Return the name for a text, between isolating marks if it has right-to-left letters.

    Without them such a name turns around what is beside it: of two, the arrow of a payment points to the payer.
    Other names stay as they are, so that the messages of most tables have no invisible characters.
    """
    return f"{ISOLATE}{name}{END_OF_ISOLATE}" if has_right_to_left(name) and name[0] != ISOLATE else name


def same_name(one: str, other: str) -> bool:
    """Return whether two names differ only in case, letter width or invisible characters."""
    return likeness(one) == likeness(other)


def alike_among(name: str, others: Iterable[str]) -> str | None:
    """Return the first of the other names that differs from this name only in accents, or None."""
    plain = without_accents(name)
    return next((other for other in others if without_accents(other) == plain), None)


@lru_cache(maxsize=4096)  # a new name is compared with every name of the table
def likeness(name: str) -> str:
    """Return a comparison key that ignores differences of case, letter width and invisible characters."""
    return normalize("NFKC", seen(normalize("NFKC", name))).casefold()


@lru_cache(maxsize=4096)
def without_accents(name: str) -> str:
    """Return a comparison key: the name's `likeness` without its accents, so that “José” equals “jose”."""
    return _bare(likeness(name))


def _bare(text: str) -> str:
    letters = normalize("NFKD", text)
    return "".join(letter for letter in letters if combining(letter) < ABOVE_AND_BELOW)


def slug_for(name: str, taken: Collection[str]) -> str:
    """Return a player id made from the name: a letter, then `a-z`, `0-9` and `_`.

    If the id is in `taken`, append a number, as in `ana_2`.
    """
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    slug = re.sub(r"[^a-z0-9]+", "_", plain)[:SLUG_LENGTH].strip("_")
    if not slug:
        slug = "player"
    elif slug[0].isdigit():
        slug = f"p{slug}"
    candidate, count = slug, 1
    while candidate in taken or candidate == NOBODY:
        count += 1
        candidate = f"{slug}_{count}"
    return candidate
