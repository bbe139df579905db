"""Counting of cards left in hand by a table of values: Loba de Menos (RULES 2), contract games (RULES 4)."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import RuleError
from ..rounds import (
    Deal,
    Doubt,
    Hand,
    PlayerId,
    RoundEntry,
    check_counted,
    check_hands,
    closing_of,
    field_of,
    refuse_bought,
    refuse_fixed_wilds,
    refuse_melds,
)
from ..rules import MAX_POINTS, HeldPoints, Rules
from ..words import _

NOTHING = Hand(points=0)


def hand_points(rules: Rules, hand: Hand, *, field: str = "") -> int:
    """Return the points of a hand: the values of its cards, or the points counted at the table.

    Points for bought cards are included.
    """
    refuse_melds(hand, field)
    refuse_fixed_wilds(hand, field)
    return _held(rules, hand, field) + _bought(rules, hand, field)


def round_points(rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
    """Return everybody's points in a round; the closer also gets the bonus."""
    check_hands(rules, entry, deal, nothing_left=lambda hand: hand.is_empty)
    bonus = closing_of(rules, entry).bonus_among(len(deal.names))
    points = {}
    for player in deal.names:
        hand = entry.hand_of(player) or NOTHING
        counted = hand_points(rules, hand, field=field_of(player))
        points[player] = counted + (bonus if player == entry.closer else 0)
    return points


def doubts(rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]) -> tuple[Doubt, ...]:
    """Return the doubts about hands that are impossible with this pack."""
    return odd_hands(rules, entry, deal)


def odd_hands(rules: Rules, entry: RoundEntry, deal: Deal) -> tuple[Doubt, ...]:
    """Return the doubts about hands that are impossible with this pack, even if other hands are missing."""
    dealt = rules.cards_dealt_for(deal.contract)
    cheapest, dearest = least_points(rules), most_points(rules, dealt)
    odd = []
    for player, name in deal.names.items():
        hand = entry.hand_of(player)
        if player == entry.closer or hand is None:
            continue
        counted = _held(rules, hand, field_of(player))
        if counted == 0:
            text = _("{name} has 0 and did not go out.", name=name)
        elif counted < cheapest:
            text = _("{name} has less than the cheapest card, {points}.", name=name, points=cheapest)
        elif counted > dearest:
            text = _("{name} has more than {points}, the dearest hand.", name=name, points=dearest)
        elif hand.held is not None and len(hand.held) > dealt:
            text = _("{name} has more than {cards} cards.", name=name, cards=dealt)
        else:
            continue
        odd.append(Doubt(player, text))
    return tuple(odd)


def _held(rules: Rules, hand: Hand, field: str) -> int:
    if hand.points is not None:
        return check_counted(hand.points, field=field)
    values, held = _scoring(rules).values, hand.held or ()
    try:
        return sum([values[card.rank] for card in held])
    except KeyError:
        strange = next(card for card in held if card.rank not in values)
        raise RuleError(_("The pack has no {card}.", card=str(strange)), field=field) from None


def _bought(rules: Rules, hand: Hand, field: str) -> int:
    if rules.buy_points is None:
        refuse_bought(hand, field)
        return 0
    if hand.bought > MAX_POINTS:
        raise RuleError(_("At most {most} cards can be bought.", most=MAX_POINTS), field=field)
    return hand.bought * rules.buy_points


def _scoring(rules: Rules) -> HeldPoints:
    assert isinstance(rules.scoring, HeldPoints)
    return rules.scoring


def least_points(rules: Rules) -> int:
    """Return the points of the cheapest card of the pack."""
    return _scoring(rules).cheapest


def most_points(rules: Rules, dealt: int) -> int:
    """Return the points of the dearest hand that can be dealt from the pack."""
    values, points, left = _scoring(rules).values, 0, dealt
    for rank in _scoring(rules).dearest_first:
        taken = min(left, rules.deck.copies_of(rank))
        points += taken * values[rank]
        left -= taken
        if not left:
            break
    return points
