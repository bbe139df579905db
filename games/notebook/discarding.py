"""Discard and restore any game: a game recorded in the app, or an imported night of an old notebook.

A discarded game counts in no balance and no standings, but its records stay.
"""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from games.models import Game
from games.notebook.taking_over import bring_night_back, take_night_away
from games.play.recording import discard_game, restore_game
from games.scoring.state import GameState


def discard(game: Game, state: GameState, *, by: User, at: datetime | None = None) -> None:
    """Discard a game. If it was imported, also end its payments.

    `state`, the game's present state, tells whether it was imported.
    """
    if state.imported is None:
        discard_game(game, at=at)
    else:
        take_night_away(game, by=by, at=at)


def restore(game: Game, state: GameState, *, by: User, at: datetime | None = None) -> None:
    """Restore a discarded game. If it was imported, also restore the payments that ended with it.

    `state`, the game's present state, tells whether it was imported.
    """
    if state.imported is None:
        restore_game(game, at=at)
    else:
        bring_night_back(game, by=by, at=at)
