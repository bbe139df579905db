"""The card games that can be scored: one module each, listed here."""

from __future__ import annotations

from games.scoring.errors import RuleError
from games.scoring.options import Variant
from games.scoring.variants.carioca_ar import CARIOCA_AR
from games.scoring.variants.carioca_cl import CARIOCA_CL
from games.scoring.variants.chinchon import CHINCHON
from games.scoring.variants.loba_ca import LOBA_CA
from games.scoring.variants.loba_mas import LOBA_MAS
from games.scoring.variants.loba_menos import LOBA_MENOS
from games.scoring.variants.notebook import NOTEBOOK
from games.scoring.variants.points import POINTS
from games.scoring.words import _

VARIANTS: dict[str, Variant] = {
    variant.key: variant
    for variant in (LOBA_MENOS, LOBA_MAS, LOBA_CA, CARIOCA_AR, CARIOCA_CL, CHINCHON, POINTS)
}


def find_variant(key: str) -> Variant:
    """Return the game called `key`, or the old notebook. Raise RuleError for an unknown key."""
    if key == NOTEBOOK.key:
        return NOTEBOOK
    if key not in VARIANTS:
        raise RuleError(_("There is no game called “{key}”.", key=key), field="variant")
    return VARIANTS[key]


def find_titled(title: str) -> Variant:
    """Return the game with this title (`Variant.title`), under the name in the title.

    Raise RuleError if there is no such game.
    """
    key, _colon, name = title.partition(":")
    variant = find_variant(key)
    chosen = {variant.naming.key: name} if variant.naming is not None else {}
    named = variant.called(variant.house(chosen))
    if title != named.title(variant.house(chosen)):
        raise RuleError(_("There is no game called “{key}”.", key=title), field="variant")
    return named


def split_title(title: str) -> tuple[str, str]:
    """Return the key of a game and the name given to it, "" for no name."""
    key, _colon, name = title.partition(":")
    return key, name
