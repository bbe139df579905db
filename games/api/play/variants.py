"""The games there are: their options, their presets, and their rules in words."""

from __future__ import annotations

from typing import Any, assert_never

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.problems import found_at
from games.api.common.schema import refusals
from games.api.play import payloads
from games.api.play.house import direction_of, house_of, in_words
from games.scoring.options import Line, Numbers, Option, SameAs, Variant, Words
from games.scoring.variants import VARIANTS
from games.shown.common.sentences import translate


@extend_schema(
    operation_id="variants",
    summary="The games there are",
    description="Every game that can be scored, with what it is called in the reader's language.",
    responses={200: payloads.Variants, **refusals()},
)
@api_view(["GET", "HEAD"])
@permission_classes([AllowAny])
def variants(request: Request) -> Response:
    """Every game, in short."""
    return Response({"variants": [_in_short(variant) for variant in VARIANTS.values()]})


@extend_schema(
    operation_id="variant",
    summary="A game: its options, presets and rules",
    description=(
        "Options with their kinds, ranges and defaults; presets; and the rules in words. Any option may be given in "
        "the address (`?stake=100&reentries=unlimited`), and `direction=left` or `right`: the rules are then said "
        "as they are with these."
    ),
    parameters=[payloads.KEY, payloads.CHOSEN],
    responses={200: payloads.VariantInFull, **refusals("not_found", "refused")},
)
@api_view(["GET", "HEAD"])
@permission_classes([AllowAny])
def variant(request: Request, key: str) -> Response:
    """One game in full, its rules with the options given in the address."""
    if key not in VARIANTS:
        raise NotFound
    found = VARIANTS[key]
    chosen = request.query_params.dict()
    with found_at("options"):
        direction = direction_of(found, chosen.pop("direction", ""))
        house = house_of(found, chosen)
    return Response(
        {
            **_in_short(found),
            "options": [_option(option) for option in found.options],
            "presets": [
                {"key": preset.key, "name": translate(preset.name), "options": dict(preset.chosen)}
                for preset in found.presets
            ],
            "in_force": {"options": dict(house.options), "direction": direction},
            "rules": in_words(found, house, direction),
        }
    )


def _in_short(variant: Variant) -> dict[str, Any]:
    return {
        "key": variant.key,
        "name": translate(variant.name),
        "summary": translate(variant.summary),
        "min_players": variant.min_players,
        "max_players": variant.max_players,
        "direction": variant.direction,
    }


def _option(option: Option) -> dict[str, Any]:
    return {
        "key": option.key,
        "label": translate(option.label),
        "default": None if isinstance(option.default, SameAs) else option.default,
        "same_as": option.default.option if isinstance(option.default, SameAs) else None,
        "noted": option.noted,
        **_allowed(option.allowed),
    }


def _allowed(allowed: Numbers | Words | Line) -> dict[str, Any]:
    """What an option may be: of which kind, and its bounds, those of another kind left blank."""
    words = [{"value": value, "label": translate(label)} for value, label in allowed.words.items()]
    blank = {"low": None, "high": None, "longest": None, "only": [], "shortcuts": [], "words": words}
    match allowed:
        case Numbers(low=low, high=high, shortcuts=shortcuts, only=only):
            ranged = {"low": None if only else low, "high": None if only else high}
            return {**blank, "kind": "number", **ranged, "only": list(only), "shortcuts": list(shortcuts)}
        case Words():
            return {**blank, "kind": "word"}
        case Line(longest=longest):
            return {**blank, "kind": "text", "longest": longest}
        case _:
            assert_never(allowed)
