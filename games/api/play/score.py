"""Scoring a whole game without storing it, as the command line does."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes, throttle_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.limits import Counting, PerUser
from games.api.common.problems import Problem, code_of, found_at
from games.api.common.schema import refusals
from games.api.common.serializers import Parts
from games.api.play import budget, payloads
from games.api.play.reading import read_events
from games.scoring.admission import MOST_STEPS
from games.scoring.effort import counting_steps
from games.scoring.errors import UnreadableLine
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.text.script import Problem as Failed
from games.scoring.text.script import play_script, read_script
from games.scoring.words import _


@extend_schema(
    operation_id="score",
    summary="Score a game",
    description=(
        "A game as text, in the notation, or as JSON, in the format of an export. The "
        "answer has totals, seats, pot, the money won or lost by each player, the payments, and unusual "
        "entries. Amounts are whole numbers of the smallest coin. Nothing is stored. The number of a line "
        "is reported if the line cannot be read, is refused by the rules, or has an expectation that does "
        "not hold."
    ),
    request=payloads.GAME_SENT,
    responses={200: payloads.GameScored, **refusals("body", "unreadable", "not_as_expected", "too_much")},
)
@api_view(["POST"])
@permission_classes([AllowAny])
@throttle_classes([PerUser, Counting])
def score(request: Request) -> Response:
    """Return the state of the game that was sent."""
    with found_at("game"):
        sent = payloads.EitherGame.parts(request.data)
    with counting_steps(MOST_STEPS):
        state = _from_text(sent) if "game" in sent else _from_events(sent)
    return Response(payloads.GameScored.of(state))


# --- games as text ----------------------------------------------------------------------------------------


def _from_text(sent: Parts) -> GameState:
    if "events" in sent:
        raise Problem("misshapen", _("Send either a game as text or its events."), field="game")
    text = sent["game"]
    budget.check_lines(text)
    try:
        lines = read_script(text)
    except UnreadableLine as unreadable:
        raise Problem("unreadable", unreadable.error.text, field="game", line=unreadable.line) from None
    budget.check_script(lines)
    played = play_script(lines)
    if played.problems:
        raise _failed(played.problems[0])
    assert played.state is not None
    return played.state


def _failed(problem: Failed) -> Problem:
    """Return the problem to answer for a wrong line of a game as text.

    Either the rules refuse the event in the line, or the line is an expectation that does not hold, such as
    `expect pot 500`.
    """
    if problem.refusal is None:
        detail = _("Not as expected: {problem}.", problem=problem.text)
        return Problem("not_as_expected", detail, field="game", line=problem.line)
    return Problem(
        code_of(problem.refusal),
        problem.refusal.text,
        field=problem.refusal.field or "game",
        line=problem.line,
    )


# --- games as JSON ----------------------------------------------------------------------------------------


def _from_events(sent: Parts) -> GameState:
    for name in ("format", "version"):
        sent.get(name)  # only to raise Problem for an unknown format or version
    with found_at("events"):
        events = sent.rows("events")
    log = tuple(read_events(events))
    budget.check_log(log)
    with found_at("events"):
        return replay(log)
