"""Compare the rows of a notebook that only add up other rows with the sums of those rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from games.names import likeness
from games.scoring.words import Amount, Text, _

ALL = ""  # in place of a player's name: the sum of all players


class RunningSums:
    """The sums of the numbers read so far, by player: in all, and since the player's last written sum.

    A notebook may add up each page or night, or all of it. Names with the same `likeness` (e.g. that differ
    only in capitals) are one player's.
    """

    def __init__(self) -> None:
        self._whole: Counter[str] = Counter()
        self._since: Counter[str] = Counter()

    def add(self, name: str, number: int | None) -> None:
        """Add a player's number in one row; None for no number."""
        for key in (_key(name), ALL):
            self._whole[key] += number or 0
            self._since[key] += number or 0

    def compared(self, written: Mapping[str, int], *, is_money: bool) -> Iterator[Text]:
        """Yield a sentence for each written sum that is wrong.

        `written` has the sums by the player's name, or by ALL for all players. A sum is right if it adds up
        all rows, or the rows since the player's last sum.
        """
        unit = Amount if is_money else int
        for name, total in written.items():
            whole, since = self._whole[_key(name)], self._since.pop(_key(name), 0)
            if total in (whole, since):
                continue
            amounts = {"total": unit(total), "sum": unit(whole)}
            if name == ALL:
                yield _("The total says {total}, but the rows above add up to {sum}.", **amounts)
            else:
                yield _(
                    "The total of {name} says {total}, but the rows above add up to {sum}.",
                    name=name,
                    **amounts,
                )


def _key(name: str) -> str:
    return likeness(" ".join(name.split()))
