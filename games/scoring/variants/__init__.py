"""The games we score: one file each, listed here."""

from __future__ import annotations

from games.scoring.errors import RuleError
from games.scoring.rules import Variant
from games.scoring.variants.loba_menos import LOBA_MENOS
from games.scoring.words import _

VARIANTS: dict[str, Variant] = {variant.key: variant for variant in (LOBA_MENOS,)}


def find_variant(key: str) -> Variant:
    """The game called `key`; RuleError where we do not know it."""
    if key not in VARIANTS:
        raise RuleError(_("There is no game called “{key}”.", key=key), field="variant")
    return VARIANTS[key]
