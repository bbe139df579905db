"""Random games for the demo: rounds with random points and, rarely, other events that the rules allow."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import assert_never

from games.scoring.errors import RuleError
from games.scoring.events import (
    Event,
    GameStarted,
    GameStopped,
    Player,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    PlayEvent,
    RoundPlayed,
    Stop,
)
from games.scoring.kinds import (
    CloserHand,
    Closing,
    HeldPoints,
    LeftoverPoints,
    MeldPoints,
    TypedPoints,
    Value,
)
from games.scoring.replay import apply, replay
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.state import GameState
from games.scoring.variants import find_variant

# The variants, their relative frequency and their options.
PLAYED: tuple[tuple[str, int, dict[str, Value]], ...] = (
    ("loba_menos", 12, {"stake": 1000}),
    ("loba_menos", 4, {"stake": 500, "reentries": "unlimited", "reentry_price": "linear"}),
    ("loba_mas", 4, {"settlement": "pairs", "point_value": 20}),
    ("chinchon", 4, {"stake": 500, "cut_prize": 50}),
    ("carioca_ar", 2, {"settlement": "to_winner", "point_value": 10}),
)

STOPPED, WENT_HOME, NOBODY_CLOSED = 0.002, 0.003, 0.02  # probabilities for each round
IN_ONE_GO = 0.08
STAYS_IN = 0.8


def begun_by_chance(chance: Random, players: Sequence[Player]) -> GameStarted:
    """Return the first event of a game of a random variant, with these players in random seats."""
    (variant, _often, chosen), *_others = chance.choices(PLAYED, [often for _name, often, _chosen in PLAYED])
    options = find_variant(variant).house(chosen).options
    return GameStarted(variant, options, tuple(chance.sample(players, len(players))))


def played_by_chance(chance: Random, begun: GameStarted) -> list[Event]:
    """Return the log of a whole random game that begins with the event `begun`."""
    log: list[Event] = [begun]
    state = replay(log)
    while not state.is_over:
        event = _next(chance, state)
        try:
            state = apply(state, len(log) + 1, event)
        except RuleError:  # the rules do not allow this event now: draw another one
            continue
        log.append(event)
    return log


def _next(chance: Random, state: GameState) -> PlayEvent:
    if state.pending:
        player = state.pending[0].id
        return PlayerReentered(player) if chance.random() < STAYS_IN else PlayerStayedOut(player)
    draw = chance.random()
    if draw < STOPPED:
        return GameStopped(chance.choice(list(Stop)))
    if draw < STOPPED + WENT_HOME:
        return PlayerLeft(chance.choice(state.playing).id)
    return _round(chance, state)


def _round(chance: Random, state: GameState) -> RoundPlayed:
    closing = _closing(chance, state)
    closer = chance.choice(state.playing).id if closing.by_player else None
    hands = {
        player.id: Hand(points=_points(chance, state, is_closer=player.id == closer))
        for player in state.playing
        if player.id != closer or closing.closer_hand is not CloserHand.NOTHING
    }
    return RoundPlayed(RoundEntry(closer, closing.key, tuple(hands.items())))


def _closing(chance: Random, state: GameState) -> Closing:
    """Return a way to end a round: usually the first closing of the variant, rarely another."""
    first, *others = state.rules.closings
    of_nobody = [closing for closing in others if not closing.by_player]
    of_somebody = [closing for closing in others if closing.by_player and not closing.wins_game]
    if of_nobody and chance.random() < NOBODY_CLOSED:
        return of_nobody[0]
    return chance.choice(of_somebody) if of_somebody and chance.random() < IN_ONE_GO else first


def _points(chance: Random, state: GameState, *, is_closer: bool) -> int:
    match state.rules.scoring:
        case MeldPoints():
            return chance.randint(12, 45) if is_closer else chance.randint(-15, 30)
        case LeftoverPoints(cut_max=cut_max):
            return chance.randint(1, cut_max) if is_closer else chance.randint(2, 45)
        case HeldPoints():
            return chance.choice((5, 8, 10, 12, 15, 20, 23, 27, 31, 38, 45))
        case TypedPoints():
            return chance.randint(-5, 30)
        case _:
            assert_never(state.rules.scoring)
