"""The race (carrera), a picture of the totals: a lane for each player, the best place on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.scoring.kinds import FirstOut, FirstTo, LastIn
from games.scoring.state import GameState
from games.shown.common.amounts import points
from games.shown.common.people import Person
from games.shown.play.columns import Column

# Where lanes begin and end, in hundredths of the drawing's width.
START, END = 5, 90


@dataclass(frozen=True)
class Lane:
    """A player's lane. `x` and `y` are the position of the player's circle, as percentages of the picture."""

    person: Person
    x: str
    y: str
    is_gone: bool


@dataclass(frozen=True)
class Race:
    """The race: its lanes, the best place on top.

    `finish` is the limit or the target, at which the lanes end; "" in games without either. `is_won_there` is
    True if a player wins by reaching `finish`, as at a target.
    """

    title: str
    finish: str
    is_won_there: bool
    lanes: tuple[Lane, ...]
    start: str = f"{START}%"
    end: str = f"{END}%"


def race_of(state: GameState, columns: Sequence[Column]) -> Race:
    """Return the race of a running game. `columns` are those of its scoresheet, in seat order."""
    totals = {column.person.id: player.total for column, player in zip(columns, state.players, strict=True)}
    finish = _finish(state)
    low = min(0, *totals.values())
    high = max(1, *totals.values()) if finish is None else finish
    ordered = sorted(columns, key=lambda column: column.place)
    return Race(
        title=_("Totals") if finish is None else _("The way to %(limit)s") % {"limit": points(finish)},
        finish="" if finish is None else points(finish),
        is_won_there=isinstance(state.rules.ending, FirstTo) and not state.rules.lowest_wins,
        lanes=tuple(
            Lane(
                person=column.person,
                x=_percent(
                    START + (END - START) * (min(totals[column.person.id], high) - low) / (high - low)
                ),
                y=_percent(100 * (place + 0.5) / len(ordered)),
                is_gone=column.is_gone,
            )
            for place, column in enumerate(ordered)
        ),
    )


def _finish(state: GameState) -> int | None:
    match state.rules.ending:
        case LastIn(limit) | FirstOut(limit) | FirstTo(limit):
            return limit
        case _:
            return None


def _percent(share: float) -> str:
    return f"{share:.1f}%"
