"""Scoring without storing: a whole game, as the command line does it, and one hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.common.api import problems
from games.common.api.problems import ApiProblem
from games.common.api.serializers import StrictCharField, StrictSerializer
from games.models import HAND_LENGTH
from games.play.api import request_parsing
from games.play.api.fields import LONGEST_WORD, OptionsField, StateSerializer
from games.play.presenters import interpretations
from games.play.presenters.interpretations import InterpretedMeld
from games.play.services import recording
from games.scoring.errors import UnreadableLine
from games.scoring.events import PlayEvent
from games.scoring.i18n import _
from games.scoring.state import GameState
from games.scoring.step_budget import count_steps
from games.scoring.text.game_file import GameFileLine, Problem, parse_game_file, play_game_file
from games.scoring.text.notation import MAX_GAME_LENGTH, parse_hand
from games.scoring.validation import MAX_STEPS
from games.tables.api.permissions import ScoringThrottle, UserThrottle
from games.tables.api.views import BaseViewSet

# The budget for scoring a game. The cost is estimated before the game is replayed, so that no request blocks
# a thread for long. One unit is the cost of replaying one event, about a tenth of a millisecond. A correction
# replays every earlier event. Arranging the cards of hands into melds is not estimated: its steps are counted
# while it runs (`scoring/step_budget.py`).
MOST_WORK = 5_000  # units: half a second at worst; a long night takes a tenth of that
MOST_LINES = 5_000  # lines of a text, including blank lines and comments
_LINE_END = re.compile("\r\n?|\n")
EXPECTATION_DIVISOR = 32  # a line that only checks a total costs 1/32 of replaying the game so far


@extend_schema_serializer(component_name="GameSent")
class GameTextInputSerializer(StrictSerializer):
    """A game in the notation; the lines are separated by line breaks."""

    game = StrictCharField(
        max_length=MAX_GAME_LENGTH,
        trim_whitespace=False,
        help_text="The whole game in the notation, a statement in each line.",
    )


class HandSerializer(StrictSerializer):
    """A hand of a variant, in the notation of games."""

    variant = StrictCharField(max_length=LONGEST_WORD, help_text="The key of a variant.")
    options = OptionsField(required=False)
    hand = StrictCharField(
        max_length=HAND_LENGTH,
        help_text="For example 23, [K 7 *], {A 2 Q}{9H 9D 9S}[4 *], or [K 7]+2 with bought cards.",
    )


class CardSerializer(serializers.Serializer[Any]):
    """A card of a meld, and the rank that it stands for."""

    card = serializers.CharField()
    stands_for = serializers.CharField()
    wild = serializers.BooleanField()


class MeldSerializer(serializers.Serializer[Any]):
    """A meld of Loba de Más, its cards in the order of their ranks."""

    name = serializers.CharField()
    points = serializers.IntegerField(source="value")
    cards = serializers.SerializerMethodField()

    @extend_schema_field(CardSerializer(many=True))
    def get_cards(self, meld: InterpretedMeld) -> list[dict[str, Any]]:
        cards = zip(meld.cards, meld.ranks, meld.wilds, strict=True)
        return [{"card": card, "stands_for": rank, "wild": wild} for card, rank, wild in cards]


class GroupSerializer(serializers.Serializer[Any]):
    """A set or a run in a hand of Chinchón."""

    name = serializers.CharField()
    cards = serializers.ListField(child=serializers.CharField())


class CountedHandSerializer(serializers.Serializer[Any]):
    """The points of a hand, and its cards arranged into melds."""

    points = serializers.IntegerField()
    hand = serializers.CharField(source="text", help_text="The hand in the notation of games.")
    melds = MeldSerializer(many=True)
    groups = GroupSerializer(many=True)
    left = serializers.ListField(child=serializers.CharField())


class ScoringViewSet(BaseViewSet):
    """Scoring without storing."""

    serializer_class = StateSerializer
    throttle_classes = [UserThrottle, ScoringThrottle]
    stores_nothing = ("score", "hand")

    @extend_schema(operation_id="score", request=GameTextInputSerializer, responses=StateSerializer)
    def score(self, request: Request) -> Response:
        """Score a game.

        A game as text, in the notation. The answer has totals, seats, pot, the money won or lost by each
        player, the payments, and unusual entries. Amounts are whole numbers of the smallest coin. Nothing is
        stored. The number of a line is reported if the line cannot be read, is refused by the rules, or has
        an expectation that does not hold.
        """
        data = self.parsed_body(GameTextInputSerializer)
        with count_steps(MAX_STEPS):
            return self.answer(StateSerializer, _score(data["game"]))

    @extend_schema(operation_id="hand", request=HandSerializer, responses=CountedHandSerializer)
    def hand(self, request: Request) -> Response:
        """Count the points of a hand.

        The points of a single hand, before any bonus, and its cards arranged into melds: for Loba de Más the
        melds with the rank that each wild stands for; for seven cards of Chinchón the sets and runs that
        leave the fewest points, and the leftover cards. Nothing is stored.
        """
        data = self.parsed_body(HandSerializer)
        variant, house = request_parsing.parse_house(data)
        with problems.as_problem("hand"):
            reading = interpretations.interpret_hand(variant.build(house), parse_hand(data["hand"]))
        return self.answer(CountedHandSerializer, reading)


def _score(text: str) -> GameState:
    _check_lines(text)
    try:
        lines = parse_game_file(text)
    except UnreadableLine as unreadable:
        raise ApiProblem("unreadable", unreadable.error.text, field="game", line=unreadable.line) from None
    _check_script(lines)
    played = play_game_file(lines)
    if played.problems:
        raise _line_problem(played.problems[0])
    assert played.state is not None
    return played.state


def _line_problem(problem: Problem) -> ApiProblem:
    """Return the problem to answer for a wrong line of a game as text.

    Either the rules refuse the event in the line, or the line is an expectation that does not hold, such as
    `expect pot 500`.
    """
    if problem.refusal is None:
        detail = _("Not as expected: {problem}.", problem=problem.text)
        return ApiProblem("not_as_expected", detail, field="game", line=problem.line)
    refusal = problem.refusal
    return ApiProblem(
        problems.problem_code(refusal), refusal.text, field=refusal.field or "game", line=problem.line
    )


def _check_lines(text: str) -> None:
    if len(_LINE_END.findall(text)) >= MOST_LINES:
        raise ApiProblem(
            "too_much", _("A game as text may have at most {most} lines.", most=MOST_LINES), field="game"
        )


def _check_script(lines: Sequence[GameFileLine]) -> None:
    """Raise ApiProblem if a game as text has too many events, or costs more than the budget."""
    events, work = 0, 0
    for line in lines:
        events += len(line.events)
        if line.refused_text is not None or not all(isinstance(event, PlayEvent) for event in line.events):
            work += events
        else:
            work += len(line.events) or 1 + events // EXPECTATION_DIVISOR
        if events > recording.LONGEST_LOG:
            sentence = _("A game must have 1 to {most} entries.", most=recording.LONGEST_LOG)
            raise ApiProblem("too_much", sentence, line=line.number)
        if work > MOST_WORK:
            raise ApiProblem("too_much", line=line.number)
