"""A counter of the replays that start at a log's first event."""

from __future__ import annotations

import pytest

from games.scoring import replay
from games.scoring.events import TableEvent
from games.scoring.state import GameState


def counted_replays(monkeypatch: pytest.MonkeyPatch) -> list[TableEvent]:
    """Return a list to which every replay from now on appends the first event that it replays."""
    replays: list[TableEvent] = []
    start = replay._started

    def counting(number: int, event: TableEvent) -> GameState:
        replays.append(event)
        return start(number, event)

    monkeypatch.setattr(replay, "_started", counting)
    return replays
