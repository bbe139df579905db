"""Sets and runs of Chinchón as they are laid on the table, and the pack that defines them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..cards import Card, Deck
from ..frozen import Frozen
from .runs import MIN_RUN_LENGTH

MIN_GROUP_SIZE = 3


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Group(Frozen):
    """A set (pierna) or a run (escalera) as it lies on the table.

    The cards of a run are in ascending order, each wild in the place that it fills.
    """

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.cards))


@dataclass(frozen=True, eq=False, repr=False)
class Pack(Frozen):
    """A deck, the points of each rank, and its wilds (comodines) with their points.

    A set is three or more cards of one rank, in any suits. A run is three or more consecutive ranks of one
    suit, in the deck's order, and never continues from the highest rank to the lowest. A wild stands for any
    card, even for one that is held or is on the table. Next to at least one natural card, a set takes any
    number of wilds, and a run as many as it has places.
    """

    deck: Deck
    values: Mapping[str, int]
    wilds: Mapping[Card, int]

    def __post_init__(self) -> None:
        if len(self.deck.suits) > 4:
            raise ValueError("a pack has at most four suits here")
        if min(self.values[rank] for rank in self.deck.ranks) < 1 or min(self.wilds.values(), default=1) < 1:
            raise ValueError("every card counts at least one point")

    @cached_property
    def place(self) -> dict[str, int]:
        """The place of each rank in running order, counted from 0."""
        return {rank: place for place, rank in enumerate(self.deck.ranks)}

    def points(self, cards: Iterable[Card]) -> int:
        return sum(self.wilds[card] if card in self.wilds else self.values[card.rank] for card in cards)

    def is_set(self, cards: Sequence[Card]) -> bool:
        return (
            len(cards) >= MIN_GROUP_SIZE and len({card.rank for card in cards if card not in self.wilds}) == 1
        )

    def is_run(self, cards: Sequence[Card]) -> bool:
        naturals = self._naturals(cards)
        places = {self.place[card.rank] for card in naturals}
        return (
            MIN_RUN_LENGTH <= len(cards) <= len(self.place)
            and len({card.suit for card in naturals}) == 1
            and len(places) == len(naturals)
            and max(places) - min(places) < len(cards)
        )

    def is_group(self, cards: Sequence[Card]) -> bool:
        return self.is_set(cards) or self.is_run(cards)

    def group(self, cards: Sequence[Card]) -> Group:
        """Return these cards as a set, or as a run in order.

        A wild whose own rank and suit belong to the run takes its own place, such as a wild ace of coins in a
        run of coins that starts with the ace. Other wilds fill the gaps of the run. The wilds that are left
        extend the run upwards, and downwards once the run has reached the highest rank.
        """
        naturals, wilds = self._naturals(cards), [card for card in cards if card in self.wilds]
        if not self.is_run(cards):
            return Group((*sorted(naturals, key=lambda card: self.deck.suits.index(card.suit)), *wilds))
        run_cards = {self.place[card.rank]: card for card in naturals}
        native_cards = {
            self.place[card.rank]: card for card in wilds if card.suit == naturals[0].suit
        } | run_cards
        starts = range(
            max(0, max(run_cards) - len(cards) + 1), min(min(run_cards), len(self.place) - len(cards)) + 1
        )
        start = max(
            starts, key=lambda start: (len(native_cards.keys() & range(start, start + len(cards))), start)
        )
        places = range(start, start + len(cards))
        run_cards |= {place: native_cards[place] for place in native_cards.keys() & places}
        spare = iter(remove_cards(wilds, run_cards.values()))
        return Group(tuple(run_cards[place] if place in run_cards else next(spare) for place in places))

    def _naturals(self, cards: Iterable[Card]) -> list[Card]:
        return [card for card in cards if card not in self.wilds]


def remove_cards(cards: Iterable[Card], removed: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards, in their order, without those in `removed`; the first of equal cards go."""
    to_remove = Counter(removed)
    remaining = []
    for card in cards:
        if to_remove[card]:
            to_remove[card] -= 1
        else:
            remaining.append(card)
    return tuple(remaining)
