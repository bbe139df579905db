"""Names cut to the room there is for them, never two to the same letters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import takewhile

# How wide letters are in the bold of the widest system font, in ems: a narrower one leaves room.
NARROW, SMALL, WIDE = (
    dict.fromkeys("ijlIíì.,'’|", 0.36),
    dict.fromkeys("ftrJ ", 0.49),
    dict.fromkeys("mwMWÑ@…", 1.0),
)
WIDTHS = {**NARROW, **SMALL, **WIDE}
CAPITAL, OTHER = 0.79, 0.69
DOT, GAP = ".", "…"


def shortened(names: Sequence[str], room: float) -> list[str]:
    """Each name whole where it takes no more than so many ems, else as much of it as tells it from the others."""
    short = [name if width(name) <= room else _beginning(name, room - width(DOT)) + DOT for name in names]
    places = defaultdict[str, list[int]](list)
    for place, cut in enumerate(short):
        places[cut.removesuffix(DOT)].append(place)
    for alike in places.values():
        if len(alike) > 1:
            for place, apart in zip(alike, _told_apart([names[place] for place in alike], room), strict=True):
                short[place] = apart
    return short


def width(text: str) -> float:
    """What the text takes, in ems."""
    return sum(WIDTHS.get(letter, CAPITAL if letter.isupper() else OTHER) for letter in text)


def _beginning(name: str, room: float) -> str:
    """As many of its first letters as there is room for, one at least."""
    length = next((end for end in range(len(name), 1, -1) if width(name[:end]) <= room), 1)
    return name[:length].rstrip()


def _told_apart(names: Sequence[str], room: float) -> list[str]:
    """Names that begin alike, each by its beginning and the first letters it does not share; whole, if nothing helps."""
    for letters in range(1, max(map(len, names))):
        found = [_with_its_own(name, names, letters, room) for name in names]
        if len(set(found)) == len(names):
            return found
    return list(names)


def _with_its_own(name: str, names: Sequence[str], letters: int, room: float) -> str:
    if width(name) <= room:
        return name
    shared = max((_shared(name, other) for other in names if other != name), default=0)
    own = GAP + name[shared:].lstrip()[:letters]
    return _beginning(name, room - width(own)) + own


def _shared(one: str, other: str) -> int:
    """With how many of the same letters both begin."""
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
