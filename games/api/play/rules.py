"""The rules of a variant in words."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.problems import found_at
from games.api.common.schema import refusals
from games.api.play import examples, payloads
from games.api.play.house import in_words, read_direction, read_house


@extend_schema(
    operation_id="rules",
    summary="The rules with these options, in words",
    description="Every option in force, and the rules in the reader's language. Nothing is stored.",
    request=payloads.HouseSent,
    responses={200: payloads.RulesSaid, **refusals("body", "refused")},
    examples=[examples.HOUSE_EXAMPLE],
)
@api_view(["POST"])
@permission_classes([AllowAny])
def rules(request: Request) -> Response:
    """Return the options in force, and the rules as sentences."""
    with found_at("variant"):
        sent = payloads.HouseSent.parts(request.data)
    variant, house = read_house(sent)
    direction = read_direction(sent, variant)
    parts = {"variant": variant.key, "options": dict(house.options), "direction": direction}
    return Response(payloads.RulesSaid.of({**parts, "rules": in_words(variant, house, direction)}))
