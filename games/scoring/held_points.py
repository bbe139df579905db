"""Counting of cards left in hand, each by its value: Loba de Menos (RULES 2), contract games (RULES 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .card_points import HeldPoints
from .errors import RuleError
from .i18n import CardsParam, _
from .rounds import (
    Deal,
    Doubt,
    Hand,
    PlayerId,
    RoundEntry,
    check_hands,
    check_points,
    difference_points,
    hand_field,
    refuse_bought,
    refuse_fixed_wilds,
    refuse_melds,
)
from .rule_types import MAX_POINTS, Rules


def hand_points(rules: Rules, hand: Hand, *, field: str = "") -> int:
    """Return the points of a hand: the values of its cards, or the points entered instead of cards.

    The points that some games add for each bought card (drawn out of turn) are included.
    """
    refuse_melds(hand, field)
    refuse_fixed_wilds(hand, field)
    return _card_points(rules, hand, field) + _bought_points(rules, hand, field)


def round_points(rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
    closing = check_hands(rules, entry, deal, nothing_left=lambda hand: hand.is_empty)
    points = dict.fromkeys(deal.names, 0)
    for player, hand in entry.hands:
        points[player] = hand_points(rules, hand, field=hand_field(player))
    if (difference := _scoring(rules).difference) is not None:
        return difference_points(difference, entry.closer, closing, points)
    if entry.closer is not None:
        points[entry.closer] += closing.bonus_among(len(deal.names))
    return points


def doubts(rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]) -> tuple[Doubt, ...]:
    return tuple(hand_doubts(rules, entry, deal))


def hand_doubts(rules: Rules, entry: RoundEntry, deal: Deal) -> Iterator[Doubt]:
    """Yield the doubts about hands that only the closer can have (0 points), or that nobody can have."""
    cheapest, dealt = _scoring(rules).cheapest, rules.max_hand_size(deal.contract, 0)
    dearest_dealt = max_points(rules, dealt)
    none_is_odd = cheapest > 0 and not rules.can_beat_closer(entry.closing)
    for player, name in deal.names.items():
        hand = entry.hand_of(player)
        if hand is None:
            continue
        if hand.bought and rules.buy_points == 0 and not rules.buys_freely:
            yield Doubt(player, _("{name} bought cards, which are free at this table.", name=name))
        if player == entry.closer:
            continue
        points, most, dearest = _card_points(rules, hand, hand_field(player)), dealt, dearest_dealt
        if hand.bought:
            most = rules.max_hand_size(deal.contract, hand.bought)
            dearest = max_points(rules, most)
        if points == 0 and none_is_odd:
            text = _("{name} has 0 points but did not go out.", name=name)
        elif 0 < points < cheapest:
            text = _("{name} has fewer points than the lowest card, {points}.", name=name, points=cheapest)
        elif points > dearest:
            text = _("{name} has more than {points}, the highest possible hand.", name=name, points=dearest)
        elif len(hand.held or ()) > most:
            text = _("{name} has more than {cards} cards.", name=name, cards=most)
        else:
            continue
        yield Doubt(player, text)


def _card_points(rules: Rules, hand: Hand, field: str) -> int:
    if hand.points is not None:
        return check_points(hand.points, field=field)
    values, cards = _scoring(rules).values, hand.held or ()
    try:
        return sum([values[card.rank] for card in cards])
    except KeyError:
        strange = next(card for card in cards if card.rank not in values)
        raise RuleError(_("The pack has no {card}.", card=CardsParam(strange)), field=field) from None


def _bought_points(rules: Rules, hand: Hand, field: str) -> int:
    if rules.buy_points is None:
        refuse_bought(hand, field)
        return 0
    if hand.bought > MAX_POINTS:
        raise RuleError(_("A player can buy at most {most} cards.", most=MAX_POINTS), field=field)
    return hand.bought * rules.buy_points


def _scoring(rules: Rules) -> HeldPoints:
    assert isinstance(rules.scoring, HeldPoints)
    return rules.scoring


def max_points(rules: Rules, dealt: int) -> int:
    values, points, remaining = _scoring(rules).values, 0, dealt
    for rank in _scoring(rules).dearest_first:
        count = min(remaining, rules.deck.copies_of(rank))
        points += count * values[rank]
        remaining -= count
        if not remaining:
            break
    return points
