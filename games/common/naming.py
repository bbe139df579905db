"""The app's name, and names of people and tables: validated, compared, shortened, and drawn as avatars.

Pages and messages isolate names with right-to-left letters; files, the notation and the API have the bare
names.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile, pairwise, takewhile
from unicodedata import bidirectional, combining, normalize

from django.utils.translation import gettext

from games.common import name_marks
from games.scoring.errors import RuleError
from games.scoring.i18n import Text, _
from games.scoring.text_line import clean_line, visible_text

APP_NAME = "Anotador"  # the same in every language
_ISOLATES = re.compile("[\u2068\u2069]")
SLUG_LENGTH = 32
ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"
CHAT_SIGNS = re.compile(r"[*_~`]")  # for bold, italics, strikethrough and code
NOBODY = "nobody"  # a keyword of the notation, so no player may have it as an id
# A Unicode mark whose combining class is at least this is an accent; other marks are part of the letter.
ABOVE_AND_BELOW = 200


def clean_name(text: str, *, longest: int, field: str = "name") -> str:
    """Return the name as it is stored. Raise RuleError if it is missing or not a valid single line.

    Isolating marks are dropped, because the name may have been copied from one of our messages.
    """
    name = clean_line(_ISOLATES.sub("", text), longest=longest, field=field, quoted=True)
    if not name:
        raise RuleError(_("Enter a name."), field=field)
    return name


def avatar_letters(names: Mapping[int, str]) -> dict[int, str]:
    """Return the letters on each person's avatar: the initial, or two letters where initials collide.

    The second is the first letter in which the name differs from the most similar one: Mariela and Martín get
    `Mi` and `Mt`. If that pair is taken, it is the next letter that makes another pair. Accents make no
    difference. `letters` in `scripts/play/letters.js` does the same for names that are being typed.
    """
    initials = Counter(name[:1].upper() for name in names.values())
    plain_letters = {key: [_strip_accents(letter.lower()) for letter in name] for key, name in names.items()}
    in_order = sorted(plain_letters.values())
    shared: Counter[str] = Counter()
    for before, after in pairwise(in_order):
        length = _common_length(before, after)
        for plain in (before, after):
            shared["".join(plain)] = max(shared["".join(plain)], length)
    pairs_by_key: dict[int, str] = {}
    taken: set[str] = set()
    for key, name in names.items():
        first, start = name[:1].upper(), shared["".join(plain_letters[key])] or 1
        pairs = [first + letter.lower() for letter in name[start:] + name[1:start] if letter.isalnum()]
        if initials[first] == 1 or not pairs:
            pairs_by_key[key] = first
        else:
            free = (pair for pair in pairs if _strip_accents(pair) not in taken)
            pairs_by_key[key] = next(free, pairs[0])
        taken.add(_strip_accents(pairs_by_key[key]))
    return pairs_by_key


@lru_cache(maxsize=4096)
def has_right_to_left(name: str) -> bool:
    return any(bidirectional(letter) in ("R", "AL", "AN") for letter in name)


def isolate(name: str) -> str:
    """Return the name between isolating marks if it has right-to-left letters.

    Without them such a name reorders the text around it: between two of them, the arrow of a payment points
    to the payer. Other names are left unchanged, so that most tables' messages have no invisible characters.
    While a page is rendered, every name also has marks that keep it from translation (`name_marks`).
    """
    is_bare = has_right_to_left(name) and ISOLATE not in name[:2]
    return name_marks.mark(f"{ISOLATE}{name}{END_OF_ISOLATE}" if is_bare else name)


def isolate_in(text: str, names: Collection[str]) -> str:
    """Return a text for a chat with the signs in these names isolated: chats would show `*Ana*` in bold.

    `clean_name` drops the isolating marks when such a name is pasted.
    """
    signed = sorted(filter(CHAT_SIGNS.search, names), key=len, reverse=True)
    if not signed:
        return text

    def broken(name: re.Match[str]) -> str:
        return CHAT_SIGNS.sub(rf"{ISOLATE}\g<0>{END_OF_ISOLATE}", name[0])

    return re.sub("|".join(map(re.escape, signed)), broken, text)


def names_match(name: str, other: str) -> bool:
    """Return whether two names differ only in case, letter width or invisible characters."""
    return casefold_key(name) == casefold_key(other)


@lru_cache(maxsize=4096)  # a new name is compared with every name of the table
def casefold_key(name: str) -> str:
    """Return a comparison key that ignores differences of case, letter width and invisible characters."""
    return normalize("NFKC", visible_text(normalize("NFKC", name))).casefold()


@lru_cache(maxsize=4096)
def unaccented_key(name: str) -> str:
    """Return the name's `casefold_key` without its accents, so that “José” equals “jose”."""
    return _strip_accents(casefold_key(name))


