"""The described events: those of the golden games match, and each example parses as it is."""

from __future__ import annotations

from jsonschema import Draft4Validator  # type: ignore[import-untyped]

from games.common.api import schema
from games.play.api.event_schemas import CORRECTION_ONLY_KINDS, LINES, event_example
from games.scoring.text.codec import KINDS, event_kind, from_data, to_data
from games.scoring.text.game_file import play_game_file
from tests.api.schema_checks import components, json_schema
from tests.golden_games import GOLDEN, read_golden


def as_json(event):
    return {"kind": event_kind(event), "data": to_data(event)}


def test_every_event_of_the_golden_games_matches_its_schema_and_every_kind_occurs():
    event_schema = schema.openapi()["components"]["schemas"]["EventNow"]
    validator = Draft4Validator({**json_schema(event_schema), "components": components()})
    events = {event for path in GOLDEN for event in play_game_file(read_golden(path)).log}

    assert [] == [event for event in events if not validator.is_valid(as_json(event))]
    assert {event_kind(event) for event in events} == set(LINES)


def test_every_kind_of_event_has_a_schema_and_an_example_that_is_read_unchanged():
    assert set(KINDS.values()) == {*LINES, *CORRECTION_ONLY_KINDS}
    for kind in LINES:
        assert kind == event_example(kind)["kind"]
        assert event_example(kind) == as_json(from_data(**event_example(kind)))
