"""Counting of leftovers in Chinchón (RULES 5): cards left after own melds and placing on others' melds.

To place is to lay off: to add own cards to melds of others on the table. The least leftover of a hand by
itself has the fewest points that its own melds can leave.

A hand is entered as all the cards dealt, or as a declared leftover: the points or the cards that the players
say are left. The leftover of a whole hand is computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, assert_never

from .card_points import LeftoverPoints, Placing, Rewarded
from .cards import JOKER, Card, parse_card
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
    difference_points,
    find_one_run_closing,
    get_closing,
    hand_field,
    refuse_bought,
    refuse_fixed_wilds,
    refuse_melds,
)
from .rule_types import CloserHand, ClosingKind, Rules
from .solvers.groups import MIN_GROUP_SIZE
from .solvers.leftovers import LeftoverSolver, get_leftover_solver

if TYPE_CHECKING:
    from .solvers.placing import PlacingResult


def hand_points(rules: Rules, hand: Hand, *, field: str = "") -> int:
    """Return the points of a hand by itself, before placing.

    A whole hand, its cards with their suits, counts its least leftover. Any other counts as a declared one.
    """
    _check_hand(rules, hand, field)
    return _points_before_placing(rules, hand, field)


def round_points(rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
    """Return the points in a round of each player dealt in: their leftover, or a reward for nothing left.

    With a difference, the winner of the round alone has points. If the closing wins the game instantly,
    everyone has 0. If nobody closed the round, nobody is rewarded.
    Otherwise the closer gets the bonus of the closing too. If all their cards are in one run, it replaces
    their points.
    """
    for player, hand in entry.hands:
        _check_hand(rules, hand, hand_field(player), deal.names[player])
    closing = get_closing(rules, entry)
    is_one_run = closing.kind is ClosingKind.ONE_RUN
    check_hands(
        rules,
        entry,
        deal,
        nothing_left=lambda hand: (
            _is_one_run(rules, hand) if is_one_run else _points_before_placing(rules, hand, "") == 0
        ),
    )
    if closing.wins_game:
        return dict.fromkeys(deal.names, 0)
    is_cut = closing.by_player and closing.closer_hand is CloserHand.REST
    if is_cut and _scoring(rules).strict_cut:
        _check_strict_cut(rules, entry, deal)
    leftovers = _points_after_placing(rules, entry, deal)
    if (difference := _scoring(rules).difference) is not None:
        return difference_points(difference, entry.closer, closing, leftovers)
    if not closing.by_player:
        return leftovers
    nothing_left = _scoring(rules).nothing_left
    points = {
        player: nothing_left if counted == 0 and _is_rewarded(rules, entry, player) else counted
        for player, counted in leftovers.items()
    }
    closer, bonus = str(entry.closer), closing.bonus_among(len(deal.names))
    match closing.kind:
        case ClosingKind.ONE_RUN:
            return points | {closer: bonus}
        case ClosingKind.PLAIN | ClosingKind.IN_ONE_GO:
            return points | {closer: points[closer] + bonus}
        case _:
            assert_never(closing.kind)


def doubts(rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]) -> tuple[Doubt, ...]:
    """Return the doubts about impossible leftovers and about the cut (the ending of the round by a player).

    A cut is doubtful if the cutter has too many points left to cut or, without `free_cut`, goes bust by
    cutting. A hand that keeps cards after placing is doubtful if the cutter's cards are unknown.
    """
    return (
        *hand_doubts(rules, entry, deal),
        *_cut_doubts(rules, entry, deal, points),
        *_unplaced_doubts(rules, entry, deal, points),
    )


# --- hands --------------------------------------------------------------------------------------------------


def _scoring(rules: Rules) -> LeftoverPoints:
    assert isinstance(rules.scoring, LeftoverPoints)
    return rules.scoring


def get_solver(rules: Rules) -> LeftoverSolver:
    """Return the cached solver of least leftovers, for the pack of these rules."""
    scoring = _scoring(rules)
    wilds = {parse_card(card): scoring.wild_value for card in scoring.wild_cards}
    return get_leftover_solver(rules.deck, scoring.values, wilds)


def _check_hand(rules: Rules, hand: Hand, field: str, name: str = "") -> None:
    refuse_melds(hand, field)
    refuse_bought(hand, field)
    refuse_fixed_wilds(hand, field)
    if len(hand.held or ()) > rules.cards_dealt:
        cards = rules.cards_dealt
        raise RuleError(
            _("{name} has more than {cards} cards.", name=name, cards=cards)
            if name
            else _("A hand has at most {cards} cards.", cards=cards),
            field=field,
        )
    rules.deck.check([(field, hand.cards)])


def dealt_cards(rules: Rules, hand: Hand | None) -> tuple[Card, ...] | None:
    """Return the cards of a whole hand, or None unless all cards dealt were entered with their suits."""
    if hand is None or hand.held is None or len(hand.held) != rules.cards_dealt:
        return None
    return hand.held if all(card.suit or card.rank == JOKER for card in hand.held) else None


def _declared_points(rules: Rules, hand: Hand, field: str) -> int:
    if hand.points is not None:
        return check_points(hand.points, field=field)
    return sum(map(_scoring(rules).points_of, hand.held or ()))


def _points_before_placing(rules: Rules, hand: Hand, field: str) -> int:
    dealt = dealt_cards(rules, hand)
    return _declared_points(rules, hand, field) if dealt is None else get_solver(rules).points(dealt)


def _is_one_run(rules: Rules, hand: Hand) -> bool:
    dealt = dealt_cards(rules, hand)
    return hand.is_empty if dealt is None else get_solver(rules).pack.is_run(dealt)


# --- the round ----------------------------------------------------------------------------------------------


def _points_after_placing(rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
    from .solvers.placing import points_after_placing  # slow to import, and other games do not need it

    points = dict.fromkeys(deal.names, 0)
    for player, hand in entry.hands:
        points[player] = _points_before_placing(rules, hand, hand_field(player))
    hands, solver = _hands_to_place(rules, entry, deal.turn), get_solver(rules)
    return points | points_after_placing(solver, hands, only_on_cutter=_places_only_on_cutter(rules))


def solve_placing(
    rules: Rules, entry: RoundEntry, turn: tuple[PlayerId, ...]
) -> dict[PlayerId, PlacingResult]:
    """Return the result of placing for every whole hand; empty if nobody may place.

    `turn` lists the players dealt in, in the direction of the deal.
    """
    from .solvers.placing import place_hands

    hands = _hands_to_place(rules, entry, turn)
    if not hands:
        return {}
    return place_hands(get_solver(rules), hands, only_on_cutter=_places_only_on_cutter(rules))


def can_place(rules: Rules, entry: RoundEntry) -> bool:
    """Return whether cards left over are placed on others' melds in this round, as far as it is entered."""
    if entry.closer is None or get_closing(rules, entry).wins_game:
        return False
    placing = _scoring(rules).placing
    match placing:
        case Placing.ON:
            return True
        case Placing.OFF:
            return False
        case Placing.UNLESS_CLOSED | Placing.ON_CUTTER:
            return not _has_all_in_groups(rules, entry, entry.closer)
        case _:
            assert_never(placing)


