"""The scoring of Loba, Carioca and Chinchón: plain Python, standard library only (engine/README.md).

A game is a log of events. Replaying the log computes the points, who is still in, and who pays. The main
interface: `Game`, `read_games`, `score_hand`, `least_leftover`, `lay_down`, `rules`, `settle`.

The functions behind it: `replay.replay` and `replay.allows`, `preview.preview`, `ledger.nets`,
`ledger.payments` and `ledger.places`, `variants.find_variant`, `going_down.go_down`,
`text.notation.read_line`, `text.writing.write_game`, `text.script.play_script`,
`text.collection.split_games`, `text.describe.describe`, and the solvers `solvers.leftovers.leftovers_of`,
`solvers.placing.place_all`, `solvers.melds.melds_of`, `solvers.contracts.fulfils`. Import only the module you
need: importing a solver then does not load the rest.
"""

from __future__ import annotations

from .errors import LineError, NotationError, RefusedLine, RuleError, ScoringError, UnreadableLine
from .front import Game, lay_down, least_leftover, read_games, rules, score_hand, settle

__version__ = "0.1.0"
__all__ = [
    "Game",
    "LineError",
    "NotationError",
    "RefusedLine",
    "RuleError",
    "ScoringError",
    "UnreadableLine",
    "lay_down",
    "least_leftover",
    "read_games",
    "rules",
    "score_hand",
    "settle",
]
