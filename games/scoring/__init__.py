"""The scoring of Loba, Carioca and Chinchón: plain Python, standard library only (engine/README.md).

A game is a log of events. Replaying the log computes the points, who is still in, and who pays. This module,
`entries` and `custom` are public (engine/REFERENCE.md); all other modules may change in any version.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .bound_rules import BoundRules
from .cards import Card
from .errors import LineError, NotationError, RefusedLine, RuleError, ScoringError, UnreadableLine
from .events import (
    Corrected,
    DealPassed,
    Event,
    GameStarted,
    GameStopped,
    Inserted,
    NightImported,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    PlayersSeated,
    PlayerStayedOut,
    PointsAdjusted,
    RoundPlayed,
    RulesAgreed,
    SeatHandedOver,
    Stop,
    Struck,
    TotalsAgreed,
    WinnersNamed,
)
from .facade import Game, all_variants, bind, lay_down, least_leftover, read_games, rules, score_hand, settle
from .ledger import Settlement, Transfer
from .options import Option, Variant
from .rounds import Doubt, Hand, RoundEntry
from .state import Disagreement, GameState, Outcome, PlayerState, Reason, RoundResult, Seat, Step

if TYPE_CHECKING:
    from .going_down import NotDown
    from .solvers.contracts import Bajada, Lacking
    from .solvers.groups import Group
    from .solvers.leftovers import Leftover
    from .text.collection import GameText, split_games
    from .text.game_file import Problem

__all__ = [
    "Bajada",
    "BoundRules",
    "Card",
    "Corrected",
    "DealPassed",
    "Disagreement",
    "Doubt",
    "Event",
    "Game",
    "GameStarted",
    "GameState",
    "GameStopped",
    "GameText",
    "Group",
    "Hand",
    "Inserted",
    "Lacking",
    "Leftover",
    "LineError",
    "NightImported",
    "NotDown",
    "NotationError",
    "Option",
    "Outcome",
    "Player",
    "PlayerJoined",
    "PlayerLeft",
    "PlayerReentered",
    "PlayerState",
    "PlayerStayedOut",
    "PlayersSeated",
    "PointsAdjusted",
    "Problem",
    "Reason",
    "RefusedLine",
    "RoundEntry",
    "RoundPlayed",
    "RoundResult",
    "RuleError",
    "RulesAgreed",
    "ScoringError",
    "Seat",
    "SeatHandedOver",
    "Settlement",
    "Step",
    "Stop",
    "Struck",
    "TotalsAgreed",
    "Transfer",
    "UnreadableLine",
    "Variant",
    "WinnersNamed",
    "all_variants",
    "bind",
    "lay_down",
    "least_leftover",
    "read_games",
    "rules",
    "score_hand",
    "settle",
    "split_games",
]
__version__ = "1.3.0.dev0"  # also the site's version; it is set only here

_IMPORTED_WHEN_USED = {  # by name, the module: solvers and text forms take as long to import as all the others
    "Bajada": "solvers.contracts",
    "GameText": "text.collection",
    "Group": "solvers.groups",
    "Lacking": "solvers.contracts",
    "Leftover": "solvers.leftovers",
    "NotDown": "going_down",
    "Problem": "text.game_file",
    "split_games": "text.collection",
}

if not TYPE_CHECKING:  # a type checker would accept any name

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used (PEP 562)."""
        if name not in _IMPORTED_WHEN_USED:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f".{_IMPORTED_WHEN_USED[name]}", __name__), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """Return the public names and modules, without private modules that were imported."""
    modules = {"custom", "entries"} & globals().keys()
    return sorted({*__all__, *modules, *(name for name in globals() if name.startswith("__"))})
