"""Argentine Carioca (RULES 4): seven contracts, the last of three runs; fewest points win."""

from __future__ import annotations

from ..i18n import _
from ..options import Preset, Variant
from ..rule_types import Direction
from . import shared
from .contract_games import contract_lesson, contract_options, contract_rules

CARIOCA_AR = Variant(
    key="carioca_ar",
    name=_("Argentine Carioca"),
    summary=_("Seven contracts, up to three runs; fewest points after the last one wins."),
    gist=_("up to three runs"),
    min_players=2,
    max_players=shared.MAX_PLAYERS,
    direction=Direction.RIGHT,
    build=contract_rules,
    lesson=contract_lesson,
    options=contract_options(contracts="ar7", values="ar", joker_swap="on"),
    presets=(
        Preset(
            "continental",
            _("Continental"),
            {"contracts": "ar7", "in_one_go": -10, "dealt": "growing"},
            "RULES 4",
            is_game=True,
        ),
    ),
    hints=(shared.THIRD_PACK,),
)
