"""Division of amounts into the most groups that sum to zero. No plain search chooses them as RULES 1.3 does.

An amount is what one person is owed (+) or owes (−). A group of n people settles with n − 1 payments, so more
groups mean fewer payments. A group is given by the positions of its amounts, as a tuple or a bit mask.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice
from typing import Final, TypeAlias

from .errors import RuleError
from .frozen import Frozen
from .step_budget import count_steps, spend_steps

EXACT_UP_TO: Final = 12  # RULES 1.3: up to here exact, and ties are broken by seat
SEARCH_UP_TO: Final = 16  # up to here all zero-sum groups are searched, within the limit of steps
SMALL_GROUPS: Final = (3, 4)
# Above 12 amounts the search is limited by steps, never by time, so the same amounts always give the same
# answer. The first limit is for groups of one size: enough for all of 3 among 200 amounts, or of 4 among 50.
MAX_COMBINATIONS: Final = 20_000
MAX_COMPARISONS: Final = 400_000  # comparisons between zero-sum groups

Group: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Partition(Frozen):
    """A division of amounts into groups; each group lists the positions of its amounts, in order.

    `most` is an upper bound of the number of groups in any division.
    """

    groups: tuple[Group, ...]
    most: int


def partition_amounts(amounts: Sequence[int]) -> Partition:
    """Divide amounts that sum to zero, none of them 0, into many groups that each sum to zero.

    With one debtor or one creditor there is one group. Up to 12 amounts, the result has the most groups possible;
    among several such divisions it is the first in dictionary order, group by group. Above 12, amounts are first paired with their opposites, which never
    makes fewer groups. If at most 16 amounts remain, they are divided exactly, unless that takes too many
    steps. If more remain, small groups are taken while a limited search finds them.
    """
    everybody = tuple(range(len(amounts)))
    if 1 in (sum(amount > 0 for amount in amounts), sum(amount < 0 for amount in amounts)):
        return Partition((everybody,), 1)  # each group needs this one debtor or creditor
    if len(amounts) <= EXACT_UP_TO:
        groups = _most_groups(amounts, everybody)
        return Partition(groups, len(groups))
    pairs = _zero_sum_groups(2, amounts, everybody)  # opposites, such as 5 and −5
    rest = _remaining_positions(everybody, pairs)
    searched = _search(amounts, rest)
    if searched is not None:
        groups = (*pairs, *searched)
        return Partition(tuple(sorted(groups)), len(groups))
    small: list[Group] = []
    unsettled = rest
    for size in SMALL_GROUPS:
        if searched is None:
            of_this_size = _zero_sum_groups(size, amounts, unsettled)
            small += of_this_size
            unsettled = _remaining_positions(unsettled, of_this_size)
            searched = _search(amounts, unsettled)
    last = (unsettled,) if searched is None else searched
    # No two opposite amounts are left in `rest`, so each of its groups has at least three.
    return Partition(tuple(sorted((*pairs, *small, *last))), len(pairs) + len(rest) // 3)


def _search(amounts: Sequence[int], positions: Group) -> tuple[Group, ...] | None:
    """Return the division of these positions into the most zero-sum groups.

    Return None if there are too many positions, or if the search takes too many steps.
    """
    if len(positions) > SEARCH_UP_TO:
        return None
    try:
        return _most_groups(amounts, positions, most_steps=MAX_COMPARISONS)
    except RuleError:
        return None


def _remaining_positions(positions: Group, groups: Sequence[Group]) -> Group:
    used = {position for group in groups for position in group}
    return tuple(position for position in positions if position not in used)


def _zero_sum_groups(size: int, amounts: Sequence[int], positions: Group) -> list[Group]:
    """Return disjoint zero-sum groups of this size, tried in the order of positions.

    Not all are found if more than MAX_COMBINATIONS combinations would have to be tried.
    """
    free: dict[int, set[int]] = defaultdict(set)
    for position in positions:
        free[amounts[position]].add(position)
    groups: list[Group] = []
    values = [amounts[position] for position in positions]
    tried = zip(combinations(positions, size - 1), combinations(values, size - 1), strict=True)
    for some, have in islice(tried, MAX_COMBINATIONS):
        missing_amount = -sum(have)
        if not free.get(missing_amount) or any(position not in free[amounts[position]] for position in some):
            continue
        last = min(free[missing_amount].difference(some), default=-1)
        if last > some[-1]:
            groups.append((*some, last))
            for position in groups[-1]:
                free[amounts[position]].remove(position)
    return groups


def _most_groups(
    amounts: Sequence[int], positions: Group, *, most_steps: int | None = None
) -> tuple[Group, ...]:
    """Return the division of these positions into the most zero-sum groups.

    Among several divisions, it is the first in dictionary order. Raise RuleError if more than `most_steps`
    comparisons are needed.
    """
    with count_steps(most_steps, independent=True):
        return _partition_exactly(amounts, positions)


def _partition_exactly(amounts: Sequence[int], positions: Group) -> tuple[Group, ...]:
    smallest = _smallest_groups([amounts[position] for position in positions])

    @cache
    def most(rest: int) -> int:
        """Return the most groups that the positions in the bit mask `rest` can be divided into.

        The amounts at these positions sum to zero.
        """
        known = smallest[rest & -rest]
        spend_steps(len(known))
        within = [group for group in known if not group & ~rest]
        return max((1 + most(rest ^ group) for group in within), default=0)

    groups: list[Group] = []
    rest = (1 << len(positions)) - 1
    while rest:
        group = next(
            group
            for group in smallest[rest & -rest]
            if not group & ~rest and 1 + most(rest ^ group) == most(rest)
        )
        groups.append(tuple(positions[place] for place in _bit_positions(group)))
        rest ^= group
    return tuple(groups)


def _smallest_groups(amounts: Sequence[int]) -> Mapping[int, list[int]]:
    """Return the zero-sum groups that contain no smaller one, as bit masks, keyed by their lowest bit.

    Under each key they are in dictionary order. A division into the most groups uses only such groups.
    """
    sums = [0]
    for amount in amounts:
        sums += [known + amount for known in sums]
    smallest: dict[int, list[int]] = defaultdict(list)
    # A part of a group is a smaller number, so it was seen before. If a group divides, one part has its
    # lowest bit.
    for group, total in enumerate(sums):
        if total == 0 and group:
            known = smallest[group & -group]
            spend_steps(len(known))
            if not any(part & group == part for part in known):
                known.append(group)
    for known in smallest.values():
        known.sort(key=_bit_positions)
    return smallest


def _bit_positions(group: int) -> Group:
    return tuple(place for place in range(group.bit_length()) if group >> place & 1)
