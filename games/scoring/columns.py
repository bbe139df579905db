"""The columns of a scoresheet (planilla): one for each seat, even if another player takes over the seat."""

from __future__ import annotations

from .events import PlayerJoined, SeatHandedOver
from .rounds import PlayerId
from .state import GameState


def players_by_column(state: GameState) -> list[tuple[PlayerId, ...]]:
    """Return one tuple for each step of the game, oldest first, with the id of the player in each column.

    A step is an event that took effect, with corrections applied. A newcomer's column has "" in the steps
    before they join.
    """
    column_ids = tuple(player.id for player in state.players)
    columns = []
    before = (frozenset[PlayerId](), *(frozenset(step.totals) for step in state.steps))
    for step, players_before in reversed(list(zip(state.steps, before, strict=False))):
        columns.append(column_ids)
        match step.event:
            case SeatHandedOver(player=old, to=new):
                column_ids = tuple(old if player == new.id else player for player in column_ids)
            case PlayerJoined(player=new) if new.id not in players_before:  # returning players have one
                column_ids = tuple("" if player == new.id else player for player in column_ids)
            case _:
                pass  # everyone keeps their seat
    return columns[::-1]