# Letters of other scripts that look like Latin ones: Cyrillic, then Greek. All are lowercase.
_LOOKALIKES = str.maketrans("аеорсухіјѕԁһвкмнт" + "αεορτυχικν", "aeopcyxijsdhbkmht" + "aeoptyxikv")


@lru_cache(maxsize=4096)
def confusable_key(name: str) -> str:
    """Return a comparison key that is equal for lookalike names, such as “Ana” with a Cyrillic letter."""
    return unaccented_key(name).translate(_LOOKALIKES)


@lru_cache(maxsize=4096)  # each letter of all names of a table, on every page
def _strip_accents(text: str) -> str:
    letters = normalize("NFKD", text)
    return "".join(letter for letter in letters if combining(letter) < ABOVE_AND_BELOW)


def check_name_free(
    name: str, others: Mapping[str, str], *, by: Callable[[str], str] = unaccented_key
) -> None:
    """Raise RuleError if the name is taken, or differs from a taken one only in accents.

    `others` maps each taken name to the present name of its member: a merged member's name stays taken. With
    `casefold_key` as `by`, names may differ only in accents.
    """
    existing_name = next((other for other in others if by(other) == by(name)), None)
    if existing_name is not None:
        raise RuleError(_taken_error(existing_name, others[existing_name]), field="name")


def _taken_error(name: str, person: str) -> Text:
    if names_match(name, person):
        return _("This table already has a member called {name}. Choose another name.", name=name)
    return _(
        "{name} was merged with {other} and keeps the name. Choose another name.", name=name, other=person
    )


def slug_for(name: str, existing_slugs: Collection[str]) -> str:
    """Return a player id made from the name: a letter, then `a-z`, `0-9` and `_`.

    If the id is in `existing_slugs`, a number is appended, as in `ana_2`.
    """
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    slug = re.sub(r"[^a-z0-9]+", "_", plain)[:SLUG_LENGTH].strip("_")
    if not slug:
        slug = "player"
    elif slug[0].isdigit():
        slug = f"p{slug}"
    candidate, count = slug, 1
    while candidate in existing_slugs or candidate == NOBODY:
        count += 1
        candidate = f"{slug}_{count}"
    return candidate


# --- names shortened to the available width ---------------------------------------------------------------------------

# The widths of bold letters in the widest system font, in ems. Narrower fonts leave room to spare.
NARROW, SMALL, WIDE = (
    dict.fromkeys("ijlIíì.,'’|", 0.36),
    dict.fromkeys("ftrJ ", 0.49),
    dict.fromkeys("mwMWÑ@…", 1.0),
)
WIDTHS = {**NARROW, **SMALL, **WIDE}
CAPITAL, OTHER = 0.79, 0.69
DOT, GAP = ".", "…"
_UNFINISHED = re.compile(r" del?( l(a|as|o|os)?)?$| d$")


