"""The prospects of laying a hand anew in Chinchón: a quick proof that nothing can be gained.

Most turns of placing gain nothing, and `laying` takes a hundred times as long to find that out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from ..cards import Card
from .groups import Pack
from .holdings import Bits, Holdings

MOST_FITTING = 5  # more cards that fit are left to `laying`: every selection of them is tried


class Outlook:
    """The lower bounds of what hands of single cards without wilds can leave beside groups on the table.

    `least` gives the fewest points that cards leave by themselves.
    """

    def __init__(self, pack: Pack, holdings: Holdings, least: Callable[[int], int]) -> None:
        self._bits = Bits(holdings.first_bits | dict.fromkeys(pack.wilds, 0))
        self._holdings = holdings
        self._least = least

    def may_leave_less(self, points: int, hand: Collection[Card], groups: Iterable[Collection[Card]]) -> bool:
        """Return whether the hand might leave fewer points with cards on these groups.

        False is a proof, True is none. Each card that fits a group is tried on it alone and with every other one,
        even where the group cannot take them together.
        """
        held = self._held(hand)
        tables = [self._held(group) for group in groups]
        if held is None or None in tables:
            return True
        fitting = 0
        for there in tables:
            fitting |= self._fitting(held, there or 0)
        if fitting.bit_count() > MOST_FITTING:
            return True
        least = self._least
        return any(least(held ^ placed) < points for placed in _selections(fitting))

    def _held(self, cards: Collection[Card]) -> int | None:
        """Return the cards as an int; None if one is wild, or if two are equal."""
        held = sum(map(self._bits.__getitem__, cards))
        return held if held.bit_count() == len(cards) else None

    def _fitting(self, held: int, there: int) -> int:
        """Return the cards held that can be in a set or a run with all cards `there`."""
        lowest = there & -there
        suit, place = divmod(lowest.bit_length() - 1, self._holdings.width)
        fitting = 0
        column = self._holdings.suit_column << place
        if not there & ~column:
            fitting = held & column
        one_suit = self._holdings.suit_mask << suit * self._holdings.width
        if not there & ~one_suit:
            fitting |= held & _row((held | there) & one_suit, lowest, there)
        return fitting


def _row(cards: int, lowest: int, there: int) -> int:
    """Return the cards of a suit in a row with the lowest card there; 0 if the row lacks a card there."""
    row = cards & ~(cards + lowest)  # the sum carries through all cards in a row from the lowest one up
    if there & ~row:
        return 0
    below = lowest >> 1
    while cards & below:
        row |= below
        below >>= 1
    return row


def _selections(cards: int) -> Iterator[int]:
    """Yield every selection of the cards, from all to none."""
    some = cards
    while some:
        yield some
        some = some - 1 & cards
    yield 0
