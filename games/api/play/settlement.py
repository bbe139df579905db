"""What a game came to in money: everybody's net and its causes, pairs, who pays whom, and what is still owed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import moment_said, money_said
from games.api.common.endpoints import answer
from games.api.common.schema import CODE, refusals
from games.api.common.writing import TAG
from games.api.play import game_payloads as payloads
from games.api.play.opened import GameEndpoint, Opened
from games.models import Payment, Table
from games.money.balances import Line, People
from games.money.dues import Due, Dues, dues_alone, dues_of
from games.people.access import sees_accounts
from games.scoring.ledger import places
from games.scoring.money import movements
from games.scoring.text.report import full_summary

OF_THE_GAME = "over", "winners", "pot", "transfers", "pairwise"


class Settlement(GameEndpoint):
    """The money of a game."""

    @extend_schema(
        operation_id="settlement",
        summary="The money of a game",
        description=(
            "While it is played, what everybody has put in. Once it is over also who pays whom, and what is still owed "
            "of it after everything that was paid: whoever watches, and is none of the members, reads what the game "
            "came to and nothing that was paid."
        ),
        parameters=[CODE, TAG],
        responses={200: payloads.SettlementSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """The result in money."""
        opened = self.opened(code)
        game, state = opened.game, opened.state
        sees = sees_accounts(request.user, game.table, self.role)
        dues = dues_of(game, state) if sees else dues_alone(game, state)
        return answer({**_of_the_game(opened), "owed": _owed(dues, game.table)}, version=opened.after)


def _of_the_game(opened: Opened) -> dict[str, object]:
    state, summed = opened.state, full_summary(opened.state)
    players: Any = summed["players"]
    return {
        "code": opened.game.code,
        **money_said(opened.game.table),
        **{name: summed[name] for name in OF_THE_GAME},
        "nets": {player["id"]: player["net"] for player in players},
        "places": places(state) if state.is_over else {},
        "causes": [
            {
                "from": moved.payer,
                "to": moved.payee,
                "amount": moved.amount,
                "cause": str(moved.cause),
                "number": moved.number,
                "count": moved.count,
            }
            for moved in movements(state)
        ],
    }


def _owed(dues: Dues, table: Table) -> dict[str, object]:
    plan = dues.plan
    return {
        "lines": [{**_line(due, due.amount), "may_be_paid": due.may_be_paid} for due in dues.lines],
        "replaced": [_line(due, due.amount) for due in dues.replaced],
        "is_corrected": dues.is_corrected,
        "paid": _paid(dues.paid, table),
        "by_plan": plan is not None,
        "plan": [_line(line, line.left) for line in plan.lines] if plan else [],
        "paid_in_accounts": _paid(plan.paid, table) if plan else [],
    }


def _line(line: Due | Line, amount: int) -> dict[str, object]:
    return {"from": line.payer.slug, "to": line.payee.slug, "amount": amount}


def _paid(payments: Iterable[Payment], table: Table) -> list[dict[str, object]]:
    found = list(payments)
    people = People.of(table) if found else None
    return [
        {
            "id": payment.pk,
            "from": people.by_pk[payment.payer_id].slug if people else "",
            "to": people.by_pk[payment.payee_id].slug if people else "",
            "amount": payment.amount,
            "method": payment.method,
            "at": moment_said(payment.made_at, table),
        }
        for payment in found
    ]