def _places_only_on_cutter(rules: Rules) -> bool:
    return _scoring(rules).placing is Placing.ON_CUTTER


def _hands_to_place(
    rules: Rules, entry: RoundEntry, turn: tuple[PlayerId, ...]
) -> dict[PlayerId, tuple[Card, ...]]:
    """Return the whole hand of each player who may place, in turn order from the cutter on.

    A player whose whole hand was not entered is left out. The result is empty if nobody may place,
    or if cards go only on the cutter's melds and those are unknown.
    """
    if not can_place(rules, entry):
        return {}
    assert entry.closer is not None
    start = turn.index(entry.closer)
    by_player = entry.by_player
    hands = {player: dealt_cards(rules, by_player.get(player)) for player in turn[start:] + turn[:start]}
    if _places_only_on_cutter(rules) and hands[entry.closer] is None:
        return {}
    return {player: dealt for player, dealt in hands.items() if dealt is not None}


def _is_rewarded(rules: Rules, entry: RoundEntry, player: PlayerId) -> bool:
    """Return whether this player gets the reward for having nothing left (`minus_ten_for`, RULES 5)."""
    rewarded = _scoring(rules).nothing_left_for
    match rewarded:
        case Rewarded.ANYONE:
            return True
        case Rewarded.CUTTER:
            return player == entry.closer
        case Rewarded.CLOSED_HAND:
            return player == entry.closer and _has_all_in_groups(rules, entry, player)
        case _:
            assert_never(rewarded)


def _has_all_in_groups(rules: Rules, entry: RoundEntry, cutter: PlayerId) -> bool:
    if get_closing(rules, entry).closer_hand is CloserHand.NOTHING:
        return True
    dealt = dealt_cards(rules, entry.hand_of(cutter))
    return dealt is not None and get_solver(rules).points(dealt) == 0


def _check_strict_cut(rules: Rules, entry: RoundEntry, deal: Deal) -> None:
    """Raise RuleError if the cutter shows more than they may cut with, before anything is laid off.

    That is the limit of a cut or, if it is less, the most that does not make the cutter bust.
    """
    cutter, hand = str(entry.closer), entry.hand_of(str(entry.closer))
    assert hand is not None, "the cutter shows what is left"
    leftover, most = _points_before_placing(rules, hand, hand_field(cutter)), _scoring(rules).cut_max
    if rules.out_at is not None:
        most = min(most, rules.out_at - 1 - deal.totals[cutter])
    if leftover > most:
        text = _("{name} has {points} left over and can cut with at most {most}.")
        text = text.filled(name=deal.names[cutter], points=leftover, most=most)
        raise RuleError(text, field=hand_field(cutter))


