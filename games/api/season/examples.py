"""Examples for the OpenAPI schema: a season of three friends with two games of Loba, both won by Ana."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample

COUNTED = {"season": 5, "unit": "$", "decimals": 0}
FIRST, SECOND = "2026-11-12", "2026-11-19"


def _answered(name: str, value: dict[str, Any]) -> OpenApiExample:
    return OpenApiExample(name, value=value, response_only=True)


def _line(rank: int, member: str, *, wins: int, placing: tuple[int, int], net: int) -> dict[str, Any]:
    return {
        "member": member,
        "name": member.capitalize(),
        "rank": rank,
        "games": 2,
        "wins": wins,
        "points": sum(placing),
        "average": sum(placing) / 2,
        "net": net,
        "streak": wins,
        "form": [{"won": wins > 0, "points": points} for points in placing],
    }


ANA = _line(1, "ana", wins=2, placing=(2, 2), net=400)
BETO = _line(2, "beto", wins=0, placing=(1, 0), net=-200)
CARO = _line(2, "caro", wins=0, placing=(0, 1), net=-200)
AHEAD = {"one": "ana", "other": "beto", "games": 2, "ahead": 2, "behind": 0, "level": 0}
LEVEL = {"one": "beto", "other": "caro", "games": 2, "ahead": 1, "behind": 1, "level": 0}

STANDINGS = _answered(
    "two games",
    {
        **COUNTED,
        "extent": {"games": 2, "nights": 2, "first": FIRST, "last": SECOND},
        "by": "wins",
        "least": 1,
        "lines": [ANA, BETO, CARO],
        "others": [],
        "course": [
            {
                "first": night,
                "last": night,
                "nets": {"ana": 200 * played, "beto": -100 * played, "caro": -100 * played},
                "points": {"ana": 2 * played, "beto": 1, "caro": played - 1},
            }
            for played, night in enumerate((FIRST, SECOND), start=1)
        ],
    },
)
RECORDS = _answered(
    "the biggest pot",
    {
        **COUNTED,
        "records": [
            {
                "feat": "pot",
                "title": "Biggest pot",
                "holders": ["ana"],
                "value": 300,
                "said": "$\u00a0300",
                "game": "k3v8m2q7xwz",
            }
        ],
    },
)
DUELS = _answered("three friends", {**COUNTED, "duels": [AHEAD, {**AHEAD, "other": "caro"}, LEVEL]})
DUEL = _answered(
    "Ana and Beto",
    {
        **COUNTED,
        **AHEAD,
        "wins": [2, 0],
        "nets": [400, -200],
        "last": [
            {
                "game": "k3v8m2q7xwz",
                "variant": "loba_menos",
                "called": "",
                "night": SECOND,
                "places": [1, 3],
                "nets": [200, -100],
            }
        ],
    },
)
PLAYER = _answered(
    "Ana's season",
    {
        **COUNTED,
        "line": ANA,
        "ranks": {"wins": 1, "points": 1, "average": 1, "money": 1},
        "deeds": {
            "longest_streak": 2,
            "rounds_won": 7,
            "in_one_go": 1,
            "reentries": 0,
            "most_reentries": 0,
            "survived": 0,
            "most_won": 200,
        },
        "places": [{"place": 1, "times": 2}],
        "variants": [{"variant": "loba_menos", "called": "", "games": 2, "wins": 2, "points": 4, "net": 400}],
        "duels": [AHEAD, {**AHEAD, "other": "caro"}],
        "games": [
            {
                "game": "k3v8m2q7xwz",
                "variant": "loba_menos",
                "called": "",
                "night": SECOND,
                "place": 1,
                "won": True,
                "points": 2,
                "net": 200,
                "total": 64,
                "reentries": 0,
            }
        ],
        "next": None,
    },
)
