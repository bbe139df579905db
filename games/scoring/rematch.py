"""The dealer and the direction of a rematch (revancha)."""

from __future__ import annotations

from .rounds import PlayerId
from .rule_types import Direction
from .state import GameState


def rematch_deal(state: GameState) -> tuple[PlayerId, Direction]:
    """Return the first dealer of a rematch of this game, and the direction of its deal (RULES 1.1).

    The dealer is the next player in turn or, in some games, the winner. If that player takes no part in the
    rematch, the caller lets the next player round the table deal.
    """
    if state.rules.winner_deals and state.outcome is not None and state.outcome.winners:
        return state.outcome.winners[0], state.direction.other
    if state.dealt is None:
        return str(state.due), state.direction
    return state.seats_after(state.dealt)[0].id, state.direction
