"""The figures of a game that a season shows besides places and money.

They are the pot, the number of rounds to win, and each player's feats (rounds closed in one go, streaks of
rounds survived).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from .events import Player, PlayerJoined, PlayerReentered, RoundPlayed
from .money import Cause, movements
from .rounds import PlayerId, get_closing
from .rule_types import ClosingKind
from .state import GameState, Reason

BUST_MARGIN = 10  # how many points below `out_at` is close: from 91 on if 101 is out


def pot_won(state: GameState) -> int:
    """Return the amount of the pot that was won; 0 without a pot, or if the players took their money back."""
    return sum(movement.amount for movement in movements(state) if movement.cause is Cause.POT)


def rounds_to_win(state: GameState) -> int | None:
    """Return the number of rounds it took to win the game.

    Return None if no round decided the game, or if all games of this kind have the same number of rounds.
    """
    outcome = state.outcome
    if outcome is None or not state.rounds or state.rounds[-1].number != outcome.number:
        return None
    return None if outcome.reason in (Reason.CONTRACTS_DONE, Reason.ROUNDS_DONE) else len(state.rounds)


def rounds_in_one_go(state: GameState) -> Mapping[PlayerId, int]:
    """Return the number of rounds each player closed in one go (de una).

    A player who closed none in one go is left out.
    """
    return Counter(
        played.closer
        for played in state.rounds
        if played.closer is not None and get_closing(state.rules, played.entry).kind is ClosingKind.IN_ONE_GO
    )


def longest_survival(state: GameState) -> Mapping[PlayerId, int]:
    """Return the length of each player's longest streak of rounds survived close to going bust.

    A round belongs to a streak if the player began it within ten points of the limit and did not go bust.
    """
    out_at = state.rules.out_at
    best: Counter[PlayerId] = Counter()
    if out_at is None:
        return best
    run: Counter[PlayerId] = Counter()
    before: Mapping[PlayerId, int] = {}
    for step in state.steps:
        match step.event:
            case RoundPlayed():
                for player in step.moved:
                    is_through = out_at - BUST_MARGIN <= before[player] and step.totals[player] < out_at
                    run[player] = run[player] + 1 if is_through else 0
                    best[player] = max(best[player], run[player])
            case PlayerJoined(player=Player(id=player)) | PlayerReentered(player):
                # A penalty between two rounds may have made the player bust, so no round ended the streak.
                run[player] = 0
            case _:
                pass
        before = step.totals
    return best
