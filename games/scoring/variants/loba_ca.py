"""Central American Loba (RULES 4): six contracts, eleven cards, fewest points after the last one wins."""

from __future__ import annotations

from ..i18n import _
from ..options import Preset, Variant
from ..rule_types import Direction
from . import shared
from .contract_games import contract_lesson, contract_options, contract_rules

LOBA_CA = Variant(
    key="loba_ca",
    name=_("Central American Loba"),
    summary=_("Six contracts, eleven cards each; fewest points after the last one wins."),
    gist=_("six contracts"),
    min_players=2,
    max_players=shared.MAX_PLAYERS,
    direction=Direction.RIGHT,
    build=contract_rules,
    lesson=contract_lesson,
    options=contract_options(contracts="ca6", values="ca", joker_swap="off"),
    presets=(
        Preset("joker_50", _("Jokers at 50"), {"values": "ca_joker50"}, "RULES 4"),
        Preset("tens", _("Quick count"), {"values": "ca_tens"}, "RULES 4"),
        Preset(
            "tens_joker_50",
            _("Quick count, jokers at 50"),
            {"values": "ca_tens_joker50"},
            "RULES 4",
            parts=("joker_50", "tens"),
        ),
    ),
    hints=(shared.THIRD_PACK,),
)
