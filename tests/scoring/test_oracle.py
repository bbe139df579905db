"""The engine against a second, slow implementation of RULES: equal results in thousands of random games."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from games.scoring.card_points import LeftoverPoints, Placing
from games.scoring.endings import can_add_bonuses
from games.scoring.events import (
    DealPassed,
    GameStarted,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    PlayEvent,
    RoundPlayed,
)
from games.scoring.ledger import nets, places
from games.scoring.money import pot_amount, reentry_fee
from games.scoring.replay import apply, is_allowed, replay
from games.scoring.rounds import Doubt, Hand
from games.scoring.state import GameState, RoundResult
from games.scoring.text.notation import split_line
from games.scoring.text.notation_writer import write_event
from tests.scoring.oracle import Oracle, RuleViolation
from tests.scoring.oracle_games import AnyOther, Chinchon, Contracts, LobaDeMas
from tests.scoring.strategies import IDS, a_move, a_start

ORACLES: dict[str, type[Oracle]] = {
    "loba_menos": Oracle,
    "loba_mas": LobaDeMas,
    "loba_ca": Contracts,
    "carioca_ar": Contracts,
    "carioca_cl": Contracts,
    "chinchon": Chinchon,
    "points": AnyOther,
}


def build_oracle(started: GameStarted) -> Oracle:
    return ORACLES[started.variant](
        {key: str(value) for key, value in started.options},
        [player.id for player in started.players],
        started.dealer,
        started.direction,
    )


def play_statement(oracle: Oracle, event: PlayEvent) -> None:
    """Call the oracle with the words of the event's statement."""
    [[statement, *args]] = split_line(write_event(event))
    getattr(oracle, statement)(*args)


def oracle_results(oracle: Oracle) -> dict[str, object]:
    return {
        "totals": {player: oracle.total[player] for player in oracle.seats},
        "seats": {player: oracle.seat[player] for player in oracle.seats},
        "high": {player: oracle.high[player] for player in oracle.players_in("pending")},
        "fees": {player: oracle.fee(player) for player in oracle.players_in("pending")},
        "times": {player: oracle.times[player] for player in oracle.seats},
        "rounds won": {player: oracle.rounds_won[player] for player in oracle.seats},
        "contract": oracle.contract(),
        "pot": oracle.pot,
        "dealer": oracle.dealer() or None,
        "over": oracle.end_reason or None,
        "winners": set(oracle.winners),
        "nets": oracle.nets(),
        "places": oracle.places(),
        "last round": oracle.last_round,
        "doubt": oracle.last_is_odd,
    }


def engine_results(state: GameState) -> dict[str, object]:
    return {
        "totals": {player.id: player.total for player in state.players},
        "seats": {player.id: str(player.seat) for player in state.players},
        "high": {player.id: player.reentry_total for player in state.pending},
        "fees": {player.id: reentry_fee(state, player.id) for player in state.pending},
        "times": {player.id: player.reentries for player in state.players},
        "rounds won": {player.id: player.rounds_won for player in state.players},
        "contract": state.contract,
        "pot": pot_amount(state),
        "dealer": state.dealer,
        "over": str(state.outcome.reason) if state.outcome else None,
        "winners": set(state.outcome.winners) if state.outcome else set(),
        "nets": nets(state),
        "places": places(state),
        "last round": dict(state.rounds[-1].points) if state.rounds else {},
        "doubt": bool(state.rounds and _hand_doubts(state.rounds[-1])),
    }


def _hand_doubts(played: RoundResult) -> list[Doubt]:
    """Return the doubts except those about names, which the oracle does not know."""
    return [doubt for doubt in played.doubts if doubt.text.template != "Two players are called {name}."]


def play_both(variant: str, seed: int) -> None:
    chance = random.Random(seed)
    started = a_start(chance, variant)
    state, oracle = replay((started,)), build_oracle(started)
    for _step in range(25):
        goes_on = not state.is_over or can_add_bonuses(state)
        move = a_move(chance, state) if goes_on else _any_move(chance, state)
        if chance.random() < 0.1:
            move = _any_move(chance, state)
        move = _with_one_hand_of_seven(state, move)
        allowed = is_allowed(state, move)
        try:
            play_statement(oracle, move)
            assert allowed, (seed, move)
        except RuleViolation:
            assert not allowed, (seed, move)
        if allowed:
            state = apply(state, len(state.steps) + 1, move)
        assert (seed, move, oracle_results(oracle)) == (seed, move, engine_results(state))


def _any_move(chance: random.Random, state: GameState) -> PlayEvent:
    """Return a random move of another variant; most are refused."""
    if chance.random() < 0.5:
        return a_move(chance, replay([a_start(chance)]))
    kinds: list[Callable[[str], PlayEvent]] = [PlayerReentered, PlayerStayedOut, PlayerLeft, DealPassed]
    return chance.choice(kinds)(chance.choice([*IDS, "zoe"]))


def _with_one_hand_of_seven(state: GameState, move: PlayEvent) -> PlayEvent:
    """Return the round with all hands of seven cards but the first replaced by points.

    The oracle does not place cards on other hands.
    """
    if not isinstance(move, RoundPlayed) or not isinstance(state.rules.scoring, LeftoverPoints):
        return move
    sevens = [player for player, hand in move.entry.hands if hand.held is not None and len(hand.held) == 7]
    if state.rules.scoring.placing is Placing.OFF or len(sevens) < 2:
        return move
    hands = tuple(
        (player, Hand(points=9) if player in sevens[1:] else hand) for player, hand in move.entry.hands
    )
    return RoundPlayed(replace(move.entry, hands=hands))


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(25), id="some"),
        pytest.param(range(25, 10_000), id="thousands", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("variant", ORACLES)
def test_random_games_have_the_results_of_the_oracle(variant: str, seeds: range):
    for seed in seeds:
        play_both(variant, seed)
