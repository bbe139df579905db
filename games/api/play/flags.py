"""*That is not my hand*: the doubts of a game, raised by whoever sees it and settled by whoever records."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import moment_said
from games.api.common.endpoints import answer
from games.api.common.problems import Problem
from games.api.common.schema import CODE, refusals
from games.api.play import game_payloads as payloads
from games.api.play.opened import GameEndpoint, Opened
from games.models import Flag, Game
from games.people.access import WRITERS
from games.play.flags import RAISED, open_flags, raise_flag, settle_flags
from games.play.recording import LONGEST_LOG

LONGEST = 1_000  # letters of what is sent; how long a note may be, the service says


class Flags(GameEndpoint):
    """The doubts that are open."""

    @extend_schema(
        operation_id="flags",
        summary="The doubts about a game",
        description="The hands somebody says are not right, and that nobody who records has looked at since.",
        parameters=[CODE],
        responses={200: payloads.FlagList, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """The open ones, the oldest first."""
        return self._answer(self.game_opened(code))

    @extend_schema(
        operation_id="flag",
        summary="Doubt a hand",
        description=(
            "Anybody who sees the game may, and no token made to read. It moves nothing; said again it has the new "
            "note."
        ),
        parameters=[CODE],
        request=payloads.FlagSent,
        responses={200: payloads.FlagList, **refusals("body", "not_found", "too_many_requests")},
    )
    def post(self, request: Request, code: str) -> Response:
        """The open ones, with this one."""
        opened, sent = Opened.read(self.game_opened(code)), self.sent("number", "player", "note")
        number, player = sent.whole("number", least=1, most=LONGEST_LOG), sent.text("player", longest=LONGEST)
        note = sent.text("note", longest=LONGEST) if sent.has("note") else ""
        if not RAISED.take(str(self.user.pk)):
            raise Problem("too_many_requests")
        raise_flag(opened.game, opened.state, number, player, note=note, by=self.user)
        return self._answer(opened.game)

    def _answer(self, game: Game) -> Response:
        return answer({"flags": [_said(flag, game, self.user.pk) for flag in open_flags(game)]})


class SettledFlags(GameEndpoint):
    """The doubts about a hand, settled."""

    @extend_schema(
        operation_id="settle_flags",
        summary="Settle the doubts about a hand",
        description=(
            "Whoever records settles all of them; whoever watches takes back only his own, and a token made to read "
            "none."
        ),
        parameters=[CODE],
        request=payloads.FlagSettled,
        responses={200: payloads.Settled, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """How many were settled."""
        game, sent = self.game_opened(code), self.sent("number", "player")
        number, player = sent.whole("number", least=1, most=LONGEST_LOG), sent.text("player", longest=LONGEST)
        mine = None if self.role in WRITERS else self.user
        return answer({"settled": settle_flags(game, number, player, of=mine)})


def _said(flag: Flag, game: Game, own: int) -> dict[str, object]:
    return {
        "number": flag.number,
        "player": flag.player,
        "note": flag.note,
        "mine": flag.by_id == own,
        "at": moment_said(flag.flagged_at, game.table),
    }
