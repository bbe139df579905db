"""The movements of money in a game.

Every movement has a payer and a payee, and one of the two may be the pot. So all movements together sum to
zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import assert_never

from .events import GameStarted, PlayerJoined, PlayerLeft, PlayerReentered, SeatHandedOver
from .frozen import Frozen
from .reentry_terms import reentry_price
from .rounds import PlayerId, get_closing
from .rule_types import (
    Closing,
    ClosingKind,
    InstantPrize,
    NotebookNets,
    OwnTotals,
    Pairs,
    Pot,
    RoundPrize,
    ToWinner,
)
from .state import GameState, Reason, Seat

POT = "(pot)"  # no player's id looks like this


class Cause(StrEnum):
    """The reason for a movement of money."""

    STAKE = "stake"
    REENTRY = "reentry"
    POT = "pot"
    REFUND = "refund"
    DIFFERENCE = "difference"
    POINTS = "points"
    WON_POINTS = "won_points"
    OWN_TOTAL = "own_total"
    ROUND_PRIZE = "round_prize"
    INSTANT_PRIZE = "instant_prize"
    NOTEBOOK = "notebook"


@dataclass(frozen=True, eq=False, repr=False)
class Movement(Frozen):
    """An `amount` of money that moves from `payer` to `payee` in a game, because of event `number`.

    For a re-entry, `count` tells which of the payer's re-entries it is, from 1.
    """

    payer: str
    payee: str
    amount: int
    cause: Cause
    number: int
    count: int = 0


def movements(state: GameState) -> tuple[Movement, ...]:
    """Return all movements of money in the game so far, grouped by the money rule that caused them.

    If a seat was handed over, its earlier movements name the new player.
    """
    all_movements: list[Movement] = []
    for rule in state.rules.money:
        match rule:
            case Pot(stake):
                all_movements += _pot_movements(state, stake)
            case Pairs(point_value):
                all_movements += _pair_movements(state, point_value)
            case ToWinner(point_value):
                all_movements += _winner_movements(state, point_value)
            case OwnTotals(point_value):
                all_movements += _total_movements(state, point_value)
            case RoundPrize(amount):
                all_movements += _round_prizes(state, amount)
            case InstantPrize(amount):
                all_movements += _instant_prizes(state, amount)
            case NotebookNets(nets):
                all_movements += _pay_nets(nets, Cause.NOTEBOOK, 1)
            case _:
                assert_never(rule)
    return tuple(movement for movement in all_movements if movement.amount)


def pot_amount(state: GameState) -> int:
    return sum(
        movement.amount * ((movement.payee == POT) - (movement.payer == POT)) for movement in movements(state)
    )


def reentry_fee(state: GameState, player: PlayerId) -> int:
    """Return the price of this player's next re-entry."""
    reentry = state.rules.reentry
    assert reentry is not None, "nobody is pending where there is no re-entry"
    return reentry_price(reentry.price, state.player(player).reentries + 1)


def split_equally(amount: int, players: Sequence[PlayerId]) -> dict[PlayerId, int]:
    """Return `amount` split into equal whole shares.

    The units left over go one each to the first of `players`.
    """
    each, odd = divmod(amount, len(players))
    return {player: each + (place < odd) for place, player in enumerate(players)}


def _pay_winners(state: GameState, amount: int, cause: Cause) -> Iterator[Movement]:
    """Yield the movements of `amount` from the pot to the winners.

    The units left over go one each to the first winners by seat, starting after the dealer (RULES 1.3).
    """
    outcome = state.outcome
    assert outcome is not None
    # Start after the dealer of the last round or, before the first round, after the player due to deal.
    around = state.seats_after(state.dealt or str(state.due))
    winners = [player.id for player in around if player.id in outcome.winners]
    for winner, share in split_equally(amount, winners).items():
        yield Movement(POT, winner, share, cause, outcome.number)


def _with_current_players(state: GameState, original: Sequence[Movement]) -> list[Movement]:
    """Return the movements with each player id replaced by the id of the player in that seat now."""
    places = {step.number: place for place, step in enumerate(state.steps)}
    current = list(original)
    for place, step in enumerate(state.steps):
        if isinstance(step.event, SeatHandedOver):
            old, new = step.event.player, step.event.to.id
            current = [
                _replace_player(movement, old, new) if places[movement.number] < place else movement
                for movement in current
            ]
    return current


def _replace_player(movement: Movement, old: PlayerId, new: PlayerId) -> Movement:
    return replace(
        movement,
        payer=new if movement.payer == old else movement.payer,
        payee=new if movement.payee == old else movement.payee,
    )


# --- the pot ------------------------------------------------------------------------------------------------


