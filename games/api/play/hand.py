"""One hand: what it counts, and how it was read."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes, throttle_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.bodies import object_sent
from games.api.common.limits import Counting, PerUser
from games.api.common.problems import found_at
from games.api.common.schema import refusals
from games.api.play import examples, payloads
from games.api.play.house import read_house
from games.scoring.text.notation import read_hand
from games.shown.play.readings import Reading, reading_alone

LONGEST_HAND = 1_000  # letters: every card of two packs


@extend_schema(
    operation_id="hand",
    summary="What one hand counts",
    description=(
        "The points of a hand by itself, before any bonus, and how it was read: the melds of Loba de Más with the "
        "rank each wild stands for; of seven cards in Chinchón the sets and runs that leave least, and what is "
        "left. Nothing is stored."
    ),
    request=payloads.HandSent,
    responses={200: payloads.HandCounted, **refusals("body", "unreadable")},
    examples=[examples.HAND_EXAMPLE],
)
@api_view(["POST"])
@permission_classes([AllowAny])
@throttle_classes([PerUser, Counting])
def hand(request: Request) -> Response:
    """The points of the hand that was sent, and its reading."""
    with found_at("hand"):
        sent = object_sent(request, "variant", "options", "hand")
    variant, house = read_house(sent)
    with found_at("hand"):
        written = read_hand(sent.text("hand", longest=LONGEST_HAND))
        return Response(_told(reading_alone(variant.build(house), written)))


def _told(read: Reading) -> dict[str, object]:
    return {
        "points": read.points,
        "hand": read.text,
        "melds": [
            {
                "name": meld.name,
                "points": meld.value,
                "cards": [
                    {"card": card, "stands_for": rank, "wild": wild}
                    for card, rank, wild in zip(meld.cards, meld.ranks, meld.wilds, strict=True)
                ],
            }
            for meld in read.melds
        ],
        "groups": [{"name": group.name, "cards": list(group.cards)} for group in read.groups],
        "left": list(read.left),
    }
