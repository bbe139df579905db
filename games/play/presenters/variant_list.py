"""The list of games on the page of a new game: those of the region first, then all others.

An item is a variant, or a preset that is a game of its own, such as Pontinho. Its key in the form is the key
of the variant; for a preset, a colon and the preset's key follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.common import amounts, regions, texts
from games.models import Table
from games.play.presenters import house_rules
from games.scoring.options import Preset, Variant
from games.scoring.text.describe import option_differences
from games.scoring.variants import VARIANTS

# The games played in a region, the most common first.
REGIONAL_KEYS: Mapping[str, Sequence[str]] = {
    "es-AR": ("loba_menos", "loba_mas", "chinchon", "carioca_ar", "points"),
    "es-CL": ("carioca_cl", "chinchon", "carioca_ar", "points"),
    "es-CR": ("loba_menos", "loba_ca", "carioca_ar:continental", "points:conquian", "points"),
    "es-ES": ("chinchon", "carioca_ar:continental", "points:rabino", "points:rummikub", "points"),
    "es-MX": ("loba_menos", "carioca_ar:continental", "points:conquian", "chinchon", "points"),
    "en-GB": ("loba_menos", "points:kalookie", "points:rummikub", "chinchon", "points"),
    "en-US": (
        *("loba_menos", "points:gin", "points:rummy_500", "points:phase_10"),
        *("points:rummikub", "points:tonk", "points"),
    ),
}
ANY_OTHER = "points"
DEFAULT_KEYS = ("loba_menos", "loba_mas", "carioca_ar", "carioca_cl", "chinchon", "points")


@dataclass(frozen=True)
class VariantItem:
    """A game in the list; `gist` tells it from the others in two words, and `summary` says more."""

    key: str
    name: str
    gist: str
    summary: str
    is_chosen: bool


def default_variant() -> Variant:
    """Return the variant that is played most in the region."""
    return VARIANTS[_keys_for_region()[0]]


def regional_names() -> list[str]:
    """Return the names of the games that are played most in the region."""
    return [
        _item_name(*game) for key in _keys_for_region() if key != ANY_OTHER and (game := find_by_key(key))
    ]


def _item_name(variant: Variant, preset: Preset | None) -> str:
    return texts.translate(variant.name if preset is None else preset.name)


def find_by_key(key: str) -> tuple[Variant, Preset | None] | None:
    """Return the variant of the game with this key, and its preset or None; None for an unknown key."""
    variant_key, _colon, preset_key = key.partition(":")
    variant = VARIANTS.get(variant_key)
    preset = (
        next((preset for preset in variant.presets if preset.key == preset_key), None) if variant else None
    )
    return None if variant is None or (preset_key and preset is None) else (variant, preset)


def key_for_rules(variant: Variant, house: Mapping[str, str], table: Table) -> str:
    """Return the key of the game with these rules, as typed into the form of this table."""
    for preset in variant.presets:
        if preset.is_game and is_in_force(preset, variant, house, table):
            return f"{variant.key}:{preset.key}"
    return variant.key


def is_in_force(preset: Preset, variant: Variant, house: Mapping[str, str], table: Table) -> bool:
    """Return whether these rules, as typed into the form of this table, include those of the preset.

    A preset is also in force if another one that combines it is.
    """
    including = (preset, *(whole for whole in variant.presets if preset.key in whole.parts))
    return any(
        house_rules.input_values(variant, each.chosen, table).items() <= house.items() for each in including
    )


def items_by_region(chosen: str, table: Table) -> tuple[list[VariantItem], list[VariantItem]]:
    """Return the games of the region, and all others; `chosen` is the key of the chosen game."""
    regional_keys = _keys_for_region()
    games = [
        f"{variant.key}:{preset.key}"
        for variant in VARIANTS.values()
        for preset in variant.presets
        if preset.is_game
    ]
    others = [key for key in (*VARIANTS, *games) if key not in regional_keys]
    groups = [[_build_item(key, chosen, table) for key in keys] for keys in (regional_keys, others)]
    return groups[0], groups[1]


def _keys_for_region() -> Sequence[str]:
    return REGIONAL_KEYS.get(regions.active_region().name, DEFAULT_KEYS)


def _build_item(key: str, chosen: str, table: Table) -> VariantItem:
    game = find_by_key(key)
    assert game is not None, "the list has only known games"
    variant, preset = game
    if preset is None:
        gist = "" if variant.gist is None else texts.translate(variant.gist)
        return VariantItem(
            key, _item_name(variant, None), gist, texts.translate(variant.summary), key == chosen
        )
    return VariantItem(
        key, _item_name(variant, preset), "", differences(preset, variant, table), key == chosen
    )


def differences(preset: Preset, variant: Variant, table: Table) -> str:
    """Return in one line how a preset differs from the usual rules of its variant."""
    naming = variant.name_option  # the preset's own name already says it
    changes = option_differences(
        variant, variant.house(preset.chosen), excluded={naming.key} if naming else ()
    )
    return " · ".join(texts.translate(change, amounts.money_formatter(table)) for change in changes)
