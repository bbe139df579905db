"""Counting for any other game (RULES 8): the points are entered as the players counted them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from . import rounds
from .errors import RuleError
from .i18n import _
from .rule_types import MAX_POINTS, Rules


def hand_points(rules: Rules, hand: rounds.Hand, *, field: str = "") -> int:
    """Return the typed points, which may be negative. Raise RuleError if the hand has cards."""
    rounds.refuse_bought(hand, field)
    if hand.points is None:
        raise RuleError(_("This game takes points, such as 23, not cards."), field=field)
    return rounds.check_points(hand.points, field=field, lowest=-MAX_POINTS)


def round_points(rules: Rules, entry: rounds.RoundEntry, deal: rounds.Deal) -> dict[rounds.PlayerId, int]:
    """Return the typed points of each player dealt in, 0 for a hand left out, and the closer's bonus.

    If rounds add up to 0 (`Rules.is_zero_sum`), a closer without a hand gets what the others lose, and
    another sum raises RuleError.
    """
    points = dict.fromkeys(deal.names, 0)
    for player, hand in entry.hands:
        points[player] = hand_points(rules, hand, field=rounds.hand_field(player))
    closing = rounds.check_hands(rules, entry, deal, nothing_left=lambda hand: hand.is_empty)
    if entry.closer is not None:
        points[entry.closer] += closing.bonus_among(len(deal.names))
    if rules.is_zero_sum:
        if entry.closer is not None and entry.closer not in entry.by_player:
            points[entry.closer] = -sum(points.values())
        if sum(points.values()) != 0:
            raise RuleError(
                _("A round adds up to 0 here; these points add up to {sum}.", sum=sum(points.values()))
            )
    return points


def doubts(
    rules: Rules, entry: rounds.RoundEntry, deal: rounds.Deal, points: Mapping[rounds.PlayerId, int]
) -> tuple[rounds.Doubt, ...]:
    return tuple(hand_doubts(rules, entry, deal))


def hand_doubts(rules: Rules, entry: rounds.RoundEntry, deal: rounds.Deal) -> Iterator[rounds.Doubt]:
    """Yield a doubt for each player who has 0 although another closed the round.

    If the most points win, the points are the winner's, and 0 is usual. Nothing else is doubtful: in an
    unknown game any points are possible.
    """
    is_winners_points = rules.is_zero_sum or not rules.lowest_wins
    if entry.closer is None or is_winners_points or rules.can_beat_closer(entry.closing):
        return
    for player, name in deal.names.items():
        hand = entry.hand_of(player)
        if hand is None or player == entry.closer:
            continue
        if hand_points(rules, hand, field=rounds.hand_field(player)) == 0:
            text = _("{name} has 0 points but did not go out.", name=name)
            yield rounds.Doubt(player, text)
