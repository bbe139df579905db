"""Discard and restore any game: a game recorded in the app, or a night of an old notebook."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from games.models import Game
from games.notebook.taking_over import bring_night_back, take_night_away
from games.play.recording import discard_game, restore_game
from games.scoring.state import GameState


def discard(game: Game, state: GameState, *, by: User, at: datetime | None = None) -> None:
    """Discard a game. `state` is its present state."""
    if state.imported is None:
        discard_game(game, by=by, at=at)
    else:
        take_night_away(game, by=by, at=at)


def restore(game: Game, state: GameState, *, by: User, at: datetime | None = None) -> None:
    """Restore a discarded game. `state` is its present state."""
    if state.imported is None:
        restore_game(game, by=by, at=at)
    else:
        bring_night_back(game, by=by, at=at)
