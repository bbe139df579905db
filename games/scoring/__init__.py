"""The scoring of Loba, Carioca and Chinchón: plain Python, standard library only (engine/README.md).

A game is a log of events. Replaying the log computes the points, who is still in, and who pays. This module,
`entries` and `custom` are public (engine/REFERENCE.md); all other modules may change in any version.
"""

from __future__ import annotations

from .cards import Card as Card
from .errors import LineError as LineError
from .errors import NotationError as NotationError
from .errors import RefusedLine as RefusedLine
from .errors import RuleError as RuleError
from .errors import ScoringError as ScoringError
from .errors import UnreadableLine as UnreadableLine
from .events import Corrected as Corrected
from .events import DealPassed as DealPassed
from .events import Event as Event
from .events import GameStarted as GameStarted
from .events import GameStopped as GameStopped
from .events import Inserted as Inserted
from .events import NightImported as NightImported
from .events import Player as Player
from .events import PlayerJoined as PlayerJoined
from .events import PlayerLeft as PlayerLeft
from .events import PlayerReentered as PlayerReentered
from .events import PlayersSeated as PlayersSeated
from .events import PlayerStayedOut as PlayerStayedOut
from .events import PointsAdjusted as PointsAdjusted
from .events import RoundPlayed as RoundPlayed
from .events import RulesAgreed as RulesAgreed
from .events import SeatHandedOver as SeatHandedOver
from .events import Stop as Stop
from .events import Struck as Struck
from .events import TotalsAgreed as TotalsAgreed
from .facade import Game as Game
from .facade import all_variants as all_variants
from .facade import lay_down as lay_down
from .facade import least_leftover as least_leftover
from .facade import read_games as read_games
from .facade import rules as rules
from .facade import score_hand as score_hand
from .facade import settle as settle
from .going_down import NotDown as NotDown
from .ledger import Settlement as Settlement
from .ledger import Transfer as Transfer
from .options import Option as Option
from .options import Variant as Variant
from .rounds import Doubt as Doubt
from .rounds import Hand as Hand
from .rounds import RoundEntry as RoundEntry
from .solvers.contracts import Bajada as Bajada
from .solvers.contracts import Lacking as Lacking
from .solvers.groups import Group as Group
from .solvers.leftovers import Leftover as Leftover
from .state import Disagreement as Disagreement
from .state import GameState as GameState
from .state import Outcome as Outcome
from .state import PlayerState as PlayerState
from .state import Reason as Reason
from .state import RoundResult as RoundResult
from .state import Seat as Seat
from .state import Step as Step
from .text.collection import GameText as GameText
from .text.collection import split_games as split_games
from .text.game_file import Problem as Problem

__version__ = "1.2.0.dev0"  # also the site's version; it is set only here
