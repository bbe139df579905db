"""The card games that can be scored: one module each, listed here."""

from __future__ import annotations

from functools import lru_cache

from ..errors import RuleError
from ..i18n import Text, _
from ..options import Variant
from .carioca_ar import CARIOCA_AR
from .carioca_cl import CARIOCA_CL
from .chinchon import CHINCHON
from .loba_ca import LOBA_CA
from .loba_mas import LOBA_MAS
from .loba_menos import LOBA_MENOS
from .notebook import NOTEBOOK
from .points import POINTS

VARIANTS: dict[str, Variant] = {
    variant.key: variant
    for variant in (LOBA_MENOS, LOBA_MAS, LOBA_CA, CARIOCA_AR, CARIOCA_CL, CHINCHON, POINTS)
}


def get_variant(key: str) -> Variant:
    """Return the variant (card game) with this key, such as "chinchon".

    The key of NOTEBOOK, the variant of nights imported from an old notebook, is accepted too. Raise RuleError
    for an unknown key.
    """
    if key == NOTEBOOK.key:
        return NOTEBOOK
    if key not in VARIANTS:
        raise RuleError(unknown_game_sentence(key), field="variant")
    return VARIANTS[key]


def unknown_game_sentence(key: str) -> Text:
    return _("There is no game called “{key}”. Games: {keys}.", key=key, keys=", ".join(VARIANTS))


@lru_cache(maxsize=512)  # a list of games asks for each
def get_variant_by_title(title: str) -> Variant:
    """Return the variant with this title, such as "points:Truco", named as the title says.

    Raise RuleError if there is no variant with the key before the colon, or if that variant takes no such
    name.
    """
    key, name = split_title(title)
    variant = get_variant(key)
    house = variant.house({} if variant.name_option is None else {variant.name_option.key: name})
    if title != variant.title(house):
        raise RuleError(unknown_game_sentence(title), field="variant")
    return variant.with_name_from(house)


def split_title(title: str) -> tuple[str, str]:
    """Return the two parts of a title (`Variant.title`): a variant's key, and the name or "" for none."""
    key, _colon, name = title.partition(":")
    return key, name
