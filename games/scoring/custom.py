"""A game of one's own: what its `Variant` is made of, and `register` (engine/REFERENCE.md)."""

from __future__ import annotations

from .card_points import HeldPoints as HeldPoints
from .card_points import LeftoverPoints as LeftoverPoints
from .card_points import MeldPoints as MeldPoints
from .card_points import Placing as Placing
from .card_points import Rewarded as Rewarded
from .card_points import TypedPoints as TypedPoints
from .cards import NO_CARDS as NO_CARDS
from .cards import TWO_FRENCH_PACKS as TWO_FRENCH_PACKS
from .cards import Deck as Deck
from .cards import french_packs as french_packs
from .faults import faults_of
from .front import Game, rules
from .kinds import AfterContracts as AfterContracts
from .kinds import AfterRounds as AfterRounds
from .kinds import CloserHand as CloserHand
from .kinds import Closing as Closing
from .kinds import ClosingKind as ClosingKind
from .kinds import Direction as Direction
from .kinds import Doubling as Doubling
from .kinds import EntryTerms as EntryTerms
from .kinds import FirstOut as FirstOut
from .kinds import FirstTo as FirstTo
from .kinds import Flat as Flat
from .kinds import InstantPrize as InstantPrize
from .kinds import LastIn as LastIn
from .kinds import Linear as Linear
from .kinds import OwnTotals as OwnTotals
from .kinds import Pairs as Pairs
from .kinds import Pot as Pot
from .kinds import Reentry as Reentry
from .kinds import RoundPrize as RoundPrize
from .kinds import Rules as Rules
from .kinds import ToWinner as ToWinner
from .kinds import WhenStopped as WhenStopped
from .options import House as House
from .options import Money as Money
from .options import Numbers as Numbers
from .options import Option as Option
from .options import Topic as Topic
from .options import Variant as Variant
from .options import Words as Words
from .variants import VARIANTS
from .variants import shared as shared
from .variants.notebook import NOTEBOOK


def register(variant: Variant) -> None:
    """Make a game known under its key, so that texts and `Game.begin` find it.

    Raise ValueError for a key that is taken, and for a game that could not be played, with a sentence that
    says what to write. Its rules are built with the defaults and with each word of an option. A game of the
    fewest players is begun, written as text and read again, and its rules are put into words; an error in
    that is raised, and the game stays unknown.
    """
    if variant.key in (*VARIANTS, NOTEBOOK.key):
        raise ValueError(f"there is a game called {variant.key} already")
    for fault in faults_of(variant):
        raise ValueError(fault)
    VARIANTS[variant.key] = variant
    try:
        Game.from_text(
            Game.begin(variant.key, [f"p{number}" for number in range(variant.min_players)]).text()
        )
        rules(variant.key)
    except Exception:
        unregister(variant.key)
        raise


def unregister(key: str) -> None:
    """Forget a game. Raise KeyError for a key that is not known."""
    del VARIANTS[key]
