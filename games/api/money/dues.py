"""What is due for a game, and what was paid for it on the spot: one of its lines, or all that is still due."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common import owed_payloads
from games.api.common.amounts import money_said
from games.api.common.endpoints import Endpoint, answer
from games.api.common.owed import owed_said
from games.api.common.payments import payment_said
from games.api.common.schema import CODE, refusals
from games.api.common.writing import HIGHEST, KEY, key_sent
from games.api.money import payloads
from games.models import MOST_MONEY
from games.money.dues import dues_of
from games.money.ticks import pay_on_the_spot, tick
from games.notebook.fields import Fields
from games.scoring.ledger import Transfer
from games.scoring.replay import replay

LONGEST = 100  # letters of an id
LINE = ("payer", "payee", "amount")


class Dues(Endpoint):
    """What is due of a game."""

    @extend_schema(
        operation_id="dues",
        summary="What is still due for a game",
        description=(
            "For whoever reads the accounts: what the game still owes, what was paid for it, what is only claimed, and "
            "“to_tick”, what may be ticked off line by line. Nothing is due of a game that is not over."
        ),
        parameters=[CODE],
        responses={200: owed_payloads.DuesSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """What is owed now."""
        game = self.game_opened(code)
        table, log = self.accounts_opened(game.table.code), game.log()
        owed = owed_said(dues_of(game, replay(log)), table)
        return answer({"code": game.code, "after": len(log), **money_said(table), **owed})

    @extend_schema(
        operation_id="pay_dues",
        summary="Tick off what was paid for a game",
        description=(
            "For whoever records: notes as paid in cash the line with this payer and payee, of its “to_tick”, or "
            "without them all that may be paid on the spot. Where it is not owed like that any more, or the game went "
            "on, nothing is recorded."
        ),
        parameters=[CODE, KEY],
        request=payloads.Ticked,
        responses={201: payloads.TickedSaid, **refusals("write")},
    )
    def post(self, request: Request, code: str) -> Response:
        """The payments, recorded now or under the same key before."""
        game = self.game_opened(code, for_writing=True)
        key, sent = key_sent(request), self.sent("after", *LINE)
        after, line = sent.whole("after", least=0, most=HIGHEST), _line_sent(sent)
        if line is None:
            payments = pay_on_the_spot(game, after=after, key=key, by=self.user)
        else:
            payments = (tick(game, line, after=after, key=key, by=self.user),)
        told = [payment_said(payment, game.table) for payment in payments]
        return answer({"payments": told}, status=201)


def _line_sent(sent: Fields) -> Transfer | None:
    """The line that was paid, None where no part of one was sent; Unreadable where only some are there."""
    if not any(sent.has(name) for name in LINE):
        return None
    payer, payee = (sent.text(name, longest=LONGEST) for name in ("payer", "payee"))
    return Transfer(payer, payee, sent.whole("amount", least=1, most=MOST_MONEY))
