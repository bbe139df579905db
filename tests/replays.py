"""How often a log is replayed from its start."""

from __future__ import annotations

import pytest

from games.scoring import replay
from games.scoring.events import TableEvent
from games.scoring.state import GameState


def counted_replays(monkeypatch: pytest.MonkeyPatch) -> list[TableEvent]:
    """Return a list to which every replay from now on adds the event it starts with."""
    replays: list[TableEvent] = []
    start = replay._started

    def counting(number: int, event: TableEvent) -> GameState:
        replays.append(event)
        return start(number, event)

    monkeypatch.setattr(replay, "_started", counting)
    return replays
