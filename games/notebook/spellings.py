"""Other spellings of members' names: similar names, and spellings that a user confirmed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from games.models import MOST_SPELLINGS, Member, Spelling, Table
from games.names import likeness, without_accents

SHORTEST = 3  # the fewest letters of a name for which one letter may differ


class Nearby:
    """An index of names that finds the most similar name. Of equally similar names, the first added wins."""

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
        """Return the added name that is most similar to `name`; None if none is similar.

        A name that differs at most in accents, capitals, blanks or punctuation is preferred to one that
        differs in one letter.
        """
        bare = bared(name)
        near = {other for part in _with_a_gap(bare) for other in self._around.get(part, ())}
        matches = [bare] if bare in self._known else [other for other in near if _a_letter_apart(bare, other)]
        return min((self._known[match] for match in matches), default=(0, None))[1]


def bared(name: str) -> str:
    """Return a name's letters and digits in lower case, without accents: "Ana-María" becomes "anamaria".

    If the name has neither letters nor digits, keep its other signs.
    """
    plain = without_accents(name)
    return "".join(sign for sign in plain if sign.isalnum()) or plain


def _with_a_gap(bare: str) -> Iterator[str]:
    """Yield the name, and the name without its first letter, without its second letter, and so on.

    Two names that differ in one letter have at least one of these in common.
    """
    yield bare
    for place in range(len(bare)):
        yield bare[:place] + bare[place + 1 :]


def _a_letter_apart(one: str, other: str) -> bool:
    """Return whether the names differ in one letter, or one name has one letter more.

    Both names are in the form of `bared`. Digits must be equal, and the shorter name needs SHORTEST letters.
    """
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < SHORTEST or len(longer) > len(shorter) + 1:
        return False
    place = next((at for at, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    is_other = len(shorter) == len(longer)
    differing = longer[place] + (shorter[place] if is_other else "")
    return differing.isalpha() and shorter[place + is_other :] == longer[place + 1 :]


# --- confirmed --------------------------------------------------------------------------------------------------------


def remembered(table: Table) -> Mapping[str, Member]:
    """Return the member of each confirmed spelling of a name.

    The keys are the `likeness` of the spellings: they ignore capitals, for example.
    """
    spellings = table.spellings.select_related("member")
    return {likeness(spelling.written): spelling.member for spelling in spellings}


def remember(table: Table, written: Mapping[str, Member], *, forgotten: Collection[str]) -> None:
    """Store the confirmed spellings in `written` (spelling: member), and delete the `forgotten` ones.

    If the table then has more than `MOST_SPELLINGS`, delete the oldest.
    """
    gone = {likeness(name) for name in (*written, *forgotten)}
    kept = [spelling.pk for spelling in table.spellings.all() if likeness(spelling.written) not in gone]
    kept = kept[max(0, len(kept) + len(written) - MOST_SPELLINGS) :]
    table.spellings.exclude(pk__in=kept).delete()
    Spelling.objects.bulk_create(
        Spelling(table=table, written=name, member=member) for name, member in written.items()
    )
