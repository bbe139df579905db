"""The money of a game: each player's net result and its causes, the payments, and what is still owed."""

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
from games.money.balances import People
from games.money.dues import dues_alone, dues_of
from games.scoring.ledger import places
from games.scoring.money import movements
from games.scoring.state import GameState
from games.scoring.text.report import full_summary
from games.shown.money.sentences import dues_in_sentences

OF_THE_GAME = "over", "winners", "pot", "transfers", "pairwise"


class Settlement(GameEndpoint):
    """The endpoint that returns the money of a game: net results, payments and what is still owed."""

    @extend_schema(
        operation_id="settlement",
        summary="The money of a game",
        description=(
            "While the game is played, the money that each player has paid in. Once the game is over, also "
            "the payments, and the amounts still owed after all payments made. Users who only watch and are"
            " no members see the result of the game but no payments made for it. “sentences” says who "
            "pays whom in the language of the header Accept-Language."
        ),
        parameters=[TAG],
        responses={200: payloads.SettlementSaid, **refusals("not_found")},
        examples=[examples.SETTLEMENT_EXAMPLE],
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the money of the game; the payments made for it are only for readers of the accounts."""
        current = self.opened(code)
        game, state = current.game, current.state
        sees = self.visitor.sees_accounts(game.table, self.role)
        dues = dues_of(game, state) if sees else dues_alone(game, state)
        people = People.of(game.table)
        says = dues_in_sentences(dues, people, game.table, sees_accounts=sees) if state.is_over else []
        parts = {
            **{"code": game.code, **_summary(state), "causes": movements(state)},
            **{"owed": dues, "sentences": says},
        }
        context = {"sees_accounts": sees, "to_tick": dues.to_tick if sees else ()}
        return answer(payloads.SettlementSaid.of(parts, table=game.table, **context), version=current.after)


def _summary(state: GameState) -> dict[str, object]:
    summary: dict[str, Any] = full_summary(state)
    return {
        **{name: summary[name] for name in OF_THE_GAME},
        "nets": {player["id"]: player["net"] for player in summary["players"]},
        "places": places(state) if state.is_over else {},
    }
