"""The dues of a game, and marking one or all of them as paid in cash.

The dues are the payments that the game made necessary and that are still owed: who pays whom, and how much.
"""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.owed import DuesSaid
from games.api.common.schema import refusals
from games.api.common.serializers import Parts
from games.api.common.writing import KEY, key_sent
from games.api.money import payloads
from games.money.dues import dues_of
from games.money.ticks import pay_on_the_spot, tick
from games.scoring.ledger import Transfer
from games.scoring.replay import replay

LINE = ("payer", "payee", "amount")


class Dues(Endpoint):
    """The endpoint that returns the dues of a game or marks them as paid."""

    @extend_schema(
        operation_id="dues",
        summary="What is still due for a game",
        description=(
            "For users who may read the accounts: the payments still owed for the game, those made and "
            "those only claimed. “to_tick” is the amount that can be marked as paid. A game that is not "
            "over has no dues."
        ),
        responses={200: DuesSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the payments that are still owed for the game."""
        game = self.game_opened(code)
        table, log = self.accounts_opened(game.table.code), game.log()
        dues = dues_of(game, replay(log))
        return answer(DuesSaid.about(dues, table, sees_accounts=True, code=game.code, after=len(log)))

    @extend_schema(
        operation_id="pay_dues",
        summary="Tick off what was paid for a game",
        description=(
            "For users who may record. Records the “to_tick” of this payer and payee as paid in cash; "
            "without payer, payee and amount, all payments that may be made on the spot. If these amounts "
            "are no longer owed, or the game has new events, nothing is recorded."
        ),
        parameters=[KEY],
        request=payloads.Ticked,
        responses={201: payloads.TickedSaid, **refusals("write")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Record the due in the body as paid in cash; without one in the body, record all dues of the game.

        A repeated request with the same idempotency key records nothing twice.
        """
        game = self.game_opened(code, for_writing=True)
        key, sent = key_sent(request), self.sent(payloads.Ticked)
        after, line = sent["after"], _line_sent(sent)
        if line is None:
            payments = pay_on_the_spot(game, after=after, key=key, by=self.user)
        else:
            payments = (tick(game, line, after=after, key=key, by=self.user),)
        return answer(payloads.TickedSaid.of({"payments": payments}, table=game.table), status=201)


def _line_sent(sent: Parts) -> Transfer | None:
    """Return the due in the body: the payment to be marked as paid. Return None if the body has no due.

    A due has the fields `payer`, `payee` and `amount`. Raise Unreadable if only some of the three were sent.
    """
    if not any(name in sent for name in LINE):
        return None
    return Transfer(*(sent[name] for name in LINE))
