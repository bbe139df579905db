"""A fast solver for one turn of placing in Chinchón (`placing`).

In the turn a player lays their hand anew, in own groups and on groups of others, to keep the fewest points. A
group is a set or a run. A spot is a group on the table that has another player's cards in it. The player who
laid a group first showed it. The solver needs a hand and groups without wilds and without equal cards, which
nearly all turns have. `laying` solves any turn, with the same answers, but takes up to a hundred times as
long. A selection of cards is one int, a bit mask with a bit for each card of the pack (`bitmasks`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from math import inf
from typing import NamedTuple

from ..cards import Card
from ..step_budget import spend_steps
from .bitmasks import BitmaskCodec, CardBits
from .groups import MIN_GROUP_SIZE, Group, Pack
from .hand_parts import Cards
from .laying import LaidHand

REST_STEPS = 8  # steps of `step_budget` for each selection of cards that may stay in hand


class MaskedSpot(NamedTuple):
    """A group on the table with another player's card in it, as bit masks of the cards in it.

    `others` are the other players' cards, `player_cards` those of the player whose turn it is. `is_owner` is
    true if this player showed the group.
    """

    others: int
    player_cards: int
    is_owner: bool


class MaskedTable(NamedTuple):
    """The table as one player sees it: the hand as a bit mask, and the groups that its cards may go on."""

    hand: int
    spots: Sequence[MaskedSpot]


# For each spot, the bit mask of the cards that go on it.
SpotMasks = tuple[int, ...]


class FastPlacingSolver:
    """A solver of one pack for hands and groups without wilds and equal cards.

    `least` returns the fewest points that cards, given as a bit mask, leave by themselves. `best` returns
    these points, the own groups that leave them, and the cards left.
    """

    def __init__(
        self,
        pack: Pack,
        holdings: BitmaskCodec,
        least: Callable[[int], int],
        best: Callable[[Cards], tuple[int, tuple[Group, ...], Cards]],
    ) -> None:
        self._card_bit = CardBits(holdings.first_bits | dict.fromkeys(pack.wilds, 0)).__getitem__
        self._holdings = holdings
        self._least = least
        self._best = best

    def mask_table(
        self, hand: Sequence[Card], groups: Sequence[tuple[Cards, Cards, bool]]
    ) -> MaskedTable | None:
        """Return the hand and the groups as bit masks; None if there is a wild or two cards are equal.

        Each group is given as (others' cards, the player's own cards, whether the player showed the group).
        """
        hand_mask = self._mask(hand)
        spots = [
            MaskedSpot(self._mask(others), self._mask(player_cards), is_owner)
            for others, player_cards, is_owner in groups
        ]
        if not hand_mask or not all(spot.others for spot in spots):
            return None
        return MaskedTable(hand_mask, spots)

    def find_better_laying(self, points: int, hand: Sequence[Card], view: MaskedTable) -> LaidHand | None:
        """Return the best way to lay the hand by RULES 5; None if none leaves fewer than `points`.

        `view` is the result of `mask_table` for this hand.
        """
        spots, first_own = self._ordered_spots(view)
        placings = self._placings(view.hand, [parts for _number, parts in spots])
        spend_steps(REST_STEPS * len(placings))
        least_points = {rest: self._least(rest) for rest in placings}
        fewest = min(least_points.values())
        if fewest >= points:
            return None
        rests = [rest for rest in placings if least_points[rest] == fewest]
        if len(rests) > 1:
            rests.sort(key=lambda rest: self._preference(hand, rest, placings[rest], first_own))
        _points, groups, remaining = self._best(self._unmask(hand, rests[0]))
        masks_by_spot = dict(zip([number for number, _parts in spots], placings[rests[0]], strict=True))
        return LaidHand(
            fewest,
            groups,
            tuple(
                [
                    tuple(self._holdings.decode(masks_by_spot.get(number, 0)))
                    for number in range(len(view.spots))
                ]
            ),
            remaining,
        )

    def _mask(self, cards: Collection[Card]) -> int:
        """Return the bit mask of the cards; 0 if one is wild, or if two are equal."""
        mask = sum(map(self._card_bit, cards))
        return mask if mask.bit_count() == len(cards) else 0

    def _unmask(self, hand: Sequence[Card], mask: int) -> Cards:
        card_bit = self._card_bit
        return tuple([card for card in hand if mask & card_bit(card)])

    # --- the spots ------------------------------------------------------------------------------------------

    def _ordered_spots(self, view: MaskedTable) -> tuple[list[tuple[int, list[int]]], int]:
        """Return the spots that can take a card, and the number of them that others showed.

        Each spot is given as (its position in the view, the bit masks of the selections that may go on it).
        The groups that others showed come first, as in the order of RULES 5.
        """
        others: list[tuple[int, list[int]]] = []
        owned_spots: list[tuple[int, list[int]]] = []
        for number, spot in enumerate(view.spots):
            parts = self._selections_on(view.hand, spot)
            if parts != _NO_SELECTION:
                (owned_spots if spot.is_owner else others).append((number, parts))
        return others + owned_spots, len(others)

    def _selections_on(self, hand: int, spot: MaskedSpot) -> list[int]:
        """Return the bit mask of every selection of the hand's cards that may go on the spot."""
        others, player_cards, _is_owner = spot
        fitting = self._fitting(hand, others)
        if not fitting:
            return _NO_SELECTION
        parts = [part for part in _selections(fitting) if self._is_group(others, part)]
        if player_cards and not self._is_group(others, 0):
            stays = [stay for stay in _selections(player_cards) if self._is_group(others, stay)]
            parts = [part for part in parts if any(not stay & ~part for stay in stays)]
        return parts

    def _fitting(self, hand: int, there: int) -> int:
        """Return the cards in `hand` that can be in one set or run with all the cards `there`.

        The answer is a bit mask, as are `hand` and `there`.
        """
        lowest = there & -there
        suit, place = divmod(lowest.bit_length() - 1, self._holdings.width)
        fitting = 0
        column = self._holdings.suit_column << place
        if not there & ~column:
            fitting = hand & column
        one_suit = self._holdings.suit_mask << suit * self._holdings.width
        if not there & ~one_suit:
            fitting |= hand & _row((hand | there) & one_suit, lowest, there)
        return fitting

    def _is_group(self, others: int, part: int) -> bool:
        """Return whether the cards of both bit masks together form a set or a run.

        A card in both masks counts as two equal cards, which a set may have and a run may not.
        """
        if others.bit_count() + part.bit_count() < MIN_GROUP_SIZE:
            return False
        cards = others | part
        lowest = cards & -cards
        place = (lowest.bit_length() - 1) % self._holdings.width
        if not cards & ~(self._holdings.suit_column << place):
            return True
        return not (others & part or cards & cards + lowest)  # the sum carries through all cards of a run

    # --- the order of RULES 5 -------------------------------------------------------------------------------

    def _placings(self, hand: int, parts_on: Sequence[list[int]]) -> dict[int, SpotMasks]:
        """Return the preferred placing of the other cards for each selection of cards that may stay in hand.

        A selection is a bit mask. A placing gives for each spot the bit mask of the cards that go there.
        `parts_on` has, for each spot, the selections that may go there.
        """
        placings: dict[int, SpotMasks] = {hand: ()}
        for parts in parts_on:
            longer: dict[int, SpotMasks] = {}
            for remaining, placing in placings.items():
                for part in parts:
                    if not part & ~remaining:
                        rest, extended = remaining ^ part, (*placing, part)
                        if rest in longer:
                            extended = min(longer[rest], extended, key=_placing_preference)
                        longer[rest] = extended
            placings = longer
        return placings

    def _preference(
        self, hand: Sequence[Card], rest: int, placing: SpotMasks, first_own: int
    ) -> tuple[object, ...]:
        """Return the key that sorts ways to lay the hand with equal points (see `laying.LayingCandidate`).

        `placing` has the cards on each spot; from position `first_own` on, the spots are groups that the
        player showed. `rest` are the other cards, for own groups or left over.
        """
        sets: list[tuple[float, ...]] = []
        runs: list[tuple[float, ...]] = []
        on_others, leant_on = placing[:first_own], placing[first_own:]
        group_masks = [self._mask(group.cards) for group in self._best(self._unmask(hand, rest))[1]]
        for cards in group_masks:
            suit, place = divmod((cards & -cards).bit_length() - 1, self._holdings.width)
            size = cards.bit_count()
            if cards & ~(self._holdings.suit_column << place):
                runs.append((suit, place, -size))
            else:
                sets.append((place, -size))
        sizes = [part.bit_count() for part in on_others], [part.bit_count() for part in leant_on]
        parts = [_bit_positions(part) for part in (*on_others, *group_masks, *leant_on)]
        return sizes[0], [*sets, _NO_MORE_GROUPS], [*runs, _NO_MORE_GROUPS], sizes[1], parts


