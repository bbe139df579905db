"""The variants (the games that can be played): options, presets, and rules in words."""

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
from games.scoring.options import Line, Numbers, Option, SameAs, Words
from games.scoring.variants import VARIANTS
from games.shown.common.sentences import translate


@extend_schema(
    operation_id="variants",
    summary="The variants",
    description="Every variant (a game that can be scored), with its name in the reader's language.",
    responses={200: payloads.Variants, **refusals()},
)
@api_view(["GET", "HEAD"])
@permission_classes([AllowAny])
def variants(request: Request) -> Response:
    """Return every variant in short."""
    return Response(payloads.Variants.of({"variants": VARIANTS.values()}))


@extend_schema(
    operation_id="variant",
    summary="A variant: its options, presets and rules",
    description=(
        "Options with their kinds, ranges and defaults; presets; the closings of a round; and the rules in "
        "words. Options may be given in the query string (`?stake=100&reentries=unlimited`), and "
        "`direction=left` or `right`: the closings and the rules are then those with these values."
    ),
    parameters=[payloads.CHOSEN],
    responses={200: payloads.VariantInFull, **refusals("not_found", "refused")},
)
@api_view(["GET", "HEAD"])
@permission_classes([AllowAny])
def variant(request: Request, key: str) -> Response:
    """Return one variant in full; the query string chooses options for its rules."""
    if key not in VARIANTS:
        raise NotFound
    shown = VARIANTS[key]
    chosen = request.query_params.dict()
    with found_at("options"):
        direction = direction_of(shown, chosen.pop("direction", ""))
        house = house_of(shown, chosen)
    in_force = {"options": dict(house.options), "direction": direction}
    options, rules = [_option(option) for option in shown.options], in_words(shown, house, direction)
    built = shown.build(house)
    return Response(
        payloads.VariantInFull.of(shown, options=options, in_force=in_force, rules=rules, built=built)
    )


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
    """Return the fields that describe the allowed values of an option: `kind`, limits and `words`.

    A field without a meaning for this kind of option is None or empty.
    """
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
