"""The flows of money between members as a picture.

Members who lost money (givers) are at the left, and members who won it (takers) at the right. A ribbon
between two members is as wide as the amount. Every coordinate is stored as text, so that no language writes
its decimal point as a comma.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.models import Member, Table
from games.season.years import Flow
from games.shown.common.amounts import money
from games.shown.common.charts import DOT, WIDTH
from games.shown.common.members import person_of
from games.shown.common.people import Person

HEIGHT, AIR = 240, 6
EDGE = 2 * DOT + 4  # the width that the circles take up at either side
LEAST = 2 * DOT + 1  # the least length of a person's stretch, so that no circles overlap


@dataclass(frozen=True)
class End:
    """A person at one side of the picture, and the total that they gave or took there."""

    person: Person
    x: str
    y: str
    label_y: str
    name_x: str
    amount: str


@dataclass(frozen=True)
class Ribbon:
    """A flow from one member to another: a band as wide as the amount, in the giver's colour."""

    giver: Person
    taker: Person
    path: str
    amount: str


@dataclass(frozen=True)
class Flows:
    """A Sankey diagram of the money between the members in a season, with the positions of its parts.

    The ribbons, the largest first, are also the rows of the table below the diagram.
    """

    ribbons: tuple[Ribbon, ...]
    givers: tuple[End, ...]
    takers: tuple[End, ...]
    box: str
    dot: str = str(DOT)


def flows_of(flows: Sequence[Flow], table: Table) -> Flows | None:
    """Return the picture of `flows`, the amounts that moved from member to member; None if there are none."""
    if not flows:
        return None
    gave, took = _sums(flows, "giver"), _sums(flows, "taker")
    high = max(HEIGHT, max(len(gave), len(took)) * (LEAST + AIR))
    left, right = _Side(gave, high), _Side(took, high)
    ribbons = [_ribbon(flow, left, right, table) for flow in flows]
    return Flows(
        tuple(ribbons),
        left.ends(DOT + 1, EDGE + AIR, table),
        right.ends(WIDTH - DOT - 1, WIDTH - EDGE - AIR, table),
        box=f"0 0 {WIDTH} {high:.0f}",
    )


def _sums(flows: Sequence[Flow], side: str) -> Mapping[Member, float]:
    sums: dict[Member, float] = defaultdict(float)
    for flow in flows:
        sums[getattr(flow, side)] += float(flow.amount)
    return dict(sorted(sums.items(), key=lambda entry: -entry[1]))


class _Side:
    """One side of the picture, givers or takers, divided from top to bottom into a stretch for each person.

    The more the person gave or took, the longer the stretch. It is never shorter than the person's circle.
    """

    def __init__(self, sums: Mapping[Member, float], high: float) -> None:
        room = high - AIR * (len(sums) - 1) - LEAST * len(sums)
        whole = sum(sums.values())
        self.sums, self.tops, self.longs = sums, {}, {}
        self._used: dict[Member, float] = defaultdict(float)
        top = 0.0
        for member, amount in sums.items():
            self.tops[member], self.longs[member] = top, LEAST + room * amount / whole
            top += self.longs[member] + AIR

    def part(self, member: Member, amount: float) -> tuple[float, float]:
        """Reserve the next free part of this person's stretch for a ribbon of this amount.

        Return the vertical coordinates of the part's top and bottom.
        """
        top = self.tops[member] + self._used[member]
        self._used[member] += self.longs[member] * amount / self.sums[member]
        return top, self.tops[member] + self._used[member]

    def ends(self, x: float, name_x: float, table: Table) -> tuple[End, ...]:
        """Return a circle for everybody at this side, in the middle of each person's stretch.

        `x` is the horizontal coordinate of the circles, and `name_x` that of the names beside them.
        """
        circles = []
        for member, amount in self.sums.items():
            y = self.tops[member] + self.longs[member] / 2
            shown = money(round(amount), table)
            circles.append(
                End(person_of(member), f"{x:.1f}", f"{y:.1f}", f"{y + 4:.1f}", f"{name_x:.1f}", shown)
            )
        return tuple(circles)


def _ribbon(flow: Flow, left: _Side, right: _Side, table: Table) -> Ribbon:
    amount = float(flow.amount)
    (top, bottom), (end_top, end_bottom) = left.part(flow.giver, amount), right.part(flow.taker, amount)
    near, far, middle = EDGE, WIDTH - EDGE, WIDTH / 2
    path = (
        f"M{near:.1f} {top:.1f}C{middle:.1f} {top:.1f} {middle:.1f} {end_top:.1f} {far:.1f} {end_top:.1f}"
        f"V{end_bottom:.1f}C{middle:.1f} {end_bottom:.1f} {middle:.1f} {bottom:.1f} {near:.1f} {bottom:.1f}Z"
    )
    return Ribbon(person_of(flow.giver), person_of(flow.taker), path, money(round(flow.amount), table))
