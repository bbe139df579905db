"""Chilean Carioca (RULES 4): seven contracts, the last a royal run of thirteen; fewest points win."""

from __future__ import annotations

from ..i18n import _
from ..options import Hint, Preset, Variant
from ..rule_types import Direction
from . import shared
from .contract_games import contract_lesson, contract_options, contract_rules

CARIOCA_CL = Variant(
    key="carioca_cl",
    name=_("Chilean Carioca"),
    summary=_("Seven contracts, up to the royal run; fewest points after the last one wins."),
    gist=_("up to the royal run"),
    min_players=2,
    max_players=shared.MAX_PLAYERS,
    direction=Direction.RIGHT,
    build=contract_rules,
    lesson=contract_lesson,
    options=contract_options(contracts="cl7", values="ar", joker_swap="on"),
    presets=(
        Preset("jokers_stay", _("Jokers stay where they are"), {"joker_swap": "off"}, "RULES 4"),
        Preset("twelve", _("Twelve contracts"), {"contracts": "cl12"}, "RULES 4"),
        Preset(
            "dealt_twelve",
            _("Twelve cards, jokers at 30"),
            {"dealt": 12, "values": "cl30", "contracts": "cl9"},
            "RULES 4",
        ),
    ),
    hints=(Hint(4, _("Chilean Carioca is usually played by four at most.")), shared.THIRD_PACK),
)
