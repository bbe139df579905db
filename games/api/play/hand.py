"""Counting the points of one hand, and arranging its cards into melds."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes, throttle_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.limits import Counting, PerUser
from games.api.common.problems import found_at
from games.api.common.schema import refusals
from games.api.play import payloads
from games.api.play.house import read_house
from games.scoring.text.notation import read_hand
from games.shown.play.readings import reading_alone


@extend_schema(
    operation_id="hand",
    summary="Count the points of a hand",
    description=(
        "The points of a single hand, before any bonus, and its cards arranged into melds: for Loba de Más "
        "the melds with the rank that each wild stands for; for seven cards of Chinchón the sets and runs "
        "that leave the fewest points, and the leftover cards. Nothing is stored."
    ),
    request=payloads.HandSent,
    responses={200: payloads.HandCounted, **refusals("body", "unreadable")},
)
@api_view(["POST"])
@permission_classes([AllowAny])
@throttle_classes([PerUser, Counting])
def hand(request: Request) -> Response:
    """Return the points of the hand, and its cards arranged into melds."""
    with found_at("hand"):
        sent = payloads.HandSent.parts(request.data)
    variant, house = read_house(sent)
    with found_at("hand"):
        reading = reading_alone(variant.build(house), read_hand(sent["hand"]))
        return Response(payloads.HandCounted.of(reading))
