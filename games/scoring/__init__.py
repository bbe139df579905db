"""The scoring of Loba, Carioca and Chinchón: plain Python, standard library only (engine/README.md).

A game is a log of events. Replaying the log computes the points, who is still in, and who pays. The main
interface: `Game`, `read_games`, `score_hand`, `least_leftover`, `lay_down`, `rules`, `settle`; the classes of
their results are exported too.

The functions behind it: `replay.replay` and `replay.allows`, `preview.preview`, `ledger.nets`,
`ledger.payments` and `ledger.places`, `variants.find_variant`, `going_down.go_down`,
`text.notation.read_line`, `text.writing.write_game`, `text.script.play_script`,
`text.collection.split_games`, `text.describe.describe`, and the solvers `solvers.leftovers.leftovers_of`,
`solvers.placing.place_all`, `solvers.melds.melds_of`, `solvers.contracts.fulfils`.
"""

from __future__ import annotations

from .errors import LineError, NotationError, RefusedLine, RuleError, ScoringError, UnreadableLine
from .front import Game, lay_down, least_leftover, read_games, rules, score_hand, settle
from .going_down import NotDown
from .ledger import Settlement, Transfer
from .rounds import Doubt
from .solvers.contracts import Bajada, Lacking
from .solvers.groups import Group
from .solvers.leftovers import Leftover
from .state import Disagreement, GameState, Outcome, PlayerState, RoundResult
from .text.script import Problem

__version__ = "1.1.0.dev0"  # of the site too: the one place where it is written

__all__ = [
    "Bajada",
    "Disagreement",
    "Doubt",
    "Game",
    "GameState",
    "Group",
    "Lacking",
    "Leftover",
    "LineError",
    "NotDown",
    "NotationError",
    "Outcome",
    "PlayerState",
    "Problem",
    "RefusedLine",
    "RoundResult",
    "RuleError",
    "ScoringError",
    "Settlement",
    "Transfer",
    "UnreadableLine",
    "lay_down",
    "least_leftover",
    "read_games",
    "rules",
    "score_hand",
    "settle",
]
