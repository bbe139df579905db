"""The variant of nights imported from an old notebook (cuaderno). Only their results are known."""

from __future__ import annotations

from ..errors import RuleError
from ..i18n import _
from ..options import House, Variant
from ..rule_types import Direction, Rules


def _refuse_rules(house: House) -> Rules:
    raise RuleError(_("An old notebook can't be played."), field="variant")


NOTEBOOK = Variant(
    key="notebook",
    name=_("Old notebook"),
    summary=_("Nights imported as they were written."),
    min_players=2,
    max_players=20,
    direction=Direction.LEFT,
    options=(),
    build=_refuse_rules,
)
