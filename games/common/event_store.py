"""The records of games: their events, their states, and the batches recorded under one idempotency key."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from games.models import Game, Record
from games.scoring.events import Event
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.step_budget import count_steps
from games.scoring.text.codec import from_data, to_data

Content = tuple[str, Any]
Row = tuple[str, str, str | None]  # kind, data as JSON text, and the key on the first of each batch
logger = logging.getLogger(__name__)


def event_contents(events: Iterable[Event]) -> list[Content]:
    """Return the kind and data of each event. The data has been through JSON, so it equals stored data."""
    return [(event.kind, json.loads(json.dumps(to_data(event)))) for event in events]


def load_logs(games: Iterable[int]) -> Mapping[int, tuple[Event, ...]]:
    """Return each game's log (its events, oldest first) by the game's id, in one query."""
    logs: dict[int, list[Event]] = {game: [] for game in games}
    records = Record.objects.filter(game__in=logs).order_by("game", "number")
    for game, kind, data in records.values_list("game", "kind", "data"):
        logs[game].append(from_data(kind, data))
    return {game: tuple(events) for game, events in logs.items()}


def load_states(games: Iterable[int], *, most: int | None = None) -> Mapping[int, GameState | None]:
    """Return the state of each game by its id, in one query.

    A game with damaged records is logged and gets None, so that one game cannot break a list. With `most`,
    replaying stops after that many steps (units of work, the same on every machine), and the games not
    replayed by then are left out.
    """
    contents_by_game: dict[int, list[Content]] = {game: [] for game in games}
    records = Record.objects.filter(game__in=contents_by_game).order_by("game", "number")
    for game, kind, data in records.values_list("game", "kind", "data"):
        contents_by_game[game].append((kind, data))
    states: dict[int, GameState | None] = {}
    with count_steps(most) as effort:
        for game, recorded in contents_by_game.items():
            try:
                states[game] = replay([from_data(kind, data) for kind, data in recorded])
            except Exception:  # damaged data can fail in any way
                if most is not None and effort.used > most:
                    break
                logger.exception("What was recorded of the game with the id %s cannot be read", game)
                states[game] = None
    return states


@dataclass(frozen=True)
class EventLog:
    """A game's records in order, and the events that they hold.

    Each row has a record's kind, data and key. Only the first record of a batch has the batch's key. `source`
    has the rows as the database returned them; it is empty if they came from elsewhere.
    """

    rows: tuple[tuple[str, Any, str | None], ...]
    log: tuple[Event, ...]
    source: tuple[Row, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def load(cls, game: Game, known: EventLog | None = None) -> EventLog:
        """Read the game's records from the database.

        `known` is a log of this game that was read earlier: only records added since are decoded, and `known`
        itself is returned if there are none. It is ignored if it differs from the database in any row.
        """
        source = tuple(game.records.values_list("kind", Cast("data", TextField()), "key"))
        if known is None or not known.source or source[: len(known.source)] != known.source:
            known = EventLog((), ())
        if len(source) == len(known.source) > 0:
            return known
        added = cls.from_rows(
            (kind, json.loads(text), key) for kind, text, key in source[len(known.source) :]
        )
        return cls(known.rows + added.rows, known.log + added.log, source)

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, Any, str | None]]) -> EventLog:
        """Return a log of these rows (kind, data, key), oldest first, with their data decoded to events."""
        rows = tuple(rows)
        return cls(rows, tuple([from_data(kind, data) for kind, data, _key in rows]))

    def batches(self, *, after: int | None = None) -> list[tuple[int, ...]]:
        """Return the numbers of the events in each batch (the events recorded under one key), oldest first.

        With `after`, only the first `after` events of the log are considered.
        """
        batches: list[tuple[int, ...]] = []
        for number, (_kind, _data, key) in enumerate(self.rows[:after], start=1):
            if key is not None or not batches:
                batches.append((number,))
            else:
                batches[-1] += (number,)
        return batches

    def until(self, key: str) -> EventLog:
        """Return the log as the batch with this key left it; the whole log if there is no such batch."""
        for batch in self.batches():
            first, last = batch[0], batch[-1]
            if self.rows[first - 1][2] == key and last < len(self.log):
                return EventLog(self.rows[:last], self.log[:last], self.source[:last])
        return self

    def batch(self, key: str) -> list[Content]:
        """Return the kind and data of each event recorded under this key; [] if there are none."""
        batch: list[Content] = []
        for kind, data, row_key in self.rows:
            if row_key == key or (batch and row_key is None):
                batch.append((kind, data))
            elif batch:
                break
        return batch
