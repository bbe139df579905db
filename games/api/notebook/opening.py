"""Starting balances: what the members owed each other before the table was opened."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.payments import PaymentSaid
from games.api.common.schema import refusals
from games.api.common.serializers import Answer, Body, ByName, Line
from games.api.common.writing import KEY, key_sent
from games.models import MOST_MONEY
from games.notebook.opening import StartingBalance, open_balances
from games.scoring.words import _

LONGEST_SEEN = 40

SENT = OpenApiExample(
    "starting balances",
    value={"balances": {"ana": 12000, "beto": -12000}, "seen": "0123456789abcdef"},
    request_only=True,
)


class BalancesSent(Body):
    """The starting balances, and the version of the accounts that the owner saw."""

    balances = ByName(
        kind=int,
        misshapen=_("Send a whole number for each member."),
        child=serializers.IntegerField(min_value=-MOST_MONEY, max_value=MOST_MONEY),
        help_text=(
            "By the id of a member, in the smallest coin of the table: above zero, the amount is owed to the "
            "member; below zero, the member owes it. All together they add up to zero."
        ),
    )
    seen = Line(max_length=LONGEST_SEEN, help_text="The `seen` of the accounts.")


class BalancesOpened(Answer):
    """The payments of the method “opening” that produce the starting balances."""

    payments = PaymentSaid(many=True)


class OpeningBalances(Endpoint):
    """The endpoint that records the starting balances of a table."""

    @extend_schema(
        operation_id="open_balances",
        summary="Record starting balances",
        description=(
            "For owners, with the “seen” of the accounts; stale if they have changed. What the members owed "
            "each other before this table adds to their balances, as payments of the method “opening”. To "
            "undo it, take these payments back."
        ),
        parameters=[KEY],
        request=BalancesSent,
        responses={201: BalancesOpened, **refusals("body", "not_found", "stale", "key_reused")},
        examples=[SENT],
    )
    def post(self, request: Request, code: str) -> Response:
        """Record the balances and return the payments that produce them."""
        table = self.accounts_opened(code, for_owning=True)
        key, sent = key_sent(request), self.sent(BalancesSent)
        wanted = [StartingBalance(amount, slug=slug) for slug, amount in sent["balances"].items()]
        payments = open_balances(table, wanted, seen=sent["seen"], key=key, by=self.user)
        return answer(BalancesOpened.of({"payments": payments}, table=table), status=201)
