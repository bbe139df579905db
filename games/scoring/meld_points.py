"""Counting of melds on the table less the cards in hand: Loba de Más (RULES 3), and custom games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .card_points import MeldPoints
from .errors import RuleError
from .i18n import _
from .rounds import (
    Deal,
    Doubt,
    Hand,
    PlayerId,
    RoundEntry,
    check_hands,
    check_points,
    get_closing,
    hand_field,
    refuse_bought,
    refuse_fixed_wilds,
)
from .rule_types import MAX_POINTS, Rules
from .solvers.melds import MeldFlaw, MeldSolver, get_meld_solver


def hand_points(rules: Rules, hand: Hand, *, field: str = "") -> int:
    """Return the points of the melds less those of the cards in hand, or the points entered instead of cards.

    The bonus for closing the round is not included. Raise RuleError for an invalid meld.
    """
    refuse_bought(hand, field)
    if hand.points is not None:
        return check_points(hand.points, field=field, lowest=-MAX_POINTS)
    refuse_fixed_wilds(hand, field)
    melds_value, solver = 0, get_solver(rules)
    for meld in hand.melds:
        valued = solver.parse_meld(meld)
        if isinstance(valued, MeldFlaw):
            raise RuleError(solver.flaw_sentence(valued), field=field)
        melds_value += valued.value
    return melds_value + solver.hand_value(hand.held or ())


def round_points(rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
    closing = check_hands(rules, entry, deal, nothing_left=_has_nothing_left)
    hands, points = entry.by_player, dict.fromkeys(deal.names, 0)
    for player, name in deal.names.items():
        hand = hands.get(player)
        if hand is None:
            continue  # it may be left out
        if player != entry.closer and hand.points is None and hand.held is None:
            raise RuleError(
                _("Enter the cards in {name}'s hand, or [] for none.", name=name), field=hand_field(player)
            )
        points[player] = hand_points(rules, hand, field=hand_field(player))
    if entry.closer is not None:
        points[entry.closer] += closing.bonus_among(len(deal.names))
    return points


def _has_nothing_left(hand: Hand) -> bool:
    """Return whether the hand can be that of a player who went out: no cards left, no negative points."""
    return not hand.held and (hand.points is None or hand.points >= 0)


def doubts(rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]) -> tuple[Doubt, ...]:
    """Return the doubts about a complete round: impossible hands, and too few points of the closer.

    The closer has too few points if, without the bonus for closing, they are fewer than the cards dealt: each
    card on the table counts at least one.
    """
    closer, least = entry.closer, rules.cards_dealt * _scoring(rules).least_value
    odd = tuple(hand_doubts(rules, entry, deal))
    if closer is None or points[closer] - get_closing(rules, entry).bonus_among(len(deal.names)) >= least:
        return odd
    text = _(
        "{name} went out with less than {least}, the fewest points that {cards} cards on the "
        "table can count.",
        name=deal.names[closer],
        least=least,
        cards=rules.cards_dealt,
    )
    return (*odd, Doubt(closer, text))


def hand_doubts(rules: Rules, entry: RoundEntry, deal: Deal) -> Iterator[Doubt]:
    """Yield the doubts about hands that nobody can have with this pack, or that only the closer can have."""
    most, solver = max_points(rules), get_solver(rules)
    for player, name in deal.names.items():
        hand = entry.hand_of(player)
        if hand is None or any(isinstance(solver.parse_meld(meld), MeldFlaw) for meld in hand.melds):
            continue
        counted = hand_points(rules, hand, field=hand_field(player))
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


def max_points(rules: Rules) -> int:
    """Return the highest possible points of a hand: those of the whole pack laid on the table.

    The whole pack in hand counts the same number, but negative.
    """
    deck, in_hand = rules.deck, _scoring(rules).in_hand
    return -sum(in_hand[rank] * deck.copies_of(rank) for rank in deck.ranks_with_jokers())


def get_solver(rules: Rules) -> MeldSolver:
    return get_meld_solver(_scoring(rules))


def _scoring(rules: Rules) -> MeldPoints:
    assert isinstance(rules.scoring, MeldPoints)
    return rules.scoring
