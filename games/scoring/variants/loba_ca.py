"""Central American Loba (RULES 4): six contracts, eleven cards, fewest points after the last one wins."""

from __future__ import annotations

from games.scoring.options import Variant
from games.scoring.rules import Direction
from games.scoring.variants.contract_games import contract_options, contract_rules
from games.scoring.words import _

LOBA_CA = Variant(
    key="loba_ca",
    name=_("Central American Loba"),
    summary=_("Six contracts, eleven cards each; fewest points after the last one wins."),
    gist=_("six contracts"),
    min_players=2,
    max_players=5,
    direction=Direction.RIGHT,
    build=contract_rules,
    options=contract_options(contracts="ca6", values="ca", joker_swap="off"),
)
