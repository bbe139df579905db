"""The rules of a table, in words."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.bodies import object_sent
from games.api.common.problems import found_at
from games.api.common.schema import refusals
from games.api.play import examples, payloads
from games.api.play.house import LONGEST_WORD, direction_of, in_words, read_house


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
    """What holds at a table that chose these options."""
    with found_at("variant"):
        sent = object_sent(request, "variant", "options", "direction")
    variant, house = read_house(sent)
    with found_at("direction"):
        given = sent.text("direction", longest=LONGEST_WORD) if sent.has("direction") else ""
        direction = direction_of(variant, given)
    return Response(
        {
            "variant": variant.key,
            "options": dict(house.options),
            "direction": direction,
            "rules": in_words(variant, house, direction),
        }
    )
