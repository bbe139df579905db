"""Games of your own: the parts of a `Variant`, and `register` (engine/REFERENCE.md)."""

from __future__ import annotations

from .bound_rules import build_bound_rules
from .card_points import (
    HeldPoints,
    LeftoverPoints,
    MeldBonus,
    MeldPoints,
    Placing,
    Rewarded,
    RoundDifference,
    Sets,
    TypedPoints,
)
from .cards import NO_CARDS, TWO_FRENCH_PACKS, Deck, french_packs
from .facade import Game, rules
from .option_values import Money, Numbers, Words
from .options import House, Option, Topic, Variant
from .reentry_terms import Doubling, Flat, Linear, Reentry
from .rule_types import (
    AfterContracts,
    AfterRounds,
    CloserHand,
    Closing,
    ClosingKind,
    Direction,
    EntryTerms,
    FirstOut,
    FirstTo,
    InstantPrize,
    LastIn,
    OwnTotals,
    Pairs,
    Pot,
    RoundPrize,
    Rules,
    ToWinner,
    WhenStopped,
)
from .variant_checks import variant_faults
from .variants import VARIANTS, shared
from .variants.notebook import NOTEBOOK

__all__ = [
    "NO_CARDS",
    "TWO_FRENCH_PACKS",
    "AfterContracts",
    "AfterRounds",
    "CloserHand",
    "Closing",
    "ClosingKind",
    "Deck",
    "Direction",
    "Doubling",
    "EntryTerms",
    "FirstOut",
    "FirstTo",
    "Flat",
    "HeldPoints",
    "House",
    "InstantPrize",
    "LastIn",
    "LeftoverPoints",
    "Linear",
    "MeldBonus",
    "MeldPoints",
    "Money",
    "Numbers",
    "Option",
    "OwnTotals",
    "Pairs",
    "Placing",
    "Pot",
    "Reentry",
    "Rewarded",
    "RoundDifference",
    "RoundPrize",
    "Rules",
    "Sets",
    "ToWinner",
    "Topic",
    "TypedPoints",
    "Variant",
    "WhenStopped",
    "Words",
    "french_packs",
    "register",
    "shared",
    "unregister",
]


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
    build_bound_rules.cache_clear()
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
    build_bound_rules.cache_clear()


def __dir__() -> list[str]:
    """Return the public names, without what this module imports."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
