"""An example of a table's file: the least that is needed to import one old game."""

from __future__ import annotations

from typing import Any

from games.api.play.shapes import EVENT_SHAPES
from games.notebook.writing import FORMAT, VERSION

_AT = "2019-05-31T22:00:00-03:00"
_LATER = "2019-06-01T00:30:00-03:00"
_NOT_MERGED = {"merged_into": None, "merged_at": None, "merged_by": None, "retired_at": None}


def _member(slug: str, name: str, colour: int) -> dict[str, Any]:
    return {"id": slug, "name": name, "colour": colour, "account": "", **_NOT_MERGED}


def _batch(at: str, *kinds: str) -> dict[str, Any]:
    """Return events recorded together; they are the examples of these kinds."""
    events = [EVENT_SHAPES[kind].example for kind in kinds]
    return {"at": at, "by": "guest", "arrived_at": None, "events": events}


OLD_TABLE: dict[str, Any] = {
    "format": FORMAT,
    "version": VERSION,
    "anchor": "",
    "table": {
        "name": "Los viernes",
        **{"unit": "$", "decimals": 0, "language": "es-ar", "timezone": "America/Argentina/Buenos_Aires"},
        **{"settles_before": False, "created_at": _AT},
    },
    "members": [_member("ana", "Ana", 1), _member("beto", "Beto", 2), _member("caro", "Carolina", 3)],
    "spellings": [],
    "seasons": [{"name": "2019", "starts_on": "2019-05-31", "ends_on": None}],
    "games": [
        {
            "started_at": _AT,
            "discarded_at": None,
            "batches": [_batch(_AT, "game_started"), _batch(_LATER, "round_played", "game_stopped")],
            "flags": [],
        }
    ],
    **{"payments": [], "costs": [], "plans": [], "closing_notes": []},
}
