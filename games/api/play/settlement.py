"""What a game came to in money: everybody's net and its causes, pairs, who pays whom, and what is still owed."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import money_said
from games.api.common.endpoints import answer
from games.api.common.owed import owed_alone_said, owed_said
from games.api.common.schema import CODE, refusals
from games.api.common.writing import SAME, SEEN, TAG
from games.api.play import game_payloads as payloads
from games.api.play.opened import GameEndpoint, Opened
from games.money.dues import dues_alone, dues_of
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
        parameters=[CODE, SEEN, TAG],
        responses={200: payloads.SettlementSaid, **SAME, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """The result in money."""
        opened = self.opened(code)
        game, state = opened.game, opened.state
        sees = sees_accounts(request.user, game.table, self.role)
        owed = (
            owed_said(dues_of(game, state), game.table)
            if sees
            else owed_alone_said(dues_alone(game, state), game.table)
        )
        return answer({**_of_the_game(opened), "owed": owed}, version=opened.after)


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
