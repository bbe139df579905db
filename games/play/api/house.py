"""House rules: reading them with their variant from a request, and writing them in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.common.amounts import points
from games.common.api.problems import found_at
from games.common.words import translate
from games.play.api.fields import DIRECTIONS
from games.scoring.errors import RuleError
from games.scoring.kinds import Value
from games.scoring.options import House, Variant
from games.scoring.text.describe import describe
from games.scoring.variants import find_variant
from games.scoring.words import _


def read_house(sent: Mapping[str, Any]) -> tuple[Variant, House]:
    """Return the variant and all its house rules, from the fields `variant` and `options` of a body.

    Options that were not sent have their defaults. Raise Problem for an unknown variant, option or value.
    """
    with found_at("variant"):
        variant = find_variant(sent["variant"])
    with found_at("options"):
        return variant, house_of(variant, sent.get("options", {}))


def house_of(variant: Variant, chosen: Mapping[str, Value]) -> House:
    """Return all house rules of the variant: the chosen values, and the defaults for all other options.

    Raise RuleError for an unknown option or value, or if the values contradict each other.
    """
    house = variant.house(chosen)
    variant.build(house)
    return house


def direction_of(variant: Variant, given: str) -> str:
    """Return `given`, the direction of the deal; if it is "", the default of the variant.

    Raise RuleError unless `given` is "left", "right" or "".
    """
    if given not in ("", *DIRECTIONS):
        raise RuleError(_("The deal can go to the left or to the right."), field="direction")
    return given or variant.direction


def in_words(variant: Variant, house: House, direction: str) -> list[str]:
    """Return the rules as sentences in the reader's language.

    Amounts are bare whole numbers of the smallest coin, because no table gives their currency.
    """
    return [translate(sentence, points) for sentence in describe(variant, house, direction)]
