"""Laying a hand in Chinchón (RULES 5, Leftover) to keep the fewest points.

Cards may form own groups (sets and runs), or go on groups on the table. Every laying (way to lay the hand) is
considered, in steps: one for each spot (group on the table), one for own sets, one for own runs. In each
step, parts of the hand are laid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

from .groups import Group, remove_cards
from .hand_parts import GROUP_CHECK_STEPS, Cards, HandPart, HandParts, SortKey, Spot
from .runs import IMPOSSIBLE

# A laying with one more group is preferred, so the key for no further group is the largest.
_NO_MORE_GROUPS: tuple[SortKey, ...] = ((inf,),)


class LaidHand(NamedTuple):
    """A hand as it was laid: own `groups`, the cards `spot_cards` on each spot, and the cards `remaining`.

    `points` are those of the cards left.
    """

    points: int
    groups: tuple[Group, ...]
    spot_cards: tuple[Cards, ...]
    remaining: Cards


class LayingCandidate(NamedTuple):
    """One way to lay a hand. Candidates are compared as tuples, and the lesser is preferred.

    The order of the fields, and of the kinds of parts in `orders`, is that of RULES 5 (Equal answers):

    points     the fewest points left
    orders     ON_OTHERS the fewest cards on others' groups, group by group in the order they were shown
               SETS      own sets, the lowest rank first, with as many cards as possible
               RUNS      own runs, suit by suit in the order of the pack, from the lowest card up, the
                         longest first
               LEANT_ON  the fewest own cards that another player's card leans on, which stay to keep it in
                         a valid group; again group by group in the order they were shown
    wilds      the fewest wilds: on others' groups, in own ones and in those that another's card leans on,
               group by group
    parts      the first cards of the pack, in the same groups one after the other; cards left come last
    """

    points: int
    orders: tuple[tuple[SortKey, ...], ...] = ((), _NO_MORE_GROUPS, _NO_MORE_GROUPS, ())
    wilds: tuple[int, ...] = ()
    parts: tuple[HandPart, ...] = ()

    def with_earlier_part(self, part: HandPart, kind: int, order: SortKey) -> LayingCandidate:
        """Return the laying with a part of an earlier step put before its other parts."""
        points, orders, wilds, parts = self
        orders = (*orders[:kind], (order, *orders[kind]), *orders[kind + 1 :])
        return LayingCandidate(points, orders, (part.wilds, *wilds), (part, *parts))


ON_OTHERS, SETS, RUNS, LEANT_ON = range(4)  # the kinds of parts


class LayingStep(NamedTuple):
    """One step of laying a hand: the parts to choose from, and their kind.

    The step for a spot takes exactly one part, possibly the empty one. The step for own groups takes any
    number of parts.
    """

    parts: Sequence[HandPart]
    kind: int
    is_group_step: bool = False

    def order(self, part: HandPart) -> SortKey:
        """Return the first sort key of parts that leave equally few points; the least wins.

        For an own group it is the group's `rank`, for a spot the number of cards.
        """
        return part.rank if self.is_group_step else (len(part.cards),)


class LayingSearch:
    """A search for the best laying of one hand, in own groups and on the spots, step by step (`LayingStep`).

    The best laying of each selection of cards still held is cached. The fewest points are computed first,
    without deciding between equal layings, because few players can improve their hand.
    """

    def __init__(self, parts: HandParts, spots: Sequence[Spot] = ()) -> None:
        self._parts = parts
        self._spots = spots
        self._tried, self._weighed_before = 0, parts.checked
        self._borrow_bits = parts.borrow_bits
        taking = [
            number
            for number, spot in enumerate(spots)
            if any(part.selection for part in parts.parts_for(spot))
        ]
        self._others = [number for number in taking if not spots[number].is_owner]
        self._leant_on = [number for number in taking if spots[number].is_owner]
        self._steps = [
            *(LayingStep(parts.parts_for(spots[number]), ON_OTHERS) for number in self._others),
            LayingStep(parts.sets, SETS, is_group_step=True),
            LayingStep(parts.runs, RUNS, is_group_step=True),
            *(LayingStep(parts.parts_for(spots[number]), LEANT_ON) for number in self._leant_on),
        ]
        self._fewest: list[dict[int, int]] = [{} for _step in self._steps]
        self._fewest.append(parts.points)
        self._known: dict[tuple[int, int], LayingCandidate] = {}
        self.points = self._fewest_points(0, parts.all)

    @property
    def steps(self) -> int:
        """The work of this search so far, in steps of `step_budget` (not the steps of a laying)."""
        return self._tried + GROUP_CHECK_STEPS * (self._parts.checked - self._weighed_before)

    def best_laying(self) -> LaidHand:
        """Return the laying with the fewest points; the order of RULES 5 decides between equal layings."""
        cards, best = self._parts.cards, self._best_candidate(0, self._parts.all)
        *on_table, leftover_part = best.parts
        first, last = len(self._others), len(on_table) - len(self._leant_on)
        on_spots = zip((*self._others, *self._leant_on), (*on_table[:first], *on_table[last:]), strict=True)
        cards_by_spot = {number: cards(part.selection) for number, part in on_spots}
        return LaidHand(
            points=self.points,
            groups=tuple(self._parts.pack.group(cards(part.selection)) for part in on_table[first:last]),
            spot_cards=tuple(cards_by_spot.get(number, ()) for number in range(len(self._spots))),
            remaining=remove_cards(self._parts.hand, cards(self._parts.all - leftover_part.selection)),
        )

    def _fewest_points(self, number: int, selection: int) -> int:
        """Return the fewest points that the cards in `selection` can leave, from step `number` on."""
        known = self._fewest[number].get(selection)
        if known is not None:
            return known
        step, borrowed = self._steps[number], self._borrow_bits
        fewest = self._fewest_points(number + 1, selection) if step.is_group_step else IMPOSSIBLE
        after = number if step.is_group_step else number + 1
        points_after, guarded = self._fewest[after], selection | borrowed
        self._tried += len(step.parts)
        for part in step.parts:
            if not fewest:
                break
            rest = guarded - part.selection
            if rest & borrowed == borrowed:
                points = points_after.get(rest ^ borrowed)
                if points is None:
                    points = self._fewest_points(after, rest ^ borrowed)
                if points < fewest:
                    fewest = points
        self._fewest[number][selection] = fewest
        return fewest

    def _step_choices(self, number: int, selection: int) -> Iterator[tuple[HandPart | None, int, int]]:
        """Yield every choice at step `number` as (part, next step, cards held afterwards).

        The part is None for the choice to make no more own groups.
        """
        step, borrowed = self._steps[number], self._borrow_bits
        after, guarded = number if step.is_group_step else number + 1, selection | borrowed
        self._tried += len(step.parts)
        for part in step.parts:
            if (guarded - part.selection) & borrowed == borrowed:
                yield part, after, selection - part.selection
        if step.is_group_step:
            yield None, number + 1, selection

    def _best_candidate(self, number: int, selection: int) -> LayingCandidate:
        """Return the preferred laying of the cards in `selection`, from step `number` on."""
        if number == len(self._steps):
            # The cards left are the last part, without indexes and wilds, which do not decide between them.
            return LayingCandidate(self._parts.points[selection], parts=(HandPart((), selection, 0),))
        if (number, selection) not in self._known:
            self._known[number, selection] = min(
                self._equal_candidates(number, selection), default=LayingCandidate(IMPOSSIBLE)
            )
        return self._known[number, selection]

    def _equal_candidates(self, number: int, selection: int) -> Iterator[LayingCandidate]:
        """Yield the layings of the cards in `selection` that may be preferred, from step `number` on.

        They leave the fewest points. Layings that are worse by this step's key (`LayingStep.order`) are left
        out.
        """
        step, fewest = self._steps[number], self._fewest_points(number, selection)
        ways = [
            way
            for way in self._step_choices(number, selection)
            if self._fewest_points(way[1], way[2]) == fewest
        ]
        first = min([step.order(part) for part, _, _ in ways if part is not None], default=())
        for part, after, rest in ways:
            if part is not None and step.order(part) == first:
                yield self._best_candidate(after, rest).with_earlier_part(part, step.kind, first)
            elif part is None and not first:
                yield self._best_candidate(after, rest)
