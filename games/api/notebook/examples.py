"""An example page of the change feed: a round is recorded, and corrected later."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample

from games.scoring.events import Corrected, RoundPlayed
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.text.codec import kind_of, to_data


def _round(points: int) -> RoundPlayed:
    return RoundPlayed(RoundEntry("ana", "out", (("beto", Hand(points=points)), ("caro", Hand(points=40)))))


_AT = "2026-11-19T22:40:00-03:00"
_NOTHING = {"payment": None, "cost": None, "member": None}

NEWS = [
    OpenApiExample(
        "a round, and its correction",
        value={
            "changes": [
                {
                    "number": number,
                    "what": "event_recorded",
                    "at": _AT,
                    "game": "k3v8m2q7xwz",
                    "event": {
                        "number": place,
                        "kind": kind_of(event),
                        "data": to_data(event),
                        "at": _AT,
                        "arrived_at": _AT,
                    },
                    **_NOTHING,
                }
                for number, place, event in (
                    (118, 2, _round(23)),
                    (119, 3, Corrected(2, _round(32))),
                )
            ],
            "seen": 119,
            "newest": 119,
            "accounts": False,
        },
        response_only=True,
    )
]
