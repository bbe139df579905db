"""The records of one game, read once: its log, and what was recorded together under which key."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.models import Game, Record
from games.scoring.effort import counted
from games.scoring.events import Event
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.text.codec import from_data, kind_of, to_data

Content = tuple[str, Any]
log = logging.getLogger(__name__)


def contents(events: Iterable[Event]) -> list[Content]:
    """The kind and data of each event, as they read back from the database."""
    return [(kind_of(event), json.loads(json.dumps(to_data(event)))) for event in events]


def logs_of(games: Iterable[int], *, until: datetime | None = None) -> Mapping[int, tuple[Event, ...]]:
    """Everything recorded of the games of these ids (up to a moment, where one is given), oldest first, by the id.

    One query for all of them.
    """
    found: dict[int, list[Event]] = {game: [] for game in games}
    records = Record.objects.filter(game__in=found)
    if until is not None:
        records = records.filter(recorded_at__lte=until)
    for game, kind, data in records.order_by("game", "number").values_list("game", "kind", "data"):
        found[game].append(from_data(kind, data))
    return {game: tuple(log) for game, log in found.items()}


def states_of(games: Iterable[int], *, most: int | None = None) -> Mapping[int, GameState | None]:
    """Where the games of these ids stand, by the id; None where what was recorded cannot be read, which is logged.

    One query for all of them, so that a record somebody spoilt takes away no list in which its game stands. Those behind
    the first `most` steps of playing are left out.
    """
    found: dict[int, list[Content]] = {game: [] for game in games}
    records = Record.objects.filter(game__in=found).order_by("game", "number")
    for game, kind, data in records.values_list("game", "kind", "data"):
        found[game].append((kind, data))
    states: dict[int, GameState | None] = {}
    with counted(most) as effort:
        for game, recorded in found.items():
            try:
                states[game] = replay([from_data(kind, data) for kind, data in recorded])
            except Exception:  # who knows what was done to it
                if most is not None and effort.taken > most:
                    break
                log.exception("What was recorded of the game with the id %s cannot be read", game)
                states[game] = None
    return states


@dataclass(frozen=True)
class Book:
    """A game's records in order: kind, data, and the key on the first of each batch; and the events they hold."""

    rows: tuple[tuple[str, Any, str | None], ...]
    log: tuple[Event, ...]

    @classmethod
    def read(cls, game: Game) -> Book:
        """The records as they stand in the database now."""
        return cls.of(game.records.values_list("kind", "data", "key"))

    @classmethod
    def of(cls, rows: Iterable[tuple[str, Any, str | None]]) -> Book:
        """These records, the oldest first."""
        rows = tuple(rows)
        return cls(rows, tuple([from_data(kind, data) for kind, data, _key in rows]))

    def followed_by(self, records: Iterable[Record]) -> Book:
        """The same with these behind the last."""
        added = Book.of((record.kind, record.data, record.key) for record in records)
        return Book(self.rows + added.rows, self.log + added.log)

    def batches(self, *, after: int | None = None) -> list[tuple[int, ...]]:
        """The numbers recorded together, batch by batch, when the log was `after` long (by default as it is now)."""
        found: list[tuple[int, ...]] = []
        for number, (_kind, _data, key) in enumerate(self.rows[:after], start=1):
            if key is not None or not found:
                found.append((number,))
            else:
                found[-1] += (number,)
        return found

    def batch(self, key: str) -> list[Content]:
        """What was recorded under this key; empty where nothing was."""
        found: list[Content] = []
        for kind, data, row_key in self.rows:
            if row_key == key or (found and row_key is None):
                found.append((kind, data))
            elif found:
                break
        return found
