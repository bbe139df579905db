"""The columns of a scoresheet (planilla): one for each seat, even if another player takes over the seat."""

from __future__ import annotations

from .events import PlayerJoined, SeatHandedOver
from .rounds import PlayerId
from .state import GameState


def players_by_column(state: GameState) -> list[tuple[PlayerId, ...]]:
    """Return one tuple for each step of the game, oldest first: the id of the player in each column.

    A step is an event that took effect, with corrections applied. A newcomer's column has "" in the steps
    before they join.
    """
    now = tuple(player.id for player in state.players)
    columns = []
    before = (frozenset[PlayerId](), *(frozenset(step.totals) for step in state.steps))
    for step, seated in reversed(list(zip(state.steps, before, strict=False))):
        columns.append(now)
        match step.event:
            case SeatHandedOver(player=old, to=new):
                now = tuple(old if player == new.id else player for player in now)
            case PlayerJoined(player=new) if new.id not in seated:  # who left and comes back has a column
                now = tuple("" if player == new.id else player for player in now)
            case _:
                pass  # everybody keeps their seat
    return columns[::-1]
