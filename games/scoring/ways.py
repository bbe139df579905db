"""Every way to lay a hand that can be the best: what goes on groups that are shown, and which own sets are made.

What is left after that falls into suits, and what runs do there stands in tables (see `runs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from operator import add
from typing import NamedTuple

from games.scoring.cards import Card
from games.scoring.groups import SMALLEST, Pack
from games.scoring.holdings import Holdings
from games.scoring.runs import Runs, points_after_runs


class Spot(NamedTuple):
    """A shown group as a place for more cards: the rank that fits a set, the suit and places of a run, -1 for neither."""

    rank: int
    suit: int
    places: int
    wilds: int


class Take(NamedTuple):
    """Natural cards and wilds that lie in one group of the way; `feeds`: it is a set, and takes any more wilds."""

    cards: int
    wilds: int
    feeds: bool


class Way(NamedTuple):
    """Cards and wilds still to lie in runs, whether spare wilds have a set to go to, and what lies already.

    `takes` holds one take for each spot, empty where nothing goes there, then one for each own set.
    """

    held: int
    wilds: int
    fed: bool
    takes: tuple[Take, ...]

    def taking(self, take: Take) -> Way:
        """The way with one take more."""
        return Way(
            self.held ^ take.cards, self.wilds - take.wilds, self.fed or take.feeds, (*self.takes, take)
        )


class Ways:
    """The ways of one pack, for hands with at most `copies` of each card."""

    def __init__(self, pack: Pack, copies: int) -> None:
        self.pack = pack
        self.holdings = Holdings(pack, copies)
        values = [pack.values[rank] for rank in pack.deck.ranks]
        self.runs = Runs(values, copies)
        self.after_runs = points_after_runs(values) if copies == 1 else self.runs.points(0)
        self._parts = cache(self.holdings.parts)  # only ever asked for cards of one rank
        self.spot = lru_cache(maxsize=4096)(self._spot)

    def _spot(self, cards: tuple[Card, ...]) -> Spot:
        """The place for more cards that a group of these cards is."""
        naturals = [card for card in cards if card not in self.pack.wilds]
        place, suits = self.pack.place, self.pack.deck.suits
        return Spot(
            rank=place[naturals[0].rank] if self.pack.is_set(cards) else -1,
            suit=suits.index(naturals[0].suit) if self.pack.is_run(cards) else -1,
            places=sum({1 << place[card.rank] for card in naturals}),
            wilds=len(cards) - len(naturals),
        )

    def every(self, held: int, wilds: int, spots: Sequence[Spot] = ()) -> list[Way]:
        """The ways of a hand, in the order that settles ties: the first of those that leave least is the answer."""
        return [way for placed in self.placing(held, wilds, spots) for way in self._with_sets(placed)]

    def placing(self, held: int, wilds: int, spots: Sequence[Spot]) -> list[Way]:
        """The ways to place on shown groups, own sets not yet thought of."""
        # A card that no run could use goes on any shown set of its rank: kept back it would only count.
        wanted = self.holdings.in_runs(held, wilds)
        for spot in spots:
            wanted |= self._reach(spot, held, wilds)
        ways = [Way(held, wilds, False, ())]
        for spot in spots:
            ways = [way.taking(take) for way in ways for take in self._additions(way, spot, wanted)]
        return ways

    def _with_sets(self, way: Way) -> list[Way]:
        """The way with own sets, rank by rank, of as many cards as can be first."""
        # A card that no run could use lies in every set that is made of its rank: left out it would only count.
        wanted = self.holdings.in_runs(way.held, way.wilds)
        # One card with wilds is a run as well, and left to the tables, unless the wilds are more than a run holds.
        fewest = 1 if way.wilds >= len(self.holdings.rank_columns) else 2 if way.wilds else SMALLEST
        ways = [way]
        for column in self.holdings.rank_columns:
            cards = way.held & column
            if cards.bit_count() < fewest:
                continue
            takes = []
            for part in self._parts(cards):
                size = part.bit_count()
                if size >= fewest and size + way.wilds >= SMALLEST and not (cards ^ part) & ~wanted:
                    takes.append(Take(part, max(0, SMALLEST - size), True))
            stays = cards & wanted or cards.bit_count() < SMALLEST
            longer: list[Way] = []
            for shorter in ways:
                longer += [shorter.taking(take) for take in takes if take.wilds <= shorter.wilds]
                if stays:
                    longer.append(shorter)
            ways = longer
        return ways

    def _additions(self, way: Way, spot: Spot, wanted: int) -> Iterator[Take]:
        """What may go on a shown group, the fewest cards first."""
        if spot.rank >= 0:
            cards = way.held & self.holdings.rank_columns[spot.rank]
            for part in reversed(self._parts(cards)):
                if not (cards ^ part) & ~wanted:
                    yield Take(part, 0, True)
        if spot.suit >= 0:
            yield from self._longer_runs(way, spot)

    def _longer_runs(self, way: Way, spot: Spot) -> Iterator[Take]:
        holdings = self.holdings
        reached = self._reach(spot, way.held, way.wilds) & way.held
        chosen = [(0, spot.places)]
        for place, column in enumerate(holdings.rank_columns):
            if field := reached & column:
                top = 1 << field.bit_length() - 1
                chosen += [(cards | top, places | 1 << place) for cards, places in chosen]
        for cards, places in chosen:
            size = places.bit_count() + spot.wilds
            needed = max(0, places.bit_length() - _lowest(places) - size)
            room = len(holdings.rank_columns) - size
            for wilds in range(needed, min(room, way.wilds) + 1):
                yield Take(cards, wilds, False)

    def _reach(self, spot: Spot, held: int, wilds: int) -> int:
        """The fields of every card of the run's suit that could go on it, with all cards held and so many wilds."""
        if spot.suit < 0:
            return 0
        holdings = self.holdings
        shift, copies, ranks = holdings.suit_shifts[spot.suit], holdings.copies, len(holdings.rank_columns)
        low, high = _lowest(spot.places), spot.places.bit_length() - 1
        inside = [place for place in range(low, high) if not spot.places >> place & 1]
        reached = [place for place in inside if held >> shift + place * copies & 1]
        gaps = spot.wilds + wilds - len(inside) + len(reached)
        for way in (range(low - 1, -1, -1), range(high + 1, ranks)):
            missing = 0
            for place in way:
                if held >> shift + place * copies & 1:
                    reached.append(place)
                else:
                    missing += 1
                    if missing > gaps:
                        break
        return sum(holdings.field << shift + place * copies for place in reached)

    # --- what a way leaves --------------------------------------------------------------------------------------------

    def points(self, way: Way, spare: Sequence[int]) -> int:
        """The points a way leaves at best; `spare` is what 0, 1, 2 … wilds left over count."""
        if not way.wilds:
            left = self.after_runs
            first, second, third, fourth = self.holdings.suits(way.held)
            return left[first] + left[second] + left[third] + left[fourth]
        return min(self._by_wilds(way, spare))

    def groups(self, way: Way, spare: Sequence[int], wilds: Sequence[Card]) -> list[list[Card]]:
        """The cards of every take of the way, then of its best runs; of the wilds the first lie first."""
        by_wilds = self._by_wilds(way, spare)
        in_runs = by_wilds.index(min(by_wilds))
        unused = list(wilds)
        groups = [[*self.holdings.cards(take.cards), *_pop(unused, take.wilds)] for take in way.takes]
        for suit, share in enumerate(self._shares(way, in_runs)):
            holding = self.holdings.suits(way.held)[suit]
            for run in self.runs.best(holding, share):
                places = enumerate(run.natural, run.start)
                cards = [self._card(suit, place) for place, natural in places if natural]
                groups.append([*cards, *_pop(unused, run.natural.count(False))])
        if way.fed:
            # The last set is an own one, if there is any.
            feeding = max(number for number, take in enumerate(way.takes) if take.feeds)
            groups[feeding] += unused
        return groups

    def _by_wilds(self, way: Way, spare: Sequence[int]) -> Sequence[int]:
        """The points left when exactly 0, 1, 2 … wilds lie in runs; the others count, unless a set takes them."""
        by_wilds = self.runs.by_wilds(way.wilds)
        rows = [by_wilds[holding] for holding in self.holdings.suits(way.held) if holding]
        least = rows.pop() if rows else by_wilds[0]
        for row in rows:
            least = [min(map(add, least[: wilds + 1], row[wilds::-1])) for wilds in range(len(row))]
        if way.fed:
            return least
        return [points + spare[way.wilds - wilds] for wilds, points in enumerate(least)]

    def _shares(self, way: Way, wilds: int) -> tuple[int, ...]:
        """How many of these wilds lie in the runs of each suit, where that leaves least."""
        holdings = self.holdings.suits(way.held)
        return min(
            (shares for shares in product(range(wilds + 1), repeat=len(holdings)) if sum(shares) == wilds),
            key=lambda shares: sum(
                self.runs.points(share)[holding] for share, holding in zip(shares, holdings, strict=True)
            ),
        )

    def _card(self, suit: int, place: int) -> Card:
        return Card(self.pack.deck.ranks[place], self.pack.deck.suits[suit])


def _lowest(places: int) -> int:
    return (places & -places).bit_length() - 1


def _pop(cards: list[Card], count: int) -> list[Card]:
    """So many of the first cards, taken out."""
    popped, cards[:count] = cards[:count], []
    return popped
