"""House rules as they are sent: read with the variant they belong to, and said back in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.api.common.problems import Problem, found_at
from games.notebook.fields import Fields
from games.scoring.errors import RuleError
from games.scoring.options import House, Variant
from games.scoring.rules import Value
from games.scoring.text.describe import describe
from games.scoring.variants import find_variant
from games.scoring.words import _
from games.shown.common.amounts import points
from games.shown.common.sentences import translate

LONGEST_WORD = 100
DIRECTIONS = ("left", "right")


def read_house(sent: Fields) -> tuple[Variant, House]:
    """The game named by `variant`, and every option in force with those in `options`, if there are any."""
    with found_at("variant"):
        variant = find_variant(sent.text("variant", longest=LONGEST_WORD))
    with found_at("options"):
        chosen = sent.part("options") if sent.has("options") else {}
        return variant, house_of(variant, _values(chosen))


def _values(chosen: Any) -> dict[str, Value]:
    if not isinstance(chosen, dict):
        raise Problem("misshapen", _("This should be an object with named parts."), field="options")
    for key, value in chosen.items():
        if not isinstance(value, int | str) or isinstance(value, bool) or len(str(value)) > LONGEST_WORD:
            raise Problem("misshapen", _("An option is a number or a word."), field=key[:LONGEST_WORD])
    return chosen


def house_of(variant: Variant, chosen: Mapping[str, Value]) -> House:
    """Every option in force when a table chose these; RuleError where they do not go together."""
    house = variant.house(chosen)
    variant.build(house)
    return house


def direction_of(variant: Variant, given: str) -> str:
    """Which way the deal goes, the usual one where nothing was given."""
    if given and given not in DIRECTIONS:
        raise RuleError(_("The deal goes to the left or to the right."), field="direction")
    return given or variant.direction


def in_words(variant: Variant, house: House, direction: str) -> list[str]:
    """The rules in force, in the reader's language; amounts are in the smallest coin of whoever plays."""
    return [translate(sentence, points) for sentence in describe(variant, house, direction)]
