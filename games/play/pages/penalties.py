"""Quick choices for a penalty or a gift, and the reason recorded if nobody gives one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from django.utils.translation import gettext as _

from games.common.amounts import points
from games.scoring.kinds import HeldPoints, LeftoverPoints, MeldPoints, Rules, TypedPoints

QUICK_POINTS = (5, 10, 25)


@dataclass(frozen=True)
class QuickPenalty:
    """The quick choices for a penalty: points and reasons.

    `points` has pairs of the number posted and the text shown. Penalties come before gifts.
    """

    points: tuple[tuple[int, str], ...]
    reasons: tuple[str, ...]


def quick_penalty(rules: Rules) -> QuickPenalty:
    """Return the quick choices that fit a game with these rules."""
    sign = 1 if rules.lowest_wins else -1
    given = [direction * value for direction in (sign, -sign) for value in QUICK_POINTS]
    return QuickPenalty(
        points=tuple((value, points(value, signed=True)) for value in given),
        reasons=(_own_mistake(rules), _("played out of turn"), _("showed cards"), _("counted wrongly")),
    )


def unsaid_reason(value: int, rules: Rules) -> str:
    """Return the reason for a penalty of `value` points recorded without one: “penalty” or “gift”.

    A gift is points that help the player, such as negative ones if the lowest total wins.
    """
    is_gift = value < 0 if rules.lowest_wins else value > 0
    return _("gift") if is_gift else _("penalty")


def _own_mistake(rules: Rules) -> str:
    """Return the most frequent reason for a penalty in this kind of game, such as “laid down wrongly”."""
    match rules.scoring:
        case HeldPoints() | MeldPoints():
            return _("laid down wrongly")
        case LeftoverPoints():
            return _("cut wrongly")
        case TypedPoints():
            return _("broke a rule")
        case _:
            assert_never(rules.scoring)
