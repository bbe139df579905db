"""What people and tables may be called, and the player id a name gives."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from games.scoring.errors import RuleError
from games.scoring.words import _

SLUG_LENGTH = 32
NOBODY = "nobody"  # closes a round in the notation, so it is nobody's id

# Joiners hold emoji and some scripts' letters together; every other format character only hides or turns text.
JOINERS = "\u200c\u200d"


def read_name(text: str, *, longest: int, field: str = "name") -> str:
    """The name as it is kept: trimmed, single blanks; RuleError where it cannot be shown or written in a game."""
    name = unicodedata.normalize("NFC", text.strip())
    if not name.strip(JOINERS):
        raise RuleError(_("A name is missing."), field=field)
    if len(name) > longest:
        raise RuleError(_("A name has at most {longest} letters.", longest=longest), field=field)
    if '"' in name:
        raise RuleError(_("A name has no double quotes."), field=field)
    if any(is_unseen(character) for character in name):
        raise RuleError(_("A name cannot have invisible characters."), field=field)
    return " ".join(name.split())


def same_name(one: str, other: str) -> bool:
    """Whether two names are too alike for one table: capitals and the width of letters make no difference."""
    return likeness(one) == likeness(other)


def likeness(name: str) -> str:
    """What names that are too alike have in common."""
    return unicodedata.normalize("NFKC", name).casefold()


def is_unseen(character: str) -> bool:
    """Whether a character shows nothing by itself; joiners and plain blanks do not count."""
    category = unicodedata.category(character)
    return (category[0] == "C" or category in ("Zl", "Zp")) and character not in JOINERS


def slug_for(name: str, taken: Collection[str]) -> str:
    """A player id made from the name: `a-z`, `0-9`, `_`, a letter first, and none of those taken."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
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
