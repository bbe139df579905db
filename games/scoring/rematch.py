"""Who deals when the same game is played once more (revancha), and which way the deal goes."""

from __future__ import annotations

from games.scoring.rounds import PlayerId
from games.scoring.rules import Direction
from games.scoring.state import GameState


def rematch_deal(state: GameState) -> tuple[PlayerId, Direction]:
    """The dealer of a rematch and its direction (RULES 1.1): the next in turn, or, in some games, the winner.

    Whoever deals may not be there any more; then it is the next one round the table.
    """
    if state.rules.winner_deals and state.outcome is not None and state.outcome.winners:
        return state.outcome.winners[0], state.direction.other
    if state.dealt is None:
        return str(state.due), state.direction
    return state.seats_after(state.dealt)[0].id, state.direction
