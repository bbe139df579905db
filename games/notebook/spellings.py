"""Other spellings of names: likely ones, and those somebody confirmed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from games.models import MOST_SPELLINGS, Member, Spelling, Table
from games.names import likeness, without_accents

SHORTEST = 3  # shorter names differ by one letter too easily


class Nearby:
    """An index of names, in the order of their addition, that finds similar spellings."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, str]] = {}
        self._around: dict[str, list[str]] = {}

    def add(self, name: str) -> None:
        """Add one name."""
        bare = bared(name)
        if bare not in self._known:
            self._known[bare] = len(self._known), name
            for part in _with_a_gap(bare):
                self._around.setdefault(part, []).append(bare)

    def nearest(self, name: str) -> str | None:
        """Return the first name that differs only in accents, blanks or punctuation, else in one letter."""
        bare = bared(name)
        near = {other for part in _with_a_gap(bare) for other in self._around.get(part, ())}
        matches = [bare] if bare in self._known else [other for other in near if _a_letter_apart(bare, other)]
        return min((self._known[match] for match in matches), default=(0, None))[1]


def bared(name: str) -> str:
    """Return a name's letters and digits without accents and capitals; the whole name if it has none."""
    plain = without_accents(name)
    return "".join(sign for sign in plain if sign.isalnum()) or plain


def _with_a_gap(bare: str) -> Iterator[str]:
    """Yield the name, and the name without each one of its letters: similar names share one of these."""
    yield bare
    for place in range(len(bare)):
        yield bare[:place] + bare[place + 1 :]


def _a_letter_apart(one: str, other: str) -> bool:
    """Return whether one letter differs or is missing; digits always tell people apart."""
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < SHORTEST or len(longer) > len(shorter) + 1:
        return False
    place = next((at for at, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    is_other = len(shorter) == len(longer)
    differing = longer[place] + (shorter[place] if is_other else "")
    return differing.isalpha() and shorter[place + is_other :] == longer[place + 1 :]


# --- remembered -------------------------------------------------------------------------------------------------------


def remembered(table: Table) -> Mapping[str, Member]:
    """Return the confirmed spellings: members by likeness of the name."""
    spellings = table.spellings.select_related("member")
    return {likeness(spelling.written): spelling.member for spelling in spellings}


def remember(table: Table, written: Mapping[str, Member], *, forgotten: Collection[str]) -> None:
    """Store these confirmed spellings and drop those `forgotten`; beyond the limit the oldest go."""
    gone = {likeness(name) for name in (*written, *forgotten)}
    kept = [spelling.pk for spelling in table.spellings.all() if likeness(spelling.written) not in gone]
    kept = kept[max(0, len(kept) + len(written) - MOST_SPELLINGS) :]
    table.spellings.exclude(pk__in=kept).delete()
    Spelling.objects.bulk_create(
        Spelling(table=table, written=name, member=member) for name, member in written.items()
    )