def _pot_movements(state: GameState, stake: int) -> Iterator[Movement]:
    paid = _stakes_and_fees(state, stake)
    yield from paid
    outcome = state.outcome
    if outcome is None:
        return
    if outcome.refunded:
        for put_in in paid:
            yield Movement(POT, put_in.payer, put_in.amount, Cause.REFUND, outcome.number)
    else:
        yield from _pay_winners(state, sum(put_in.amount for put_in in paid), Cause.POT)


def _stakes_and_fees(state: GameState, stake: int) -> list[Movement]:
    paid: list[Movement] = []
    for step in state.steps:
        match step.event:
            case GameStarted(players=players):
                paid += (Movement(player.id, POT, stake, Cause.STAKE, step.number) for player in players)
            case PlayerJoined(player=player):
                paid.append(Movement(player.id, POT, stake, Cause.STAKE, step.number))
            case PlayerReentered(player=payer):
                paid.append(Movement(payer, POT, step.fee, Cause.REENTRY, step.number, step.count))
            case SeatHandedOver(player=old, to=new):
                paid = [_replace_player(put_in, old, new.id) for put_in in paid]
            case _:
                pass  # no other event pays into the pot
    return paid


# --- points for money ---------------------------------------------------------------------------------------


def _pair_movements(state: GameState, point_value: int) -> list[Movement]:
    """Return the movements that settle the difference of totals in each pair of players.

    `point_value` is the money for one point. A leaver settles right away with everyone who has not left, the
    others settle at the end of the game.
    """
    differences = []
    for step in state.steps:
        if isinstance(step.event, PlayerLeft):
            differences += [
                _difference(state, step.event.player, other, step.totals, point_value, step.number)
                for other, seat in step.seats.items()
                if seat is not Seat.LEFT
            ]
    differences = _with_current_players(state, differences)
    outcome = state.outcome
    if outcome is not None and not outcome.refunded:
        totals = {player.id: player.total for player in state.players if player.seat is not Seat.LEFT}
        differences += [
            _difference(state, first, other, totals, point_value, outcome.number)
            for first, other in combinations(totals, 2)
        ]
    return differences


def _difference(
    state: GameState,
    player: PlayerId,
    other: PlayerId,
    totals: Mapping[PlayerId, int],
    value: int,
    number: int,
) -> Movement:
    """Return the movement between two players that settles the difference of their totals.

    `value` is the money for one point, and `number` the event that makes the difference due.
    """
    ahead = (totals[player] - totals[other]) * (-1 if state.rules.lowest_wins else 1)
    payer, payee = (other, player) if ahead > 0 else (player, other)
    return Movement(payer, payee, abs(ahead) * value, Cause.DIFFERENCE, number)


def _winner_movements(state: GameState, point_value: int) -> Iterator[Movement]:
    outcome = state.outcome
    if outcome is None or outcome.refunded:
        return
    paid = [
        Movement(player.id, POT, max(0, player.total) * point_value, Cause.POINTS, outcome.number)
        for player in state.players
        if player.id not in outcome.winners
    ]
    yield from paid
    yield from _pay_winners(state, sum(movement.amount for movement in paid), Cause.WON_POINTS)


def _total_movements(state: GameState, point_value: int) -> Iterator[Movement]:
    """Yield the payments of everyone's own total, to them or by them; leavers are included."""
    outcome = state.outcome
    if outcome is not None and not outcome.refunded:
        nets = [(player.id, player.total * point_value) for player in state.players]
        yield from _pay_nets(nets, Cause.OWN_TOTAL, outcome.number)


def _pay_nets(nets: Sequence[tuple[PlayerId, int]], cause: Cause, number: int) -> Iterator[Movement]:
    """Yield the movements of these nets: losers pay into the pot, then winners take from it."""
    for player, net in sorted(nets, key=lambda won: won[1] > 0):
        payer, payee = (POT, player) if net > 0 else (player, POT)
        yield Movement(payer, payee, abs(net), cause, number)


# --- prizes -------------------------------------------------------------------------------------------------


def _round_prizes(state: GameState, amount: int) -> list[Movement]:
    paid = [
        Movement(player, result.closer, amount * times, Cause.ROUND_PRIZE, result.number)
        for result in state.rounds
        if result.closer is not None
        for times in [prize_multiplier(get_closing(state.rules, result.entry))]
        for player in result.points
        if player != result.closer
    ]
    return _with_current_players(state, paid)


def prize_multiplier(closing: Closing) -> int:
    """Return how many times the prize of a round with this closing is paid."""
    return 2 if closing.kind is ClosingKind.IN_ONE_GO else 1


def _instant_prizes(state: GameState, amount: int) -> Iterator[Movement]:
    outcome = state.outcome
    if outcome is not None and outcome.reason is Reason.INSTANT_WIN:
        (winner,) = outcome.winners
        for player in state.rounds[-1].points:
            if player != winner:
                yield Movement(player, winner, amount, Cause.INSTANT_PRIZE, outcome.number)
