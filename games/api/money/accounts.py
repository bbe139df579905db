"""The accounts of a table: everybody's balance, who pays whom, and settling that anew by fewer payments."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.money import payloads
from games.money.balances import newest_entry, read_accounts
from games.money.simplifying import simplified, simplify
from games.scoring.words import _

PREVIEW = OpenApiParameter(
    "preview",
    {"type": "boolean", "default": False},
    OpenApiParameter.QUERY,
    description="Whether to answer with the effect only, and record nothing.",
)


class AccountsOfTable(Endpoint):
    """The endpoint that returns the accounts of a table."""

    @extend_schema(
        operation_id="accounts",
        summary="Balances, and who pays whom",
        description=(
            "For users who may record, and for members. A positive balance is owed to the member; all balances "
            "add up to zero. The debts add up to the balances: two members have at most one. “claimed” is what "
            "the payer says to have paid, and nobody has confirmed yet."
        ),
        responses={200: payloads.AccountsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the accounts as they are now."""
        table = self.accounts_opened(code)
        seen = newest_entry(table)  # read first: whatever is entered meanwhile makes the answer stale
        accounts = read_accounts(table)
        parts = {"seen": seen, "balances": accounts.balances, "debts": accounts.to_pay}
        return answer(payloads.AccountsSaid.of(parts, table=table))


class SimplifiedAccounts(Endpoint):
    """The endpoint that settles the debts of a table anew."""

    query = ("preview",)

    @extend_schema(
        operation_id="simplify",
        summary="Settle debts by fewer payments",
        description=(
            "For users who may record: the debts among all who still play here, settled anew by the fewest "
            "payments. No balance changes. With `preview`, the answer is the effect, and nothing is recorded; "
            "else send its “seen”, stale if the accounts have changed since."
        ),
        parameters=[PREVIEW],
        request=payloads.SimplifySent,
        responses={200: payloads.SimplifiedSaid, **refusals("body", "not_found", "stale")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Return the debts before and after; unless this is a preview, store them."""
        table = self.accounts_opened(code, for_writing=True)
        sent, effect = self.sent(payloads.SimplifySent), simplified(table)
        if not _is_preview(request):
            simplify(table, seen=sent["seen"], by=self.user)
        return answer(payloads.SimplifiedSaid.of(effect, table=table))


def _is_preview(request: Request) -> bool:
    text = request.query_params.get("preview", "false")
    if text not in ("true", "false"):
        raise Problem("bad_request", _("“preview” must be “true” or “false”."), field="preview")
    return text == "true"
