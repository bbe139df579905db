"""The scoring of Loba, Carioca and Chinchón: plain Python, no I/O, standard library only.

Cards and numbers become points, points decide who is in and who pays; a game is a log of events, replayed.
"""

from __future__ import annotations

from games.scoring.errors import NotationError, RuleError, ScoringError
from games.scoring.ledger import nets, payments, places, transfers
from games.scoring.preview import preview
from games.scoring.replay import allows, replay
from games.scoring.state import GameState
from games.scoring.variants import VARIANTS, find_variant
from games.scoring.writing import write_game

__all__ = [
    "VARIANTS",
    "GameState",
    "NotationError",
    "RuleError",
    "ScoringError",
    "allows",
    "find_variant",
    "nets",
    "payments",
    "places",
    "preview",
    "replay",
    "transfers",
    "write_game",
]
