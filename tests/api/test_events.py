"""The described events: those of the golden games match, and each example parses as it is.

`scoring/test_events.py` has the corrections of a log.
"""

from __future__ import annotations

import json

from jsonschema import Draft4Validator

from games.common.api import schema
from games.play.api.event_schemas import CORRECTION_ONLY_KINDS, LINES, TYPE_SCHEMAS, event_example
from games.scoring.events import Player
from games.scoring.text.codec import EVENT_CLASSES, TYPE_CODECS, from_data, to_data, with_players
from games.scoring.text.game_file import play_game_file
from games.scoring.text.notation import parse_line
from tests.api.schema_checks import components, json_schema
from tests.golden_games import GOLDEN, read_golden


def as_json(event):
    return {"kind": event.kind, "data": to_data(event)}


def test_every_event_of_the_golden_games_matches_its_schema_and_every_kind_occurs():
    event_schema = schema.openapi()["components"]["schemas"]["EventNow"]
    validator = Draft4Validator({**json_schema(event_schema), "components": components()})
    events = {event for path in GOLDEN for event in play_game_file(read_golden(path)).log}

    assert [] == [event for event in events if not validator.is_valid(as_json(event))]
    assert {event.kind for event in events} == set(LINES)


def test_every_kind_of_event_has_a_schema_and_an_example_that_is_read_unchanged():
    assert set(EVENT_CLASSES) == {*LINES, *CORRECTION_ONLY_KINDS}
    for kind in LINES:
        assert kind == event_example(kind)["kind"]
        assert event_example(kind) == as_json(from_data(**event_example(kind)))


def test_every_type_of_a_stored_field_has_a_schema():
    assert set(TYPE_CODECS) == set(TYPE_SCHEMAS)


def test_an_import_renames_every_player_in_every_kind_of_event(subtests):
    amendments = [
        as_json(parse_line(line)[0])
        for line in ("correct 1 game loba_menos dealer=ana", "correct 1 players ana beto")
    ]
    ids = {"ana": "ana_2", "beto": "beto_2", "caro": "caro_2", "eva": "eva_2"}
    players = {old: Player(new, new) for old, new in ids.items()}

    assert CORRECTION_ONLY_KINDS == [example["data"]["kind"] for example in amendments]
    for example in (*map(event_example, LINES), *amendments):
        with subtests.test(example):
            text = json.dumps(example["data"]).replace("Carolina", "caro").replace("Eva", "eva")
            for old, new in ids.items():
                text = text.replace(f'"{old}"', f'"{new}"')
            assert json.loads(text) == with_players(example["kind"], example["data"], players)
