"""A hand of cards encoded as one bit mask, so that solvers work on all of its cards at once.

The part of the mask for the cards of one suit is a holding: a field for each rank, the lowest rank first. A
field has a bit for each copy of a card in the pack, and its low bits are set, as many as there are copies in
the hand.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..cards import Card
from ..errors import RuleError
from ..i18n import _
from .groups import Pack


class CardBits(dict[Card, int]):
    """A dict from each card to its bit; a card that the pack does not have raises RuleError."""

    def __missing__(self, card: Card) -> int:
        raise RuleError(_("The pack has no {card}.", card=str(card)))


class BitmaskCodec:
    """A converter between hands and bit masks: four suits, each in higher bits than the one before.

    Above the ranks of a suit one field stays empty, so a shift by one rank never moves a card into the next
    suit.
    """

    def __init__(self, pack: Pack, copies: int) -> None:
        ranks = len(pack.deck.ranks)
        self.copies = copies
        self.width = (ranks + 1) * copies
        self.suit_shifts = (0, self.width, 2 * self.width, 3 * self.width)
        self.suit_mask = (1 << ranks * copies) - 1
        self.field = (1 << copies) - 1
        self.first_bits = CardBits(
            (Card(rank, suit), 1 << shift + place * copies)
            for suit, shift in zip(pack.deck.suits, self.suit_shifts, strict=False)
            for rank, place in pack.place.items()
        )
        self.suit_column = sum(1 << shift for shift in self.suit_shifts)
        self.rank_columns = tuple(
            self.field * self.suit_column << place * copies for place in range(ranks)
        )  # for each rank, the mask of all its cards
        self.lowest_bits = self.suit_column * sum(1 << place * copies for place in range(ranks))
        self._card_at = {bit << copy: card for card, bit in self.first_bits.items() for copy in range(copies)}

    def encode(self, cards: Iterable[Card]) -> int:
        """Return the bit mask of these cards; none may be wild, or occur more often than in the pack."""
        mask = 0
        for card in cards:
            bit = self.first_bits[card]
            while mask & bit:
                bit <<= 1
            mask |= bit
        return mask

    def decode(self, mask: int) -> list[Card]:
        """Return the cards in the bit mask `mask`, suit by suit in running order."""
        cards = []
        while mask:
            cards.append(self._card_at[mask & -mask])
            mask &= mask - 1
        return cards

    def split_suits(self, hand_mask: int) -> tuple[int, int, int, int]:
        """Split the bit mask `hand_mask` into one holding per suit, in the order of the pack's suits."""
        mask = self.suit_mask
        _, second, third, fourth = self.suit_shifts
        return hand_mask & mask, hand_mask >> second & mask, hand_mask >> third & mask, hand_mask >> fourth

    def selections(self, mask: int) -> list[int]:
        """Return every selection of the cards held as a bit mask, from all of them to none.

        Selections that differ only by equal cards are returned once.
        """
        parts = [0]
        while mask:
            card = self._card_at[mask & -mask]
            field = mask & self.field * self.first_bits[card]
            mask ^= field
            picks, pick = [0], 0
            while field:  # remove the highest bit of a field, so that the rest is a holding
                top = 1 << field.bit_length() - 1
                field ^= top
                pick |= top
                picks.append(pick)
            parts = [part | pick for part in parts for pick in picks]
        return sorted(parts, key=int.bit_count, reverse=True)

    def run_candidates(self, mask: int, wilds: int) -> int:
        """Return a bit mask that includes every card in `mask` that a run could use with this many wilds.

        It may include other cards: with one wild, some that no run can use; with more wilds, all cards.
        """
        if wilds > 1:
            return -1
        low, shift, two = mask & self.lowest_bits, self.copies, 2 * self.copies
        if wilds:
            # Two of these shifts cross the empty field between suits, so a king counts as a neighbour of
            # another suit's ace. The mask may then include too many cards, which does no harm.
            runs = low & (low >> shift | low << shift | low >> two | low << two)
        else:
            runs = low & low >> shift & low >> two
            runs |= runs << shift | runs << two
        return runs * self.field
