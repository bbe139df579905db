"""Laying a hand (RULES 5, Leftover): in own groups and on groups of the table, so as to keep the fewest points.

Every laying of the hand is weighed, part by part: a part of a hand is one int with a bit for each of its cards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from math import inf
from typing import NamedTuple

from games.scoring.cards import Card
from games.scoring.solvers.groups import SMALLEST, Group, Pack, without
from games.scoring.solvers.runs import NEVER

Cards = tuple[Card, ...]
Rank = tuple[float, ...]  # where an own group stands among others: the lesser counts

_NO_MORE: tuple[Rank, ...] = (
    (inf,),
)  # where one laying has no further group and another has, the other counts


class Spot(NamedTuple):
    """A group of the table with somebody else's card in it, as one player finds it.

    `others` are the cards that are not his, `stays` the choices of his own it needs to be a group still, and `shown`
    says whether it was he who showed it.
    """

    others: Cards
    stays: tuple[Cards, ...] = ((),)
    shown: bool = False


class Laid(NamedTuple):
    """A hand as it was laid: own `groups`, the cards `placed` on each spot, and the cards `left`."""

    points: int
    groups: tuple[Group, ...]
    placed: tuple[Cards, ...]
    left: Cards


class Part(NamedTuple):
    """Cards of a hand that lie together: which, how many of them wild, and the rank of the group among own ones.

    `cards` are their places in the hand, which lies in the order of the pack, wilds last; equal cards share a place.
    """

    cards: tuple[int, ...]
    bits: int
    wilds: int
    rank: Rank = ()


class Laying(NamedTuple):
    """A way to lay a hand. Of two the lesser counts: the fields stand as RULES 5 settles equal answers.

    points     "so as to keep the fewest points"
    on_others  "the fewest cards on others' games, compared game by game in the order shown"
    sets       "then own piernas, the lowest rank first and of as many cards as can be"
    runs       "then escaleras, suit by suit in the order of the pack, from the lowest card up, the longest first"
    leant_on   "of the cards another leans on the fewest stay": again game by game in the order shown
    wilds      then the fewest wilds: on others' games, in own ones and in those another leans on, game by game
    parts      then the first cards of the pack, in the same games one after the other; what is left stands last
    """

    points: int
    on_others: tuple[int, ...] = ()
    sets: tuple[Rank, ...] = _NO_MORE
    runs: tuple[Rank, ...] = _NO_MORE
    leant_on: tuple[int, ...] = ()
    wilds: tuple[int, ...] = ()
    parts: tuple[Part, ...] = ()

    def after_others(self, part: Part) -> Laying:
        """The laying with this part on a group another showed, before all others."""
        points, on_others, sets, runs, leant_on, wilds, parts = self
        on_others = (len(part.cards), *on_others)
        return Laying(points, on_others, sets, runs, leant_on, (part.wilds, *wilds), (part, *parts))

    def after_set(self, part: Part) -> Laying:
        """The laying with this own set before its sets."""
        points, on_others, sets, runs, leant_on, wilds, parts = self
        sets = (part.rank, *sets)
        return Laying(points, on_others, sets, runs, leant_on, (part.wilds, *wilds), (part, *parts))

    def after_run(self, part: Part) -> Laying:
        """The laying with this own run before its runs."""
        points, on_others, sets, runs, leant_on, wilds, parts = self
        runs = (part.rank, *runs)
        return Laying(points, on_others, sets, runs, leant_on, (part.wilds, *wilds), (part, *parts))

    def after_leant_on(self, part: Part) -> Laying:
        """The laying with this part in a group he showed himself, before all such."""
        points, on_others, sets, runs, leant_on, wilds, parts = self
        leant_on = (len(part.cards), *leant_on)
        return Laying(points, on_others, sets, runs, leant_on, (part.wilds, *wilds), (part, *parts))


class Step(NamedTuple):
    """One step of laying: the parts it may take, and how a laying of the later steps grows by one of them.

    A spot takes exactly one part, if only the empty one; of own groups there may be several or none.
    """

    parts: Sequence[Part]
    grown: Callable[[Laying, Part], Laying]
    is_own: bool


class Parts:
    """The parts of one hand that make groups, by themselves or with the cards of a spot."""

    def __init__(self, pack: Pack, hand: Collection[Card]) -> None:
        self.pack = pack
        self.hand = tuple(hand)
        self._cards = sorted(hand, key=self._in_order)
        self.all = (1 << len(self._cards)) - 1
        self._wild = 0
        self._of_rank: dict[str, int] = {}  # the cards of a rank, and of a suit, less the wilds
        self._of_suit: dict[str, int] = {}
        for place, card in enumerate(self._cards):
            if card in pack.wilds:
                self._wild |= 1 << place
            else:
                self._of_rank[card.rank] = self._of_rank.get(card.rank, 0) | 1 << place
                self._of_suit[card.suit] = self._of_suit.get(card.suit, 0) | 1 << place
        places = {card: place for place, card in enumerate(dict.fromkeys(self._cards))}
        self._places = [places[card] for card in self._cards]
        self._on: dict[Spot, list[Part]] = {}  # what lies on a spot, kept for the next turn

    @cached_property
    def points(self) -> list[int]:
        """What the cards of every part count."""
        points = [0]
        for card in self._cards:
            value = self.pack.points((card,))
            points += [others + value for others in points]
        return points

    @cached_property
    def sets(self) -> list[Part]:
        """Own sets, ranked: "the lowest rank first and of as many cards as can be"."""
        return [
            self.part(bits, (self.pack.place[rank], -size))
            for rank, naturals in self._of_rank.items()
            for bits, size in self._groups_of(naturals)
        ]

    @cached_property
    def runs(self) -> list[Part]:
        """Own runs, ranked: "suit by suit in the order of the pack, from the lowest card up, the longest first".

        "A wild counts as a card like the others": it may be the lowest, and stands as low as it can.
        """
        return [
            self.part(bits, (self.pack.deck.suits.index(suit), self._lowest(bits & naturals, size), -size))
            for suit, naturals in self._of_suit.items()
            for bits, size in self._groups_of(naturals)
            if self.pack.is_run(self.cards(bits))
        ]

    def cards(self, bits: int) -> Cards:
        """The cards of a part."""
        return tuple([card for place, card in enumerate(self._cards) if bits >> place & 1])

    def on(self, spot: Spot) -> list[Part]:
        """Every part that may lie on the spot: a group with it, and with those of its cards alone that had to stay."""
        if spot not in self._on:
            self._on[spot] = [
                self.part(bits) for bits in _parts_of(self._fitting(spot.others)) if self._may_lie(bits, spot)
            ]
        return self._on[spot]

    def _may_lie(self, bits: int, spot: Spot) -> bool:
        if not bits:
            return () in spot.stays
        cards = self.cards(bits)
        return self.pack.is_group((*spot.others, *cards)) and any(
            not stay or not without(stay, cards) for stay in spot.stays
        )

    def _fitting(self, others: Cards) -> int:
        """The cards that could lie with these, of their rank or suit where they have only one, and the wilds."""
        naturals = [card for card in others if card not in self.pack.wilds]
        if not naturals:
            return self.all
        fitting, one = self._wild, naturals[0]
        if all(card.rank == one.rank for card in naturals):
            fitting |= self._of_rank.get(one.rank, 0)
        if all(card.suit == one.suit for card in naturals):
            fitting |= self._of_suit.get(one.suit, 0)
        return fitting

    def _groups_of(self, naturals: int) -> Iterator[tuple[int, int]]:
        """Parts of these cards and wilds that are large enough for a group, and how many cards each has."""
        if (naturals | self._wild).bit_count() >= SMALLEST:
            for bits in _parts_of(naturals | self._wild):
                size = bits.bit_count()
                if size >= SMALLEST and bits & naturals:
                    yield bits, size

    def _lowest(self, naturals: int, size: int) -> int:
        """The lowest place at which a run of this size with these cards may start."""
        return max(0, max(self.pack.place[card.rank] for card in self.cards(naturals)) - size + 1)

    def part(self, bits: int, rank: Rank = ()) -> Part:
        """These cards as a part."""
        cards = tuple([place for number, place in enumerate(self._places) if bits >> number & 1])
        return Part(cards, bits, (bits & self._wild).bit_count(), rank)

    def _in_order(self, card: Card) -> tuple[bool, int, int]:
        suits, place = self.pack.deck.suits, self.pack.place
        return card in self.pack.wilds, suits.find(card.suit), place.get(card.rank, len(place))


class Layings:
    """All layings of one hand on these spots, step by step; the best of those that leave as many cards is found once."""

    def __init__(self, parts: Parts, spots: Sequence[Spot] = ()) -> None:
        self._parts = parts
        self._spots = spots
        taking = [number for number, spot in enumerate(spots) if any(part.bits for part in parts.on(spot))]
        self._others = [number for number in taking if not spots[number].shown]
        self._leant_on = [number for number in taking if spots[number].shown]
        self._steps = [
            *(Step(parts.on(spots[number]), Laying.after_others, is_own=False) for number in self._others),
            Step(parts.sets, Laying.after_set, is_own=True),
            Step(parts.runs, Laying.after_run, is_own=True),
            *(
                Step(parts.on(spots[number]), Laying.after_leant_on, is_own=False)
                for number in self._leant_on
            ),
        ]
        self._known: dict[tuple[int, int], Laying] = {}
        self._best = self._best_of(0, parts.all)

    @property
    def points(self) -> int:
        """The fewest points the hand leaves."""
        return self._best.points

    def laid(self) -> Laid:
        """The hand as it is laid for the fewest points, equal answers settled by the order of RULES 5."""
        cards = self._parts.cards
        *on_table, left = self._best.parts
        first, last = len(self._others), len(on_table) - len(self._leant_on)
        on_spots = zip((*self._others, *self._leant_on), (*on_table[:first], *on_table[last:]), strict=True)
        placed = {number: cards(part.bits) for number, part in on_spots}
        return Laid(
            points=self.points,
            groups=tuple(self._parts.pack.group(cards(part.bits)) for part in on_table[first:last]),
            placed=tuple(placed.get(number, ()) for number in range(len(self._spots))),
            left=without(self._parts.hand, cards(self._parts.all ^ left.bits)),
        )

    def _best_of(self, number: int, held: int) -> Laying:
        """The laying that counts of the cards still held, from this step on."""
        if (number, held) not in self._known:
            self._known[number, held] = min(self._every(number, held), default=Laying(NEVER))
        return self._known[number, held]

    def _every(self, number: int, held: int) -> Iterator[Laying]:
        """For every choice at this step the best laying from there on."""
        if number == len(self._steps):
            yield Laying(self._parts.points[held], parts=(Part((), held, 0),))
            return
        parts, grown, is_own = self._steps[number]
        if is_own:
            yield self._best_of(number + 1, held)
        for part in parts:
            if part.bits & held == part.bits:
                yield grown(self._best_of(number if is_own else number + 1, held ^ part.bits), part)


def _parts_of(bits: int) -> Iterator[int]:
    """Every choice among the cards of a part, all of them first, none last."""
    part = bits
    while part:
        yield part
        part = part - 1 & bits
    yield 0
