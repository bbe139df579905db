"""The scoring of Loba, Carioca and Chinchón: plain Python, standard library only (engine/README.md).

A game is a log of events. Replaying the log computes the points, who is still in, and who pays. The main
interface: `Game`, `read_games`, `score_hand`, `least_leftover`, `lay_down`, `rules`, `settle`; the classes of
their results are exported too.

The functions behind it: `replay.replay` and `replay.allows`, `preview.preview`, `ledger.nets`,
`ledger.payments` and `ledger.places`, `variants.find_variant`, `going_down.go_down`,
`text.notation.read_line`, `text.writing.write_game`, `text.script.play_script`,
`text.collection.split_games`, `text.describe.describe`, and the solvers `solvers.leftovers.leftovers_of`,
`solvers.placing.place_all`, `solvers.melds.melds_of`, `solvers.contracts.fulfils`. Import only the module you
need: importing a solver then does not load the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .errors import LineError, NotationError, RefusedLine, RuleError, ScoringError, UnreadableLine
from .front import Game, lay_down, least_leftover, read_games, rules, score_hand, settle

if TYPE_CHECKING:
    from .going_down import NotDown as NotDown
    from .ledger import Settlement as Settlement
    from .ledger import Transfer as Transfer
    from .rounds import Doubt as Doubt
    from .solvers.contracts import Bajada as Bajada
    from .solvers.contracts import Lacking as Lacking
    from .solvers.groups import Group as Group
    from .solvers.leftovers import Leftover as Leftover
    from .state import Disagreement as Disagreement
    from .state import GameState as GameState
    from .state import Outcome as Outcome
    from .state import PlayerState as PlayerState
    from .state import RoundResult as RoundResult
    from .text.script import Problem as Problem

__version__ = "1.0.0"  # of the site too: the one place where it is written

# The classes of results, by name, with their modules: imported when they are first asked for.
_RESULTS = {
    "Bajada": "solvers.contracts",
    "Disagreement": "state",
    "Doubt": "rounds",
    "GameState": "state",
    "Group": "solvers.groups",
    "Lacking": "solvers.contracts",
    "Leftover": "solvers.leftovers",
    "NotDown": "going_down",
    "Outcome": "state",
    "PlayerState": "state",
    "Problem": "text.script",
    "RoundResult": "state",
    "Settlement": "ledger",
    "Transfer": "ledger",
}
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


def __getattr__(name: str) -> object:
    """Return the class of results with this name."""
    if name not in _RESULTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_RESULTS[name]}", __name__), name)
