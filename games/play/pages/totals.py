"""A chart of everybody's total, round by round.

A *step* is an event of the game with the totals and seats after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from django.utils.translation import gettext as _

from games.common.amounts import points
from games.common.charts import Chart, Series, line_chart
from games.common.words import People
from games.scoring.events import GameStarted, RoundPlayed, SeatHandedOver
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState, Seat, Step

PLAYS_ON = (Seat.IN, Seat.PENDING)


def totals_chart(state: GameState, people: People) -> Chart | None:
    """Return the chart of a game's totals with its limit marked; None before the first round.

    A re-entry shows as a change between two rounds. A player's line ends when the player is out or has left.
    """
    if not state.rounds:
        return None
    steps = list(_steps_that_move(state))
    return line_chart(
        _("Totals"),
        _("Round"),
        [name for name, _step in steps],
        [Series(people[player.id], tuple(_values(state, steps, player.id))) for player in state.players],
        points,
        limit=state.rules.out_at,
        between=[place for place, (_name, step) in enumerate(steps) if not _is_named(step)],
    )


def _is_named(step: Step) -> bool:
    return isinstance(step.event, GameStarted | RoundPlayed)


def _steps_that_move(state: GameState) -> Iterator[tuple[str, Step]]:
    """Yield the start of the game and every step that changed a total, as (label on the axis, step)."""
    yield _("start"), state.steps[0]
    played = 0
    for step in state.steps[1:]:
        if isinstance(step.event, RoundPlayed):
            played += 1
            yield points(played), step
        elif step.moved:
            yield _("after %(number)s") % {"number": points(played)}, step


def _values(state: GameState, steps: list[tuple[str, Step]], player: PlayerId) -> Iterator[int | None]:
    """Yield the player's total after each step, and None once the player is out.

    The step at which the player goes out still has a total. If the player took over another player's seat,
    the totals before that are the other player's.
    """
    before = {step.number: known for known, step in pairwise(state.steps)}
    for _name, step in steps:
        seated = _seated(state, player, step)
        plays_on = any(known.seats.get(seated) in PLAYS_ON for known in (step, before.get(step.number, step)))
        yield step.totals.get(seated) if plays_on else None


def _seated(state: GameState, player: PlayerId, at: Step) -> PlayerId:
    """Return the id of the player who sat at the step `at` in the seat that `player` has at the end.

    It is another player if the seat was handed over later.
    """
    for step in reversed(state.steps):
        if step is at:
            break
        if isinstance(step.event, SeatHandedOver) and step.event.to.id == player:
            player = step.event.player
    return player