_NO_SELECTION = [0]
_NO_MORE_GROUPS = (inf,)  # a laying with one more group is preferred


def _placing_preference(placing: SpotMasks) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the sort key of a placing among placings of the same cards; the preferred one comes first.

    Spot by spot, fewer cards are preferred; among equals, again spot by spot, the first cards of the pack.
    """
    return [part.bit_count() for part in placing], [_bit_positions(part) for part in placing]


def _bit_positions(cards: int) -> tuple[int, ...]:
    """Return the positions of the set bits, the lowest first; this is the order of the pack."""
    places = []
    while cards:
        places.append((cards & -cards).bit_length())
        cards &= cards - 1
    return tuple(places)


def _row(cards: int, lowest: int, there: int) -> int:
    """Return the unbroken row of `cards`, all of one suit, that includes the card `lowest`.

    `cards`, `there` and the answer are bit masks. `lowest` is the lowest of the cards `there`. Return 0 if
    the row lacks any of the cards `there`.
    """
    row = cards & ~(cards + lowest)  # the sum carries through all cards in a row from the lowest one up
    if there & ~row:
        return 0
    below = lowest >> 1
    while cards & below:
        row |= below
        below >>= 1
    return row


def _selections(cards: int) -> Iterator[int]:
    """Yield every subset of the bit mask `cards`, from all cards to none."""
    some = cards
    while some:
        yield some
        some = some - 1 & cards
    yield 0
