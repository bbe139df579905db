"""The games we score: one file each, listed here."""

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
from games.scoring.words import _

VARIANTS: dict[str, Variant] = {
    variant.key: variant for variant in (LOBA_MENOS, LOBA_MAS, LOBA_CA, CARIOCA_AR, CARIOCA_CL, CHINCHON)
}


def find_variant(key: str) -> Variant:
    """The game called `key`, or the old notebook; RuleError where we do not know it."""
    if key == NOTEBOOK.key:
        return NOTEBOOK
    if key not in VARIANTS:
        raise RuleError(_("There is no game called “{key}”.", key=key), field="variant")
    return VARIANTS[key]
