"""Chilean Carioca (RULES 4): seven contracts, the last a royal run of thirteen; fewest points win."""

from __future__ import annotations

from games.scoring.options import Hint, Variant
from games.scoring.rules import Direction
from games.scoring.variants.contract_games import contract_options, contract_rules
from games.scoring.words import _

CARIOCA_CL = Variant(
    key="carioca_cl",
    name=_("Chilean Carioca"),
    summary=_("Seven contracts, to the royal run; fewest points after the last one wins."),
    gist=_("to the royal run"),
    min_players=2,
    max_players=5,
    direction=Direction.RIGHT,
    build=contract_rules,
    options=contract_options(contracts="cl7", values="ar", joker_swap="on"),
    hint=Hint(4, _("Chilean Carioca is usually played by four at most.")),
)
