"""Games of your own: the parts of a `Variant`, and `register` (engine/REFERENCE.md)."""

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
from .facade import Game, rules
from .options import House as House
from .options import Money as Money
from .options import Numbers as Numbers
from .options import Option as Option
from .options import Topic as Topic
from .options import Variant as Variant
from .options import Words as Words
from .reentry_terms import Doubling as Doubling
from .reentry_terms import Flat as Flat
from .reentry_terms import Linear as Linear
from .reentry_terms import Reentry as Reentry
from .rule_types import AfterContracts as AfterContracts
from .rule_types import AfterRounds as AfterRounds
from .rule_types import CloserHand as CloserHand
from .rule_types import Closing as Closing
from .rule_types import ClosingKind as ClosingKind
from .rule_types import Direction as Direction
from .rule_types import EntryTerms as EntryTerms
from .rule_types import FirstOut as FirstOut
from .rule_types import FirstTo as FirstTo
from .rule_types import InstantPrize as InstantPrize
from .rule_types import LastIn as LastIn
from .rule_types import OwnTotals as OwnTotals
from .rule_types import Pairs as Pairs
from .rule_types import Pot as Pot
from .rule_types import RoundPrize as RoundPrize
from .rule_types import Rules as Rules
from .rule_types import ToWinner as ToWinner
from .rule_types import WhenStopped as WhenStopped
from .variant_checks import variant_faults
from .variants import VARIANTS
from .variants import shared as shared
from .variants.notebook import NOTEBOOK


def register(variant: Variant) -> None:
    """Make a game known under its key, so that texts and `Game.begin` find it.

    Raise ValueError for a key that is taken, and for a game that could not be played, with a sentence that
    says what to write instead. The check builds the rules with the defaults and with each word of an option.
    Then it starts a game with the fewest players, writes it as text, reads it again, and puts the rules into
    words. Any error in these steps is raised, and the game stays unknown.
    """
    if variant.key in (*VARIANTS, NOTEBOOK.key):
        raise ValueError(f"there is a game called {variant.key} already")
    for fault in variant_faults(variant):
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
    """Forget a game. Raise KeyError for an unknown key."""
    del VARIANTS[key]
