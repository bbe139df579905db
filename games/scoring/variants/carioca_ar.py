"""Argentine Carioca (RULES 4): seven contracts, the last of three runs; fewest points win."""

from __future__ import annotations

from games.scoring.options import Variant
from games.scoring.rules import Direction
from games.scoring.variants.contract_games import contract_options, contract_rules
from games.scoring.words import _

CARIOCA_AR = Variant(
    key="carioca_ar",
    name=_("Argentine Carioca"),
    summary=_("Seven contracts, to three runs; fewest points after the last one wins."),
    gist=_("to three runs"),
    min_players=2,
    max_players=5,
    direction=Direction.RIGHT,
    build=contract_rules,
    options=contract_options(contracts="ar7", values="ar", joker_swap="on"),
)