# --- doubts -------------------------------------------------------------------------------------------------


def hand_doubts(rules: Rules, entry: RoundEntry, deal: Deal) -> Iterator[Doubt]:
    """Yield the doubts about the hands entered so far.

    Leftovers may be impossible, or hold a set or a run; the cards of a cut may be all in one run.
    """
    dearest, hands = max_points(rules), entry.by_player
    for player, name in deal.names.items():
        hand = hands.get(player)
        if hand is None:
            continue
        _check_hand(rules, hand, hand_field(player), name)
        dealt = dealt_cards(rules, hand)
        if dealt is not None:
            if player == entry.closer:
                yield from _one_run_doubts(rules, entry, name, dealt)
            continue
        if _declared_points(rules, hand, hand_field(player)) > dearest:
            yield Doubt(
                player,
                _("{name} has more than {points}, the highest possible hand.", name=name, points=dearest),
            )
        elif hand.held is not None and _has_group(rules, hand.held):
            yield Doubt(
                player,
                _(
                    "The cards {name} has left over include a set or a run. Leave it out, or enter all {cards} "
                    "cards.",
                    name=name,
                    cards=rules.cards_dealt,
                ),
            )


def _one_run_doubts(rules: Rules, entry: RoundEntry, name: str, dealt: tuple[Card, ...]) -> Iterator[Doubt]:
    """Yield a doubt if all cards of the closer form one run, but the cut was entered as another closing."""
    if get_closing(rules, entry).kind is ClosingKind.ONE_RUN or not get_solver(rules).pack.is_run(dealt):
        return
    one_run = find_one_run_closing(rules, dealt)
    if one_run is not None:
        text = _("{name} has all cards in one run: was it {closing}?", name=name, closing=one_run.short)
        yield Doubt(str(entry.closer), text, one_run.key)


def _unplaced_doubts(
    rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]
) -> Iterator[Doubt]:
    """Yield a doubt for each hand that keeps cards which may fit on the cutter's melds, which are unknown."""
    hands = entry.by_player
    if entry.closer is None or dealt_cards(rules, hands.get(entry.closer)) is not None:
        return
    for player, name in deal.names.items():
        is_whole = dealt_cards(rules, hands.get(player)) is not None
        if is_whole and can_place(rules, entry) and points[player] > 0:
            text = _(
                "{name} may be able to lay off on the melds of the player who cut, which aren't entered.",
                name=name,
            )
            yield Doubt(player, text)


def _has_group(rules: Rules, cards: tuple[Card, ...]) -> bool:
    """Return whether three of these cards form a set or a run; a run only of cards whose suit is known."""
    wilds = _scoring(rules).wild_cards
    naturals = {card for card in cards if str(card) not in wilds}
    needed = MIN_GROUP_SIZE - sum(str(card) in wilds for card in cards)
    ranks = Counter(card.rank for card in cards if str(card) not in wilds)
    if naturals and max(ranks.values()) >= needed:
        return True
    places = {(card.suit, rules.deck.ranks.index(card.rank)) for card in naturals if card.suit}
    return any(
        len({(suit, place + step) for step in range(MIN_GROUP_SIZE)} & places) >= needed
        for suit, place in places
    )


def _cut_doubts(
    rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]
) -> Iterator[Doubt]:
    cutter, scoring = entry.closer, _scoring(rules)
    if cutter is None or get_closing(rules, entry).closer_hand is not CloserHand.REST:
        return
    name, hand = deal.names[cutter], entry.hand_of(cutter)
    assert hand is not None, "the cutter shows what is left"
    leftover = _points_before_placing(rules, hand, hand_field(cutter))
    if leftover > scoring.cut_max:
        yield Doubt(
            cutter,
            _(
                "{name} cut with {points}, more than {most}.",
                name=name,
                points=leftover,
                most=scoring.cut_max,
            ),
        )
    limit = rules.out_at
    if not scoring.free_cut and limit is not None and deal.totals[cutter] + points[cutter] >= limit:
        yield Doubt(cutter, _("{name} goes bust by cutting.", name=name))


def max_points(rules: Rules) -> int:
    """Return the highest possible points of a leftover.

    Such a leftover is two cards each of the dearest ranks, or one wild and six cards of different ranks. With
    more cards of a rank, or more wilds, some cards would form a meld.
    """
    scoring, cards = _scoring(rules), rules.cards_dealt
    values = scoring.dearest_first
    pairs = sum(values[: cards // 2]) + sum(values[: -(-cards // 2)])
    if not scoring.wild_cards:
        return pairs
    return max(pairs, scoring.wild_value + sum(values[: cards - 1]))
