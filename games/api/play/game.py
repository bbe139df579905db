"""One game: its state, undo, redo, the rematch, discarding and restoring."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.schema import refusals
from games.api.common.serializers import Nothing, Parts
from games.api.common.writing import KEY, TAG, VERSION, after_sent, key_sent
from games.api.play import game_payloads as payloads
from games.api.play.dating import happened, timed
from games.api.play.opened import GameEndpoint, Opened
from games.api.play.sheet import sheet_of
from games.play.recording import discard_game, redo, rematch_of, restore_game, start_game, undo


class OneGame(GameEndpoint):
    """The endpoint that returns a game: its state, its scoresheet and its money."""

    @extend_schema(
        operation_id="game",
        summary="A game",
        description=(
            "Totals, seats, pot, dealer, the scoresheet, and the money each player has won or lost with its "
            "causes. `transfers` are the payments that the game calls for by itself once it is over; payments that "
            "were made never change them. `rows` has every valid event with its points in each column and the "
            "totals after it. `after` is the number of the last event. A write to `events/`, `undo/` or `redo/` "
            "sends it as the version it has seen, and `preview/` may. `rematch/`, `discard/` and `restore/` do not "
            "take it."
        ),
        parameters=[TAG],
        responses={200: payloads.GameInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the game in full."""
        current = self.opened(code)
        return answer({**current.body, **sheet_of(current)}, version=current.after)


class Undo(GameEndpoint):
    """The endpoint that undoes the last step of a game. Events that were recorded together are one step."""

    @extend_schema(
        operation_id="undo",
        summary="Undo the last step",
        description="Undoes the last step that was not undone: all events that were recorded together.",
        parameters=[KEY, VERSION, TAG],
        request=payloads.StepSent,
        responses={200: payloads.GameNow, **refusals("write")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Undo the last step of the game and return the new state."""
        game, key = self.game_opened(code, for_writing=True), key_sent(request)
        after, sent = _step(self, request)
        with timed(sent):
            at = happened(sent, game, key=key)
            return self.now(undo(game, after=after, key=key, by=self.user, at=at))


class Redo(GameEndpoint):
    """The endpoint that redoes the step that was undone last."""

    @extend_schema(
        operation_id="redo",
        summary="Redo the step undone last",
        description="Redoes the step that was undone last, if nothing was recorded since.",
        parameters=[KEY, VERSION, TAG],
        request=payloads.StepSent,
        responses={200: payloads.GameNow, **refusals("write")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Redo the step that was undone last and return the new state."""
        game, key = self.game_opened(code, for_writing=True), key_sent(request)
        after, sent = _step(self, request)
        with timed(sent):
            at = happened(sent, game, key=key)
            return self.now(redo(game, after=after, key=key, by=self.user, at=at))


class Rematch(GameEndpoint):
    """The endpoint that starts a rematch of a game."""

    @extend_schema(
        operation_id="rematch",
        summary="Start a rematch",
        description=(
            "A new game with the same rules and stakes, and with the same players if they are still members. "
            "While a game of the same people has no round yet, another one is refused as “unusual” until it "
            "is sent again under the same key with “sure”."
        ),
        parameters=[KEY, TAG],
        request=payloads.RematchSent,
        responses={201: payloads.GameNow, **refusals("write", "unusual")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Start a rematch, a new game with the same players and rules, and return it."""
        game, key = self.game_opened(code, for_writing=True), key_sent(request)
        is_sure = self.sent(payloads.RematchSent).get("sure", False)
        begun = start_game(game.table, rematch_of(game), key=key, by=self.user, is_asking=not is_sure)
        return Opened.read(begun).answer(201)


class Discard(GameEndpoint):
    """The endpoint that discards a game."""

    @extend_schema(
        operation_id="discard",
        summary="Discard a game",
        description=(
            "A discarded game counts nowhere; its events are kept, and it can be restored. Its state keeps its "
            "totals and its money: look at `discarded_at` before counting them. The body is {}. Discarding "
            "it again changes nothing."
        ),
        parameters=[TAG],
        request=Nothing,
        responses={200: payloads.GameNow, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Discard the game and return it, with the time when it was discarded."""
        game = self.game_opened(code, for_writing=True)
        self.sent(Nothing)
        discard_game(game, by=self.user)
        return self.now()


class Restore(GameEndpoint):
    """The endpoint that restores a discarded game."""

    @extend_schema(
        operation_id="restore",
        summary="Restore a discarded game",
        description="The game counts again. The body is {}. Restoring it again changes nothing.",
        parameters=[TAG],
        request=Nothing,
        responses={200: payloads.GameNow, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Restore the discarded game and return it."""
        game = self.game_opened(code, for_writing=True)
        self.sent(Nothing)
        restore_game(game, by=self.user)
        return self.now()


def _step(endpoint: GameEndpoint, request: Request) -> tuple[int, Parts]:
    """Read a request to undo or redo a step.

    Return the number of the last event that the client has seen (`after`), and the fields of the body.
    """
    sent = endpoint.sent(payloads.StepSent)
    return after_sent(request, sent), sent
