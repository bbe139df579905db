"""The forms of what a game still owes, for the description of the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.api.common.payments import METHODS
from games.models import DECIMALS


def paying(name: str, doc: str, **more: serializers.Field[Any, Any, Any, Any]) -> type[Any]:
    """A form with `from` and `to`, which Python has other uses for."""
    ends = {
        "from": serializers.CharField(),
        "to": serializers.CharField(),
        "amount": serializers.IntegerField(),
    }
    return type(name, (serializers.Serializer,), {"__doc__": doc, "__module__": __name__, **ends, **more})


CLAIMED = "What of it the payer says he has paid, and waits for a word."
OwedLine = paying(
    "OwedLine",
    "A payment still to be made for this game, as it is owed: what of it may be ticked off says “to_tick”.",
    claimed=serializers.IntegerField(help_text=CLAIMED),
    may_be_paid=serializers.BooleanField(
        help_text="Whether ticking all of the game off notes it: not once its payer has paid in the accounts."
    ),
    to_tick=serializers.IntegerField(
        help_text="The amount as which whoever records ticks this line off alone: what is not claimed, or 0."
    ),
)
PlannedLine = paying(
    "PlannedLine",
    "A payment the plan of the accounts asks for: what is left of it, and of that what is not claimed (“to_pay”).",
    claimed=serializers.IntegerField(help_text=CLAIMED),
    to_pay=serializers.IntegerField(),
)
LineSaid = paying("LineSaid", "A payment to be made.")
PaidLine = paying(
    "PaidLine",
    "A payment that was made.",
    id=serializers.IntegerField(),
    method=serializers.ChoiceField(choices=METHODS),
    at=serializers.DateTimeField(),
)


class OwedSaid(serializers.Serializer[Any]):
    """What is still owed; where the plan of the accounts counts (`by_plan`), that is what is to be paid."""

    lines = OwedLine(many=True)
    replaced = LineSaid(many=True, help_text="What a correction made of no account.")
    is_corrected = serializers.BooleanField()
    paid = PaidLine(many=True)
    claimed = PaidLine(many=True, help_text="What somebody says to have paid, and counts nowhere yet.")
    by_plan = serializers.BooleanField()
    plan = PlannedLine(many=True)
    paid_in_accounts = PaidLine(many=True)


class DuesSaid(OwedSaid):
    """What is still owed for a game, in the money of its table."""

    code = serializers.CharField()
    after = serializers.IntegerField(help_text="The last event: what ticking off says it has seen.")
    unit = serializers.CharField()
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS)
