"""The games a table can start here: those whose rounds can be entered by taps."""

from __future__ import annotations

from games.scoring.options import Variant
from games.scoring.variants.loba_menos import LOBA_MENOS

OFFERED: dict[str, Variant] = {variant.key: variant for variant in (LOBA_MENOS,)}
