"""Starting balances: what the members owed each other before the table was opened."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import refusals
from games.api.common.serializers import Answer, Body, ByName, Whole
from games.api.common.writing import HIGHEST, KEY, key_sent
from games.models import MOST_MONEY
from games.money.opening import StartingBalance, open_balances
from games.scoring.words import _


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
    seen = Whole(min_value=0, max_value=HIGHEST, help_text="The `seen` of the accounts.")


class BalancesOpened(Answer):
    """The starting balances that were recorded: one entry of the accounts."""

    number = serializers.IntegerField(help_text="The number of the entry, the new `seen` of the accounts.")
    balances = serializers.DictField(child=serializers.IntegerField(), source="differences")


class OpeningBalances(Endpoint):
    """The endpoint that records the starting balances of a table."""

    @extend_schema(
        operation_id="open_balances",
        summary="Record starting balances",
        description=(
            "For owners, with the “seen” of the accounts; stale if they have changed. What the members owed "
            "each other before this table adds to their balances. An owner takes it back on the page."
        ),
        parameters=[KEY],
        request=BalancesSent,
        responses={201: BalancesOpened, **refusals("body", "not_found", "stale", "key_reused")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Record the balances and return them."""
        table = self.accounts_opened(code, for_owning=True)
        key, sent = key_sent(request), self.sent(BalancesSent)
        wanted = [StartingBalance(amount, slug=slug) for slug, amount in sent["balances"].items()]
        entry = open_balances(table, wanted, seen=sent["seen"], key=key, by=self.user)
        return answer(BalancesOpened.of(entry, table=table), status=201)