def shorten(names: Sequence[str], room: float) -> list[str]:
    """Return the names in the same order, shortened where they are wider than `room` ems.

    Different names stay different.
    """
    short = [name if width(name) <= room else _prefix(name, room - width(DOT)) + DOT for name in names]
    places = defaultdict[str, list[int]](list)
    for place, cut in enumerate(short):
        places[cut.removesuffix(DOT)].append(place)
    for alike in places.values():
        if len(alike) > 1:
            for place, distinct in zip(
                alike, _shorten_apart([names[place] for place in alike], room), strict=True
            ):
                short[place] = distinct
    return short


def width(text: str) -> float:
    """Return the width of the text, in ems."""
    return sum(WIDTHS.get(letter, CAPITAL if letter.isupper() else OTHER) for letter in text)


def _prefix(name: str, room: float) -> str:
    """Return as many letters from the start of the name as fit into `room` ems, at least one.

    Leading symbols are dropped, so that nobody is shortened to a lone emoji, and so is a “de” or “de la” at
    the end.
    """
    name = "".join(dropwhile(lambda letter: not letter.isalnum(), name)) or name
    length = next((end for end in range(len(name), 1, -1) if width(name[:end]) <= room), 1)
    return _UNFINISHED.sub("", name[:length].rstrip())


def _shorten_apart(names: Sequence[str], room: float) -> list[str]:
    """Shorten names that begin alike to `room` ems so that they differ, such as `Mar…b` and `Mar…c`.

    The “…” is followed by the first letters that the name does not share with the others. If that does not
    help, the names are returned whole.
    """
    for letters in range(1, max(map(len, names))):
        cut = [_with_suffix(name, names, letters, room) for name in names]
        if len(set(cut)) == len(names):
            return cut
    return list(names)


def _with_suffix(name: str, names: Sequence[str], letters: int, room: float) -> str:
    if width(name) <= room:
        return name
    shared = max((_common_length(name, other) for other in names if other != name), default=0)
    suffix = GAP + name[shared:].lstrip()[:letters]
    return _prefix(name, room - width(suffix)) + suffix


def _common_length(name: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the common prefix."""
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(name, other, strict=False)))


# --- a player as pages show them --------------------------------------------------------------------------------------

_BEGINS_LIKE_I = re.compile(r"h?[ií](?![eé])", re.IGNORECASE)
_BEGINS_LIKE_O = re.compile(r"h?[oó]", re.IGNORECASE)


@dataclass(frozen=True)
class Person:
    """A player's name and color, and the letters on their avatar."""

    id: str
    name: str
    colour: int
    letters: str = ""

    @property
    def initial(self) -> str:
        """The initial, or two letters if somebody else at the table has the same one."""
        return self.letters or self.name[:1].upper()

    @property
    def picture_data(self) -> dict[str, object]:
        """The person as JSON data for `scripts/money/picture.js`, which draws the picture of a result."""
        return {"name": self.name, "initial": self.initial, "colour": self.colour}


def join_names(names: Sequence[str]) -> str:
    """Return the names joined: `Ana, Beto and Caro`. In Spanish, `y` becomes `e` before the sound of an i."""
    joint = gettext("and")
    return _join(
        names, "e" if joint == "y" and names and _BEGINS_LIKE_I.match(name_marks.remove(names[-1])) else joint
    )


def join_alternatives(names: Sequence[str]) -> str:
    """Return the names joined: `Ana, Beto or Caro`. In Spanish, `o` becomes `u` before the sound of an o."""
    joint = gettext("or")
    return _join(
        names, "u" if joint == "o" and names and _BEGINS_LIKE_O.match(name_marks.remove(names[-1])) else joint
    )


def _join(names: Sequence[str], joint: str) -> str:
    *others, last = [isolate(name) for name in names] or [""]
    return f"{', '.join(others)} {joint} {last}" if others else last


def colour_label(number: int) -> str:
    """Return the name of a player's color, from 1 to 8, such as “teal”. The style sheets define them."""
    return {
        1: gettext("indigo"),
        2: gettext("teal"),
        3: gettext("purple"),
        4: gettext("brown"),
        5: gettext("gray"),
        6: gettext("olive"),
        7: gettext("pink"),
        8: gettext("blue"),
    }[number]
