"""The parts of a hand of Chinchón that may be laid together: own groups, or cards for groups on the table.

A part is a selection of the hand's cards. It is stored as one int with a hexadecimal digit for each distinct
card: its number of copies. So equal cards are interchangeable, and no choice among them is made twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import compress, product
from typing import NamedTuple

from ..cards import Card
from .groups import MIN_GROUP_SIZE, Pack, remove_cards

Cards = tuple[Card, ...]
SortKey = tuple[float, ...]  # the sort key of an own group: the lesser is preferred


class Spot(NamedTuple):
    """A group on the table with someone else's card in it, as one player sees the group.

    `others` are the other players' cards. `stays` lists each selection of the player's own cards that, with
    `others`, is still a valid group; an empty selection means that none has to stay. `is_owner` is true if
    this player laid the group first.
    """

    others: Cards
    stays: tuple[Cards, ...] = ((),)
    is_owner: bool = False


class HandPart(NamedTuple):
    """Cards of a hand that are laid together, and their number of wilds.

    `cards` are indexes of the hand's distinct cards, which are in the order of the pack, wilds last; equal
    cards share an index. `selection` is the same selection as an int. `rank` is the sort key of an own group.
    """

    cards: tuple[int, ...]
    selection: int
    wilds: int
    rank: SortKey = ()


class CardSummary(NamedTuple):
    """A summary of natural cards: their number, their common rank and suit, and their places in a run.

    `rank` and `suit` are "" if the cards have several. A place is a bit; `places` is -1 if two cards share a
    place, and 0 if there are several suits.
    """

    size: int
    rank: str
    suit: str
    places: int

    @classmethod
    def of(cls, naturals: Sequence[Card], pack: Pack) -> CardSummary:
        if not naturals:
            return EMPTY_SUMMARY
        rank_places, places = pack.place, 0
        rank, suit = naturals[0].rank, naturals[0].suit
        for card in naturals:
            if card.rank != rank:
                rank = ""
            if card.suit != suit:
                suit = ""
            bit = 1 << rank_places[card.rank]
            places = -1 if places & bit else places | bit
        return cls(len(naturals), rank, suit, places if suit else 0)

    def least_with(self, others: CardSummary) -> tuple[bool, int]:
        """Return whether the cards of both summaries share a rank, and the length of the shortest run of all.

        The run may need wilds between these cards. The length is 0 if no run can have them all.
        """
        if not self.size or not others.size:
            whole = self if self.size else others
            return bool(whole.rank), _span_length(whole.places) if whole.suit and whole.places > 0 else 0
        is_one_rank = self.rank == others.rank != ""
        if self.suit != others.suit or not self.suit or self.places & others.places:
            return is_one_rank, 0
        return is_one_rank, _span_length(self.places | others.places)


def _span_length(places: int) -> int:
    """Return the number of places from the lowest set bit of `places` to the highest, both included."""
    return places.bit_length() - (places & -places).bit_length() + 1


EMPTY_SUMMARY = CardSummary(0, "", "", 0)
GROUP_CHECK_STEPS = 8  # steps to check the groups that a selection of cards can be part of
_DIGIT = 4  # bits for each distinct card: a pack has fewer than eight copies, so the highest bit stays free


class HandParts:
    """The parts of one hand that form groups, by themselves or with the cards of a spot."""

    def __init__(self, pack: Pack, hand: Collection[Card]) -> None:
        self.pack = pack
        self.hand = tuple(hand)
        counted = Counter(hand)
        self._kinds = sorted(counted, key=self._in_order)
        self._counts = [counted[card] for card in self._kinds]
        self.all = sum(count << _DIGIT * place for place, count in enumerate(self._counts))
        # The highest bit of every digit. It is set before a subtraction: a digit that borrows then loses it.
        self.borrow_bits = sum(8 << _DIGIT * place for place in range(len(self._kinds)))
        self._wild: list[int] = []  # the indexes of the wilds
        self._of_rank: dict[str, list[int]] = {}  # the indexes of each rank and each suit, without wilds
        self._of_suit: dict[str, list[int]] = {}
        for place, card in enumerate(self._kinds):
            if card in pack.wilds:
                self._wild.append(place)
            else:
                self._of_rank.setdefault(card.rank, []).append(place)
                self._of_suit.setdefault(card.suit, []).append(place)
        self._on: dict[Spot, list[HandPart]] = {}  # the parts that fit a spot, cached for later turns
        self._chosen: dict[tuple[int, ...], list[tuple[CardSummary, tuple[int, ...]]]] = {}
        self.checked = 0  # selections considered so far

    @cached_property
    def points(self) -> dict[int, int]:
        """The points of every selection of cards, keyed by the selection as an int."""
        points = {0: 0}
        for place, (card, count) in enumerate(zip(self._kinds, self._counts, strict=True)):
            value, unit = self.pack.points((card,)), 1 << _DIGIT * place
            points |= {
                selection + copies * unit: points_held + copies * value
                for selection, points_held in points.items()
                for copies in range(1, count + 1)
            }
        return points

    @cached_property
    def sets(self) -> list[HandPart]:
        """The sets that cards of the hand form, with their sort key by RULES 5.

        The order is the lowest rank first, then the most cards.
        """
        return [
            part._replace(rank=(self.pack.place[rank], -len(part.cards)))
            for rank, naturals in self._of_rank.items()
            for part, is_one_rank, _ in self._groups(EMPTY_SUMMARY, 0, tuple(naturals))
            if is_one_rank
        ]

    @cached_property
    def runs(self) -> list[HandPart]:
        """The runs that cards of the hand form, with their sort key by RULES 5.

        The order is suit by suit in the order of the pack, from the lowest card up, the longest first. Since
        a wild counts as a card like the others, a wild may be the lowest card of a run. Such a run begins at
        the lowest possible place.
        """
        return [
            part._replace(rank=(self.pack.deck.suits.index(suit), self._lowest(part), -len(part.cards)))
            for suit, naturals in self._of_suit.items()
            for part, _, is_run in self._groups(EMPTY_SUMMARY, 0, tuple(naturals))
            if is_run
        ]

    def _lowest(self, part: HandPart) -> int:
        """Return the lowest place (rank) where a run of exactly these cards may start."""
        naturals = [self._kinds[place] for place in part.cards if place not in self._wild]
        return max(0, max(self.pack.place[card.rank] for card in naturals) - len(part.cards) + 1)

    def cards(self, selection: int) -> Cards:
        return tuple(
            [
                card
                for place, card in enumerate(self._kinds)
                for _copy in range(selection >> _DIGIT * place & 7)
            ]
        )

    def parts_for(self, spot: Spot) -> list[HandPart]:
        """Return every part that may go on the spot.

        The part forms a group with the others' cards on the spot, and it contains the own cards that must
        stay in that group.
        """
        if spot not in self._on:
            others = [card for card in spot.others if card not in self.pack.wilds]
            there, wilds = CardSummary.of(others, self.pack), len(spot.others) - len(others)
            lying = [
                part for part, _, _ in self._groups(there, wilds, self._fitting(there)) if part.selection
            ]
            if spot.stays != ((),):
                with_cards = [(part, self.cards(part.selection)) for part in lying]
                lying = [
                    part
                    for part, cards in with_cards
                    if any(not remove_cards(stay, cards) for stay in spot.stays)
                ]
            if () in spot.stays:
                lying.append(HandPart((), 0, 0))
            self._on[spot] = lying
        return self._on[spot]

    def _fitting(self, there: CardSummary) -> tuple[int, ...]:
        """Return the indexes of the hand's natural cards with the rank or suit that the cards `there` share.

        If there are no cards `there`, return all natural cards.
        """
        if not there.size:
            return tuple([place for place in range(len(self._kinds)) if place not in self._wild])
        fitting = {*self._of_rank.get(there.rank, ()), *self._of_suit.get(there.suit, ())}
        return tuple(sorted(fitting))

    def _groups(
        self, there: CardSummary, wilds: int, naturals: tuple[int, ...]
    ) -> Iterator[tuple[HandPart, bool, bool]]:
        """Yield the parts that form a group with cards on the table, as (part, is a set, is a run).

        `there` summarizes the natural cards of that group, and `wilds` is the number of its wilds. A part has
        some of the hand's cards at the indexes `naturals`, and any number of the hand's wilds.
        """
        longest = len(self.pack.place)
        for some, chosen in self._choices(naturals):
            is_one_rank, least = there.least_with(some)
            if is_one_rank or least:
                size = there.size + wilds + some.size
                for wild in self._wilds:
                    if size + len(wild) >= MIN_GROUP_SIZE:
                        is_run = 0 < least <= size + len(wild) <= longest
                        if is_one_rank or is_run:
                            yield self._part(chosen, wild), is_one_rank, is_run

    def _choices(self, naturals: tuple[int, ...]) -> Sequence[tuple[CardSummary, tuple[int, ...]]]:
        """Return every selection of these natural cards as (summary, indexes), from all cards to none."""
        if naturals not in self._chosen:
            kinds, pack = self._kinds, self.pack
            self._chosen[naturals] = [
                (CardSummary.of([kinds[place] for place in chosen], pack), chosen)
                for chosen in self._copies(naturals)
            ]
        self.checked += len(self._chosen[naturals])
        return self._chosen[naturals]

    @cached_property
    def _wilds(self) -> tuple[tuple[int, ...], ...]:
        """The selections of the hand's wilds, from all wilds to none."""
        return tuple(self._copies(self._wild))

    def _copies(self, places: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield every selection of the cards at these indexes, from all of them to none."""
        if max(self._counts, default=1) == 1:  # the same selections as below, in a third of the time
            for is_chosen in product((True, False), repeat=len(places)):
                yield tuple(compress(places, is_chosen))
            return
        for copies in product(*[range(self._counts[place], -1, -1) for place in places]):
            yield tuple(
                [place for place, count in zip(places, copies, strict=True) for _copy in range(count)]
            )

    def _part(self, naturals: tuple[int, ...], wilds: tuple[int, ...]) -> HandPart:
        cards = naturals + wilds
        return HandPart(cards, sum([1 << _DIGIT * place for place in cards]), len(wilds))

    def _in_order(self, card: Card) -> tuple[bool, int, int]:
        suits, place = self.pack.deck.suits, self.pack.place
        return card in self.pack.wilds, suits.find(card.suit), place.get(card.rank, len(place))
