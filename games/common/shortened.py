"""Names shortened to the available width; no two names become the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import dropwhile, takewhile

# The widths of bold letters in the widest system font, in ems. Narrower fonts leave room to spare.
NARROW, SMALL, WIDE = (
    dict.fromkeys("ijlIíì.,'’|", 0.36),
    dict.fromkeys("ftrJ ", 0.49),
    dict.fromkeys("mwMWÑ@…", 1.0),
)
WIDTHS = {**NARROW, **SMALL, **WIDE}
CAPITAL, OTHER = 0.79, 0.69
DOT, GAP = ".", "…"


def shortened(names: Sequence[str], room: float) -> list[str]:
    """Return the names in the same order, each whole if it fits into `room` ems, else shortened.

    No two different names become the same.
    """
    short = [name if width(name) <= room else _beginning(name, room - width(DOT)) + DOT for name in names]
    places = defaultdict[str, list[int]](list)
    for place, cut in enumerate(short):
        places[cut.removesuffix(DOT)].append(place)
    for alike in places.values():
        if len(alike) > 1:
            for place, distinct in zip(
                alike, _distinguished([names[place] for place in alike], room), strict=True
            ):
                short[place] = distinct
    return short


def width(text: str) -> float:
    """Return the width of the text in ems."""
    return sum(WIDTHS.get(letter, CAPITAL if letter.isupper() else OTHER) for letter in text)


def _beginning(name: str, room: float) -> str:
    """Return as many first letters of the name as fit into `room` ems, at least one.

    Symbols before the first letter are left out, so that nobody is shortened to an emoji alone.
    """
    name = "".join(dropwhile(lambda letter: not letter.isalnum(), name)) or name
    length = next((end for end in range(len(name), 1, -1) if width(name[:end]) <= room), 1)
    return name[:length].rstrip()


def _distinguished(names: Sequence[str], room: float) -> list[str]:
    """Shorten names that begin alike to `room` ems so that they differ, such as `Mar…b` and `Mar…c`.

    After the “…” come the first letters that the name does not share with the others. Return the names whole
    if they cannot be shortened like this.
    """
    for letters in range(1, max(map(len, names))):
        cut = [_with_its_own(name, names, letters, room) for name in names]
        if len(set(cut)) == len(names):
            return cut
    return list(names)


def _with_its_own(name: str, names: Sequence[str], letters: int, room: float) -> str:
    if width(name) <= room:
        return name
    shared = max((_shared(name, other) for other in names if other != name), default=0)
    own = GAP + name[shared:].lstrip()[:letters]
    return _beginning(name, room - width(own)) + own


def _shared(one: str, other: str) -> int:
    """Return the length of the beginning that both names share."""
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
