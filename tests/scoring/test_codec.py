"""Events as JSON: every event is the same when decoded, and other data is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.scoring.errors import NotationError
from games.scoring.events import Event, GameStarted, Player, Stop
from games.scoring.text.codec import from_data, kind_of, to_data
from games.scoring.text.notation import read_line

(ROUND,) = read_line("round ana out beto=23 caro=[KS *]")
EVENTS: tuple[Event, ...] = (
    GameStarted(
        "loba_menos",
        (("out_at", 101), ("floor", "none")),
        (Player("ana", "Ana"), Player("eva", "Eva Ñ")),
        "eva",
        "right",
    ),
    ROUND,
    *(
        event
        for line in (
            "round nobody stock_out ana=[]",
            "reenter ana",
            "stay_out ana",
            "leave ana",
            'join eva="Eva Ñ" after=ana',
            'join eva="Eva Ñ"',
            'replace ana by eva="Eva Ñ"',
            'adjust ana=-5 "un regalo"',
            "deal ana",
            *(f"stop {how}" for how in Stop),
            "agree ana=-4 eva=7",
            "correct 1 game loba_menos dealer=ana direction=left",
            'correct 1 players ana="Ana" eva="Eva Ñ"',
            "correct 2 round ana out beto=23 caro=[KS *]",
            "before 2 reenter ana",
            "strike 4",
        )
        for event in read_line(line)
    ),
)


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_survives_json(event: Event):
    stored = json.loads(json.dumps(to_data(event)))
    assert event == from_data(kind_of(event), stored)


def test_the_data_of_a_round_is_readable():
    expected = {"closer": "ana", "closing": "out", "hands": [["beto", "23"], ["caro", "[KS *]"]]}
    assert expected == to_data(ROUND)


STARTED: dict[str, Any] = {
    "variant": "loba_menos",
    "options": [["out_at", 101]],
    "dealer": "",
    "direction": "left",
    "players": [{"id": "ana", "name": "Ana"}, {"id": "beto", "name": "Beto"}],
}


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("card_played", {}),
        ("round_played", {}),
        ("round_played", {"closer": "ana", "closing": "out", "hands": [["beto"]]}),
        ("round_played", {"closer": "ana", "closing": "out", "hands": [["beto", "??"]]}),
        ("round_played", {"closer": "ana", "closing": "out", "hands": [["beto", 23]]}),
        ("round_played", {"closer": ["ana"], "closing": "out", "hands": []}),
        ("round_played", {"closer": 5, "closing": "out", "hands": []}),
        ("round_played", {"closer": "ana", "closing": "out", "hands": [["beto", "1"], ["beto", "2"]]}),
        ("round_played", {"closer": "ana", "closing": None, "hands": []}),
        ("points_adjusted", {"player": "ana", "points": 1.5, "reason": "x"}),
        ("points_adjusted", {"player": "ana", "points": True, "reason": "x"}),
        ("points_adjusted", {"player": "ana", "points": "5", "reason": "x"}),
        ("points_adjusted", {"player": "ana", "points": 5, "reason": ["x"]}),
        ("player_left", {"player": None}),
        ("game_stopped", {"how": "whoever_shouts_wins"}),
        ("totals_agreed", {"totals": [["ana", None]]}),
        ("totals_agreed", {"totals": 5}),
        ("totals_agreed", {"totals": [["ana", 5], ["ana", 5]]}),
        ("struck", {"number": "4"}),
        ("struck", []),
        ("struck", None),
        ("corrected", {"number": 2, "kind": "struck", "event": {"number": 1}}),
        ("corrected", {"number": 2, "kind": "game_started", "event": STARTED}),
        ("inserted", {"number": 2, "kind": "players_seated", "event": {"players": []}}),
        ("inserted", {"number": 2, "kind": "inserted", "event": {}}),
        ("rules_agreed", STARTED),
        ("players_seated", STARTED),
        ("game_started", {**STARTED, "options": [["out_at", [101]]]}),
        ("game_started", {**STARTED, "options": [["out_at", None]]}),
        ("game_started", {**STARTED, "options": [["out_at", 101.5]]}),
        ("game_started", {**STARTED, "options": [["out_at", True]]}),
        ("game_started", {**STARTED, "options": {"out_at": 101}}),
        ("game_started", {**STARTED, "players": [{"id": "Ana María", "name": "Ana"}]}),
        ("game_started", {**STARTED, "players": [{"id": "nobody", "name": "Nobody"}]}),
        ("game_started", {**STARTED, "players": [{"id": "ana", "name": None}]}),
        ("game_started", {**STARTED, "variant": 5}),
        ("game_started", {**STARTED, "dealer": 5}),
        ("game_started", {**STARTED, "players": [{"id": "(pot)", "name": "Pot"}]}),
        ("game_started", {**STARTED, "players": ["ana", "beto"]}),
        ("player_joined", {"player": {"id": 7, "name": "Siete"}, "after": ""}),
        ("seat_handed_over", {"player": "ana", "to": {"id": "", "name": "Nadie"}}),
    ],
)
def test_data_that_is_no_event_is_refused(kind: str, data: Any):
    with pytest.raises(NotationError):
        from_data(kind, data)


def test_deeply_nested_corrections_are_refused():
    nested: dict[str, Any] = {"number": 2}
    for _level in range(2000):
        nested = {"number": 2, "kind": "corrected", "event": nested}
    with pytest.raises(NotationError):
        from_data("corrected", nested)
