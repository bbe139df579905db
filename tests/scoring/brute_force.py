"""A brute-force solver for the leftovers of Chinchón, straight from RULES 5, to compare the real solvers
with.

It is deliberately simple: sets and runs are checked card by card, and every choice and every order is
tried. A hand is a tuple of cards; a pack is three plain values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from games.scoring.cards import Card

Cards = tuple[Card, ...]


@dataclass(frozen=True)
class Rules:
    """A pack: its ranks in order, the points of each rank, and its wild cards with their points."""

    ranks: tuple[str, ...]
    values: Mapping[str, int]
    wilds: Mapping[Card, int]

    def points(self, cards: Sequence[Card]) -> int:
        return sum(self.wilds[card] if card in self.wilds else self.values[card.rank] for card in cards)

    def is_set(self, cards: Sequence[Card]) -> bool:
        """Return whether they are three or more of a rank; wilds stand beside at least one natural card."""
        naturals = [card for card in cards if card not in self.wilds]
        return (
            len(cards) >= 3 and len(naturals) >= 1 and all(card.rank == naturals[0].rank for card in naturals)
        )

    def is_run(self, cards: Sequence[Card]) -> bool:
        """Return whether they are three or more cards in consecutive places of one suit.

        Each natural card is at its own place; the wilds fill the other places.
        """
        naturals = [card for card in cards if card not in self.wilds]
        if len(cards) < 3 or not naturals or any(card.suit != naturals[0].suit for card in naturals):
            return False
        held = sorted(card.rank for card in naturals)
        for start in range(len(self.ranks) - len(cards) + 1):
            places = self.ranks[start : start + len(cards)]
            if sorted(rank for rank in places if rank in held) == held:
                return True
        return False

    def is_group(self, cards: Sequence[Card]) -> bool:
        return self.is_set(cards) or self.is_run(cards)


def least_left(rules: Rules, hand: Cards) -> int:
    """Return the least points left over after making groups of the hand: every choice of groups is tried."""
    everything = (1 << len(hand)) - 1
    groups = [chosen for chosen in range(1, everything + 1) if rules.is_group(_picked(hand, chosen))]
    points = {1 << place: rules.points((card,)) for place, card in enumerate(hand)}
    least: dict[int, int] = {0: 0}

    def left(held: int) -> int:
        if held not in least:
            first = held & -held
            least[held] = points[first] + left(held ^ first)
            for group in groups:
                if group & first and group & held == group:
                    least[held] = min(least[held], left(held ^ group))
        return least[held]

    return left(everything)


def least_left_on(rules: Rules, hand: Cards, shown: Sequence[Cards]) -> int:
    """Return the least points left when groups are laid and cards put on groups that others have shown.

    Cards are put down one by one, in every order.
    """
    own = [
        chosen
        for size in range(3, len(hand) + 1)
        for chosen in combinations(range(len(hand)), size)
        if rules.is_group([hand[place] for place in chosen])
    ]
    least: dict[tuple[frozenset[int], tuple[tuple[int, ...], ...]], int] = {}

    def left(held: frozenset[int], added: tuple[tuple[int, ...], ...]) -> int:
        if (held, added) not in least:
            best = rules.points([hand[place] for place in held])
            for chosen in own:
                if held.issuperset(chosen):
                    best = min(best, left(held.difference(chosen), added))
            for number, cards in enumerate(shown):
                for place in held:
                    on_it = tuple(sorted((*added[number], place)))
                    if rules.is_group([*cards, *(hand[place] for place in on_it)]):
                        best = min(best, left(held - {place}, (*added[:number], on_it, *added[number + 1 :])))
            least[held, added] = best
        return least[held, added]

    return left(frozenset(range(len(hand))), ((),) * len(shown))


def is_laid(rules: Rules, hand: Cards, groups: Sequence[Cards], left: Cards) -> bool:
    """Return whether these groups are legal and, with the cards left, are exactly the hand."""
    laid = [card for group in groups for card in group]
    return all(map(rules.is_group, groups)) and Counter(hand) == Counter((*laid, *left))


def _picked(hand: Cards, chosen: int) -> list[Card]:
    return [card for place, card in enumerate(hand) if chosen >> place & 1]
