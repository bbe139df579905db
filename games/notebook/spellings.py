"""How else a name is written: which spellings may be one person's, and those somebody said are one's."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from games.models import MOST_SPELLINGS, Member, Spelling, Table
from games.names import likeness, without_accents

SHORTEST = 3  # names with fewer letters differ by one of them too easily


class Nearby:
    """Names in the order in which they became known, and which of them another spelling may be."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, str]] = {}
        self._around: dict[str, list[str]] = {}

    def add(self, name: str) -> None:
        """One name more."""
        bare = bared(name)
        if bare not in self._known:
            self._known[bare] = len(self._known), name
            for part in _with_a_gap(bare):
                self._around.setdefault(part, []).append(bare)

    def nearest(self, name: str) -> str | None:
        """The first name that is this one with other accents, blanks or signs, or else with one other letter."""
        bare = bared(name)
        near = {other for part in _with_a_gap(bare) for other in self._around.get(part, ())}
        found = [bare] if bare in self._known else [one for one in near if _a_letter_apart(bare, one)]
        return min((self._known[one] for one in found), default=(0, None))[1]


def bared(name: str) -> str:
    """The letters and digits of a name without accents and capitals; all of it where it has none."""
    plain = without_accents(name)
    return "".join(sign for sign in plain if sign.isalnum()) or plain


def _with_a_gap(bare: str) -> Iterator[str]:
    """The name, and the name without one of its letters: what names a letter apart have in common."""
    yield bare
    for place in range(len(bare)):
        yield bare[:place] + bare[place + 1 :]


def _a_letter_apart(one: str, other: str) -> bool:
    """Whether one letter is another, or is there in one of them alone; digits tell people apart."""
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < SHORTEST or len(longer) > len(shorter) + 1:
        return False
    place = next((at for at, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    is_other = len(shorter) == len(longer)
    differing = longer[place] + (shorter[place] if is_other else "")
    return differing.isalpha() and shorter[place + is_other :] == longer[place + 1 :]


# --- remembered -------------------------------------------------------------------------------------------------------


def remembered(table: Table) -> Mapping[str, Member]:
    """Whose spellings there are, by what names too alike have in common."""
    found = table.spellings.select_related("member")
    return {likeness(spelling.written): spelling.member for spelling in found}


def remember(table: Table, written: Mapping[str, Member], *, forgotten: Collection[str]) -> None:
    """Keeps whose spellings these are, and no more those `forgotten`; where there are too many the oldest go."""
    gone = {likeness(name) for name in (*written, *forgotten)}
    kept = [spelling.pk for spelling in table.spellings.all() if likeness(spelling.written) not in gone]
    kept = kept[max(0, len(kept) + len(written) - MOST_SPELLINGS) :]
    table.spellings.exclude(pk__in=kept).delete()
    Spelling.objects.bulk_create(
        Spelling(table=table, written=name, member=member) for name, member in written.items()
    )
