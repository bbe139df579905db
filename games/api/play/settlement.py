"""The money of a game: what each player paid in or won, why, and who pays whom for it.

It says what the game itself did. Payments never change it; what is still owed is in the accounts.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.schema import refusals
from games.api.common.writing import TAG
from games.api.play import examples
from games.api.play import game_payloads as payloads
from games.api.play.opened import GameEndpoint
from games.scoring.ledger import places
from games.scoring.money import movements
from games.scoring.state import GameState
from games.scoring.text.report import full_summary

OF_THE_GAME = "over", "winners", "pot", "transfers", "pairwise"


class Settlement(GameEndpoint):
    """The endpoint that returns the money of a game: net results, their causes, and the game's own payments."""

    @extend_schema(
        operation_id="settlement",
        summary="The money of a game",
        description=(
            "While the game is played, the money that each player has paid in. Once the game is over, also the "
            "payments that it calls for by itself. Payments that were made never change it."
        ),
        parameters=[TAG],
        responses={200: payloads.SettlementSaid, **refusals("not_found")},
        examples=[examples.SETTLEMENT_EXAMPLE],
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the money of the game."""
        current = self.opened(code)
        game, state = current.game, current.state
        parts = {"code": game.code, **_summary(state), "causes": movements(state)}
        return answer(payloads.SettlementSaid.of(parts, table=game.table), version=current.after)


def _summary(state: GameState) -> dict[str, object]:
    summary: dict[str, Any] = full_summary(state)
    return {
        **{name: summary[name] for name in OF_THE_GAME},
        "nets": {player["id"]: player["net"] for player in summary["players"]},
        "places": places(state) if state.is_over else {},
    }
