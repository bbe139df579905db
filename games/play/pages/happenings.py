"""The list of recorded events besides rounds, such as re-entries, each with a link to its correction.

Their lines in the scoresheet are too thin to tap, so another page lists them.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from games.common.words import People, play_in_words
from games.models import Game
from games.scoring.events import GameStarted, RoundPlayed
from games.scoring.state import GameState


@dataclass(frozen=True)
class Happening:
    """An event in words, and the URL at which it can be corrected."""

    sentence: str
    href: str


def happenings_of(game: Game, state: GameState, people: People) -> tuple[Happening, ...]:
    """Return every event except rounds, newest first."""
    return tuple(
        Happening(
            play_in_words(step.event, number=step.number, state=state, people=people, table=game.table),
            reverse("correct", args=[game.code, step.number]),
        )
        for step in reversed(state.steps)
        if not isinstance(step.event, GameStarted | RoundPlayed)
    )
