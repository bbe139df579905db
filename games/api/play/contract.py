"""The check whether a hand can go down in Carioca (lay out the sets and runs of a contract).

The answer has the sets and runs that fulfil a contract, or the reasons why the cards do not.
"""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes, throttle_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.limits import Counting, PerUser
from games.api.common.problems import found_at
from games.api.common.schema import refusals
from games.api.play import examples, payloads
from games.api.play.house import read_house
from games.scoring.going_down import NotDown, cards_alone, contract_called, go_down
from games.scoring.text.contracts import contract_text, not_down_texts
from games.scoring.text.notation import read_hand
from games.scoring.text.report import going_down
from games.shown.common.sentences import translate


@extend_schema(
    operation_id="contract",
    summary="Check cards against a contract",
    description=(
        "Carioca: the sets and runs that fulfil the contract, runs first, and the cards left in the hand "
        "with their points; or the missing parts, and the reasons why cards that seem enough are not. The "
        "contract is named by its key or by the number of its round. Nothing is stored."
    ),
    request=payloads.ContractSent,
    responses={200: payloads.ContractChecked, **refusals("body", "unreadable")},
    examples=[examples.CONTRACT_EXAMPLE],
)
@api_view(["POST"])
@permission_classes([AllowAny])
@throttle_classes([PerUser, Counting])
def contract(request: Request) -> Response:
    """Return the sets and runs of the sent cards that fulfil the contract; if there are none, the reasons."""
    with found_at("contract"):
        sent = payloads.ContractSent.parts(request.data)
    variant, house = read_house(sent)
    rules = variant.build(house)
    with found_at("contract"):
        wanted = contract_called(rules, sent["contract"])
    with found_at("cards"):
        cards = cards_alone(read_hand(sent["cards"]))
        outcome = go_down(rules, house, wanted, cards)
    why = not_down_texts(outcome) if isinstance(outcome, NotDown) else ()
    return Response(
        {
            **going_down(variant.key, wanted, outcome),
            "name": translate(contract_text(wanted)),
            "why": [translate(text) for text in why],
        }
    )
