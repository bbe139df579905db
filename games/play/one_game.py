"""A single game as JSON: its events as they were recorded, and its state."""

from __future__ import annotations

import json

from games.common.days import moment_in_text
from games.models import Game
from games.scoring.replay import replay
from games.scoring.text.report import summary

FORMAT, VERSION = "anotador-game", 1


def write_game_in_json(game: Game) -> str:
    """Return a JSON text: the game's events, the time of recording of each, and a summary of its state."""
    records = list(game.records.order_by("number"))
    events = [
        {"kind": record.kind, "data": record.data, "at": moment_in_text(record.recorded_at)}
        for record in records
    ]
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "started_at": moment_in_text(game.started_at),
        "events": events,
        "state": summary(replay(game.log())),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
