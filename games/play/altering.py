"""The season whose standings a change of a game alters."""

from __future__ import annotations

from games.models import Game, Season
from games.scoring.ledger import nets, places
from games.scoring.state import GameState


def altered_season(game: Game, before: GameState, after: GameState | None) -> Season | None:
    """Return the season of the game if this change alters its standings; else None.

    `before` and `after` are the states of the game before and after the change; `after` is None if the game
    is discarded or removed.
    """
    return None if _counted(before) == _counted(after) else game.season


def _counted(state: GameState | None) -> object:
    """Return a tuple of all values in a game that standings add up, to compare two states of the game.

    Return None if the game does not count: it is unfinished, or `state` is None because the game is discarded
    or cannot be read.
    """
    if state is None or state.outcome is None:
        return None
    players = [(player.id, player.total, player.reentries) for player in state.players]
    return (
        nets(state),
        places(state),
        state.outcome.winners,
        state.outcome.refunded,
        state.outcome.agreed,
        players,
        len(state.rounds),
    )
