"""Counting for any other game (RULES 8): the points are entered as the players counted them.

`entry` is a round as entered: its closer (the player who ended the round) and the hands. `deal` has the
players dealt in. A doubt is a warning that never blocks an entry. `field` is the form input of a hand: a
RuleError about the hand carries it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import RuleError
from ..kinds import MAX_POINTS, Rules
from ..rounds import (
    Deal,
    Doubt,
    Hand,
    PlayerId,
    RoundEntry,
    check_counted,
    check_hands,
    field_of,
    refuse_bought,
)
from ..words import _


def hand_points(rules: Rules, hand: Hand, *, field: str = "") -> int:
    """Return the typed points, which may be negative. Raise RuleError if the hand has cards."""
    refuse_bought(hand, field)
    if hand.points is None:
        raise RuleError(_("This game takes points, such as 23, not cards."), field=field)
    return check_counted(hand.points, field=field, lowest=-MAX_POINTS)


def round_points(rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
    """Return the points in a round of each player dealt in, as they were typed; 0 for a hand left out.

    The closer also gets the closing's bonus.
    """
    points = dict.fromkeys(deal.names, 0)
    for player, hand in entry.hands:
        points[player] = hand_points(rules, hand, field=field_of(player))
    closing = check_hands(rules, entry, deal, nothing_left=lambda hand: hand.is_empty)
    if entry.closer is not None:
        points[entry.closer] += closing.bonus_among(len(deal.names))
    return points


def doubts(rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]) -> tuple[Doubt, ...]:
    """Return no doubts: in an unknown game any points are possible."""
    return ()


def odd_hands(rules: Rules, entry: RoundEntry, deal: Deal) -> tuple[Doubt, ...]:
    """Return no doubts: in an unknown game any points are possible."""
    return ()
