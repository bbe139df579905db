"""Counting of cards left in hand, each by its value: Loba de Menos (RULES 2), contract games (RULES 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..card_points import HeldPoints
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
    refuse_fixed_wilds,
    refuse_melds,
)
from ..words import CardSigns, _


def hand_points(rules: Rules, hand: Hand, *, field: str = "") -> int:
    """Return the points of a hand: the values of its cards, or the points entered instead of cards.

    The points that some games add for each bought card (drawn out of turn) are included.
    """
    if hand.held and hand.points is None and not hand.melds and not hand.bought:
        try:
            return sum(map(_scoring(rules).of_card.__getitem__, hand.held))
        except KeyError:
            pass  # the checks below name the card that has no points
    refuse_melds(hand, field)
    refuse_fixed_wilds(hand, field)
    points = _held(rules, hand, field)
    return points + _bought(rules, hand, field) if hand.bought else points


def round_points(rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
    """Return the points in a round of each player dealt in; the closer also gets the closing's bonus."""
    closing, points = (
        check_hands(rules, entry, deal, nothing_left=lambda hand: hand.is_empty),
        dict.fromkeys(deal.names, 0),
    )
    for player, hand in entry.hands:
        points[player] = hand_points(rules, hand, field=field_of(player))
    if entry.closer is not None:
        points[entry.closer] += closing.bonus_among(len(deal.names))
    return points


def doubts(rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]) -> tuple[Doubt, ...]:
    """Return the doubts about hands that players other than the closer cannot have with this pack.

    `points` are the points of the round by player. A hand entered as cards is examined only if it has more
    cards than were dealt, or if some card of the pack counts 0.
    """
    # A hand of cards is possible if the pack has them (`check_hands`) and no more are held than were dealt.
    possible = rules.cards_dealt_for(deal.contract) if least_points(rules) > 0 else 0
    bought = rules.buy_points or 0
    counted = {
        player: points[player] - hand.bought * bought
        for player, hand in entry.hands
        if not (hand.held and len(hand.held) <= possible) and player != entry.closer
    }
    return tuple(_odd_hands(rules, entry, deal, counted)) if counted else ()


def odd_hands(rules: Rules, entry: RoundEntry, deal: Deal) -> Iterator[Doubt]:
    """Return the doubts about the hands entered so far: those that are impossible with this pack."""
    counted = {
        player: _held(rules, hand, field_of(player))
        for player, hand in entry.hands
        if player in deal.names and player != entry.closer
    }
    return _odd_hands(rules, entry, deal, counted)


def _odd_hands(
    rules: Rules, entry: RoundEntry, deal: Deal, counted: Mapping[PlayerId, int]
) -> Iterator[Doubt]:
    """Yield the doubts about hands that only the closer can have (0 points), or that nobody can have.

    `counted` gives the points of each hand to examine, without those of bought cards.
    """
    dealt = rules.cards_dealt_for(deal.contract)
    cheapest, dearest = least_points(rules), most_points(rules, dealt)
    for player, name in deal.names.items():
        points = counted.get(player)
        if points is None:
            continue
        if points == 0:
            text = _("{name} has 0 points but did not go out.", name=name)
        elif points < cheapest:
            text = _("{name} has fewer points than the cheapest card, {points}.", name=name, points=cheapest)
        elif points > dearest:
            text = _("{name} has more than {points}, the highest possible hand.", name=name, points=dearest)
        elif len(entry.by_player[player].held or ()) > dealt:
            text = _("{name} has more than {cards} cards.", name=name, cards=dealt)
        else:
            continue
        yield Doubt(player, text)


def _held(rules: Rules, hand: Hand, field: str) -> int:
    if hand.points is not None:
        return check_counted(hand.points, field=field)
    values, held = _scoring(rules).values, hand.held or ()
    try:
        return sum([values[card.rank] for card in held])
    except KeyError:
        strange = next(card for card in held if card.rank not in values)
        raise RuleError(_("The pack has no {card}.", card=CardSigns(strange)), field=field) from None


def _bought(rules: Rules, hand: Hand, field: str) -> int:
    if rules.buy_points is None:
        refuse_bought(hand, field)
        return 0
    if hand.bought > MAX_POINTS:
        raise RuleError(_("A player can buy at most {most} cards.", most=MAX_POINTS), field=field)
    return hand.bought * rules.buy_points


def _scoring(rules: Rules) -> HeldPoints:
    assert isinstance(rules.scoring, HeldPoints)
    return rules.scoring


def least_points(rules: Rules) -> int:
    """Return the points of the cheapest card of the pack."""
    return _scoring(rules).cheapest


def most_points(rules: Rules, dealt: int) -> int:
    """Return the highest possible points of a hand of `dealt` cards."""
    values, points, left = _scoring(rules).values, 0, dealt
    for rank in _scoring(rules).dearest_first:
        taken = min(left, rules.deck.copies_of(rank))
        points += taken * values[rank]
        left -= taken
        if not left:
            break
    return points
