"""Counting in Loba de Más (RULES 3): melds on the table less the cards in hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .card_points import MeldPoints
from .errors import RuleError
from .kinds import MAX_POINTS, Rules
from .rounds import (
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
)
from .solvers.melds import Flaw, Melds, melds_of
from .words import _


def hand_points(rules: Rules, hand: Hand, *, field: str = "") -> int:
    """Return the points of the melds less those of the cards in hand, or the points entered instead of cards.

    The bonus for closing the round is not included. Raise RuleError for an invalid meld.
    """
    refuse_bought(hand, field)
    if hand.points is not None:
        return check_counted(hand.points, field=field, lowest=-MAX_POINTS)
    refuse_fixed_wilds(hand, field)
    melds_value, solver = 0, solver_of(rules)
    for meld in hand.melds:
        valued = solver.meld_of(meld)
        if isinstance(valued, Flaw):
            raise RuleError(solver.text_of(valued), field=field)
        melds_value += valued.value
    return melds_value + solver.held_value(hand.held or ())


def round_points(rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
    """Return the points in a round of each player dealt in: melds less hand, plus the closer's bonus."""
    closing = check_hands(rules, entry, deal, nothing_left=_nothing_left)
    bonus = closing.bonus_among(len(deal.names))
    hands, points = entry.by_player, {}
    for player, name in deal.names.items():
        hand = hands[player]
        if player != entry.closer and hand.points is None and hand.held is None:
            raise RuleError(
                _("Enter the cards in {name}'s hand, or [] for none.", name=name), field=field_of(player)
            )
        counted = hand_points(rules, hand, field=field_of(player))
        points[player] = counted + (bonus if player == entry.closer else 0)
    return points


def _nothing_left(hand: Hand) -> bool:
    """Return whether the hand can be that of a player who went out: no cards left, no negative points."""
    return not hand.held and (hand.points is None or hand.points >= 0)


def doubts(rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]) -> tuple[Doubt, ...]:
    """Return the doubts about a complete round: impossible hands, and too few points of the closer.

    The closer has too few points if, without the bonus for closing, they are fewer than the cards dealt: each
    card on the table counts at least one.
    """
    closer, least = entry.closer, rules.cards_dealt
    odd = tuple(odd_hands(rules, entry, deal))
    if closer is None or points[closer] - closing_of(rules, entry).bonus_among(len(deal.names)) >= least:
        return odd
    text = _(
        "{name} went out with less than {least}, the fewest points that {least} cards on the "
        "table can count.",
        name=deal.names[closer],
        least=least,
    )
    return (*odd, Doubt(closer, text))


def odd_hands(rules: Rules, entry: RoundEntry, deal: Deal) -> Iterator[Doubt]:
    """Yield the doubts about the hands entered so far: those that are impossible with this pack."""
    most, solver = most_points(rules), solver_of(rules)
    for player, name in deal.names.items():
        hand = entry.hand_of(player)
        if hand is None or any(isinstance(solver.meld_of(meld), Flaw) for meld in hand.melds):
            continue
        counted = hand_points(rules, hand, field=field_of(player))
        if player != entry.closer and hand.held == ():
            yield Doubt(player, _("{name} has no cards left but did not go out.", name=name))
        if counted > most:
            yield Doubt(
                player,
                _("{name} has more than {points}, the whole pack on the table.", name=name, points=most),
            )
        elif counted < -most:
            yield Doubt(
                player, _("{name} has less than {points}, the whole pack in hand.", name=name, points=-most)
            )


def most_points(rules: Rules) -> int:
    """Return the highest possible points of a hand: those of the whole pack laid on the table.

    The whole pack in hand counts the same number, but negative.
    """
    deck, in_hand = rules.deck, _scoring(rules).in_hand
    return -sum(in_hand[rank] * deck.copies_of(rank) for rank in deck.ranks_with_jokers())


def solver_of(rules: Rules) -> Melds:
    """Return the solver that values melds and cards in hand by these rules."""
    return melds_of(_scoring(rules))


def _scoring(rules: Rules) -> MeldPoints:
    assert isinstance(rules.scoring, MeldPoints)
    return rules.scoring
