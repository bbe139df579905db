"""Hands that players send from their own phones while a round is being played. They record nothing."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.problems import Problem, code_of
from games.api.common.schema import refusals
from games.api.common.serializers import Nothing
from games.api.common.writing import VERSION, after_sent
from games.api.play import examples
from games.api.play import game_payloads as payloads
from games.api.play.opened import GameEndpoint
from games.models import Game, Role
from games.people.access import WRITERS
from games.play.hands import (
    OFFERED,
    RoundHands,
    RoundIsOver,
    SentHand,
    hands_of,
    is_being_played,
    offer_hand,
    own_player,
    withdraw_hand,
)
from games.play.snapshot import Snapshot
from games.scoring.errors import RuleError
from games.scoring.rounds import PlayerId
from games.scoring.words import _

LOOK = OpenApiParameter(
    "look",
    {"type": "string", "enum": ["yes", "no"], "default": "no"},
    description=(
        "For a scorer who says that the round is closed, although no phone said so. In games that nobody "
        "closes, a scorer who plays sends their own points first."
    ),
)


class OfHands(GameEndpoint):
    """The base class of endpoints about the sent hands. A write is answered with the hands that remain."""

    def hands(self, game: Game, *, is_asked: bool = False) -> Response:
        """Return the response: the players who have sent a hand, and the hands that the user may see.

        With a read-only token the user sees no hand, not even their own. `is_asked` tells whether the user
        asks to see all hands before the round is closed.
        """
        snapshot = Snapshot.read(game)
        state, hands = snapshot.state, hands_of(game, snapshot)
        token = self.visitor.token
        is_reading_token = token is not None and token.role == Role.WITNESS
        player = None if is_reading_token else own_player(game, snapshot, self.visitor.user)
        shown = self._shown(hands, player, is_asked=is_asked)
        parts = {
            "after": len(snapshot.log),
            "round": len(state.rounds) + 1 if is_being_played(game, state) else None,
            "player": player,
            "own": None if player is None else hands.sent_by(self.user),
            "sent": list(hands.sent),
            "hands": [offer for offers in shown.offers.values() for offer in offers],
            "closer": None if shown.closer is None else shown.closer.player,
            "disputed": list(shown.disputed),
        }
        return answer(payloads.HandsSaid.of(parts, table=game.table))

    def _shown(self, hands: RoundHands, player: PlayerId | None, *, is_asked: bool) -> RoundHands:
        """Return a copy of `hands` with all hands if the user may see them, else with none.

        Users who may record see all hands once the round is closed, or earlier if they ask (`is_asked`). In
        games that no player closes, a scorer who plays can only ask after sending their own points. Users
        who may not record get a copy without hands; the response has their own hand in another field.
        `player` is the id of the user's own player in the round; None if the user does not play in it.
        """
        is_looking = is_asked and hands.may_look(player)
        offers = hands.shown(is_looking=is_looking) if self.role in WRITERS else {}
        return RoundHands(hands.rules, hands.playing, offers)


class Hands(OfHands):
    """The endpoint that returns the sent hands of the round being played, or stores the user's own."""

    query = ("look",)

    @extend_schema(
        operation_id="hands",
        summary="The hands sent from the players' phones",
        description=(
            "Everybody sees who has sent a hand, and users their own one. Those who may record see the hands "
            "once somebody closed the round; in games that nobody closes, once all have arrived."
        ),
        parameters=[LOOK],
        responses={200: payloads.HandsSaid, **refusals("not_found")},
        examples=[examples.HANDS_EXAMPLE],
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the hands that the user may see."""
        look = request.query_params.get("look", "no")
        if look not in ("yes", "no"):
            raise Problem("bad_request", _("“look” must be yes or no."), field="look")
        return self.hands(self.game_opened(code), is_asked=look == "yes")

    @extend_schema(
        operation_id="offer_hand",
        summary="Send one's own hand",
        description=(
            "For a player of the round being played, by a confirmed claim or by the face that they tapped "
            "tonight, but not with a read-only token. The hand replaces the one that the user sent before. "
            "It records nothing. It is refused as “stale” if its round is over."
        ),
        parameters=[VERSION],
        request=payloads.OwnHandSent,
        responses={200: payloads.HandsSaid, **refusals("body", "not_found", "stale")},
        examples=[examples.HANDS_EXAMPLE],
    )
    def put(self, request: Request, code: str) -> Response:
        """Store the user's own hand and return the hands that they may see."""
        game, sent = self.game_opened(code), self.sent(payloads.OwnHandSent)
        hand = SentHand(sent.get("hand", ""), after_sent(request, sent), sent.get("closing", ""))
        _count(self.user.pk)
        try:
            offer_hand(game, hand, by=self.user)
        except RoundIsOver:
            text = _("That round is over: this hand was not counted.")
            raise Problem("stale", text, version=len(game.log())) from None
        except RuleError as refusal:
            field = "hand" if refusal.field.startswith("hand") else refusal.field
            raise Problem(code_of(refusal), refusal.text, field=field) from None
        return self.hands(game)


class WithdrawnHand(OfHands):
    """The endpoint that withdraws the user's own hand."""

    @extend_schema(
        operation_id="withdraw_hand",
        summary="Withdraw one's own hand",
        description="The user's own hand is deleted. Withdrawing it again changes nothing.",
        request=Nothing,
        responses={200: payloads.HandsSaid, **refusals("body", "not_found")},
        examples=[examples.HANDS_EXAMPLE],
    )
    def post(self, request: Request, code: str) -> Response:
        """Delete the user's own hand and return the hands that they may see."""
        game = self.game_opened(code)
        self.sent(Nothing)
        _count(self.user.pk)
        withdraw_hand(game, by=self.user)
        return self.hands(game)


def _count(user: int) -> None:
    """Count a write by the user with this primary key; raise Problem if their rate limit is exceeded."""
    if not OFFERED.take(str(user)):
        raise Problem("too_many_requests", _("Too many hands were sent: wait a few minutes."))
