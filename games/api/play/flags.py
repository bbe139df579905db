"""Flags: a flag marks a hand as doubtful.

Users who see the game raise flags; users who may record settle (close) them.
"""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.play import game_payloads as payloads
from games.api.play.opened import GameEndpoint, Opened
from games.models import Game
from games.people.access import WRITERS
from games.play.flags import RAISED, open_flags, raise_flag, settle_flags


class Flags(GameEndpoint):
    """The endpoint that lists or raises flags of a game."""

    @extend_schema(
        operation_id="flags",
        summary="The open flags of a game",
        description="The hands that users consider wrong and that no user who may record has checked since.",
        responses={200: payloads.FlagList, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the open flags, oldest first."""
        return self._answer(self.game_opened(code))

    @extend_schema(
        operation_id="flag",
        summary="Flag a hand as doubtful",
        description=(
            "For every user who sees the game, but not with a read-only token. A flag changes no score; "
            "flagging a hand again replaces the note."
        ),
        request=payloads.FlagSent,
        responses={200: payloads.FlagList, **refusals("body", "not_found", "too_many_requests")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Raise a flag and return the open flags."""
        current, sent = Opened.read(self.game_opened(code)), self.sent(payloads.FlagSent)
        number, player, note = sent["number"], sent["player"], sent.get("note", "")
        if not RAISED.take(str(self.user.pk)):
            raise Problem("too_many_requests")
        raise_flag(current.game, current.state, number, player, note=note, by=self.user)
        return self._answer(current.game)

    def _answer(self, game: Game) -> Response:
        flags = {"flags": open_flags(game)}
        return answer(payloads.FlagList.of(flags, table=game.table, user_id=self.user.pk))


class SettledFlags(GameEndpoint):
    """The endpoint that settles the flags of one hand."""

    @extend_schema(
        operation_id="settle_flags",
        summary="Settle the flags of a hand",
        description=(
            "Users who may record settle all flags of the hand; others only their own, and a read-only "
            "token none."
        ),
        request=payloads.FlagSettled,
        responses={200: payloads.Settled, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Settle (close) the open flags of the hand and return the number of settled flags.

        A witness (a read-only user) settles only their own flags.
        """
        game, sent = self.game_opened(code), self.sent(payloads.FlagSettled)
        number, player = sent["number"], sent["player"]
        mine = None if self.role in WRITERS else self.user
        return answer({"settled": settle_flags(game, number, player, of=mine)})
