"""The schemas of events: they match what is parsed, returned, and accepted as a line of notation."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft4Validator  # type: ignore[import-untyped]

from games.api.common.schema import openapi
from games.api.play.shapes import EVENT_SHAPES
from games.api.play.wrong_part import wrong_part
from games.scoring.errors import NotationError
from games.scoring.text.codec import KINDS, from_data, kind_of, to_data
from games.scoring.text.notation import read_line
from games.scoring.text.script import play_script
from games.scoring.text.writing import write_event
from tests.api.described import _components, _plain, wrong_in
from tests.api.play.conftest import event, round_of
from tests.api.play.test_same_answer import played_by
from tests.golden_games import GOLDEN, each_golden_game, read_golden
from tests.tables import make_table

SAMPLED = 25  # the quick run plays one game of this many
# Without "" and {}, which are read as empty lists, as they always were.
STRANGE: tuple[Any, ...] = (None, True, 1, -1, 1.5, "Ana", "beto", [], ["a"], [["ana"]], {"a": 1})


def is_described(body):
    return validator().is_valid(body)


@cache
def validator():
    schema = openapi()["components"]["schemas"]["EventNow"]
    return Draft4Validator({**_plain(schema), "components": _components()})


def as_json(one):
    return {"kind": kind_of(one), "data": to_data(one)}


def golden_events():
    """Return every event of every golden game, without repetitions."""
    logs = [play_script(read_golden(path)).log for path in GOLDEN]
    return list(dict.fromkeys(one for log in logs for one in log))


def can_be_read(kind, data):
    try:
        from_data(kind, data)
    except NotationError:
        return False
    return True


# --- the schemas ------------------------------------------------------------------------------------------------------


def test_every_event_of_the_golden_games_matches_its_schema_and_every_kind_occurs():
    events = golden_events()

    assert [] == [one for one in events if not is_described(as_json(one))]
    assert {kind_of(one) for one in events} == {
        kind for kind, shape in EVENT_SHAPES.items() if shape.stands_alone
    }


def test_every_kind_of_event_has_a_schema_and_an_example_that_is_parsed_unchanged():
    assert set(KINDS.values()) == set(EVENT_SHAPES)
    for kind, shape in EVENT_SHAPES.items():
        if shape.stands_alone:
            assert kind == shape.example["kind"]
            assert shape.example == as_json(from_data(**shape.example))


def changed(value, path=()):
    """Yield copies of a JSON value, in each of which a part is missing or has a strange value."""
    places = range(min(len(value), 2)) if isinstance(value, list) else value
    for name in list(places):
        if isinstance(value, dict):
            yield {key: part for key, part in value.items() if key != name}
        for strange in STRANGE:
            other = copy.copy(value)
            other[name] = strange
            yield other
        if isinstance(value[name], dict | list):
            for part in changed(value[name]):
                other = copy.copy(value)
                other[name] = part
                yield other


def has_newcomer_without_id(data):
    """Return whether the event names a newcomer without an id, whom the API first makes a member."""
    people = [
        part.get(name)
        for part in (data, data.get("event"))
        if isinstance(part, dict)
        for name in ("player", "to")
    ]
    return any(isinstance(person, dict) and "name" in person and "id" not in person for person in people)


@pytest.mark.parametrize("kind", [kind for kind, shape in EVENT_SHAPES.items() if shape.stands_alone])
def test_altered_events_are_parsed_exactly_if_no_wrong_field_is_reported(kind):
    for data in changed(EVENT_SHAPES[kind].example["data"]):
        if not has_newcomer_without_id(data):
            assert can_be_read(kind, data) == (wrong_part(kind, data) is None), data
            assert is_described({"kind": kind, "data": data}) or not can_be_read(kind, data), data


# --- requests ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@each_golden_game(SAMPLED)
def test_the_event_log_of_a_golden_game_matches_its_schema(ana, owner, path):
    log = play_script(read_golden(path)).log
    code = played_by(ana, make_table(owner, people=()), log)
    page = ana.get(f"games/{code}/events/?limit=200").body

    assert [] == wrong_in(page, "games/{code}/events/")
    assert [as_json(one)["kind"] for one in log[: len(page["events"])]] == [
        one["kind"] for one in page["events"]
    ]


@each_golden_game(SAMPLED)
def test_a_golden_game_sent_as_lines_has_the_same_result_as_sent_as_events(program, path):
    log = play_script(read_golden(path)).log
    lines = [as_json(log[0]), *({"line": write_event(one)} for one in log[1:])]
    answers = [program.post("score/", {"events": sent}) for sent in (lines, [as_json(one) for one in log])]

    assert [200, 200] == [answer.status for answer in answers]
    assert answers[0].body == answers[1].body


@pytest.fixture
def path(game):
    return f"games/{game.code}/"


LINE = "round caro out ana=23 beto=[K 7 *] dani=1"


@pytest.mark.django_db
@pytest.mark.parametrize("place", ["events/", "preview/"])
def test_a_line_of_notation_is_accepted_in_place_of_an_event(ana, path, place):
    answer = ana.write(f"{path}{place}", {"after": 1, "events": [{"line": LINE}]}, key="k")

    assert 200 == answer.status
    state = answer.body["after"] if place == "preview/" else answer.body
    assert 23 == next(player["total"] for player in state["players"] if player["id"] == "ana")


@pytest.mark.django_db
def test_a_line_and_its_event_count_as_the_same_request_under_one_idempotency_key(ana, path):
    (played,) = read_line(LINE)
    bodies = [{"after": 1, "events": [sent]} for sent in ({"line": LINE}, as_json(played))]

    assert [2, 2] == [ana.write(f"{path}events/", body, key="k").body["after"] for body in bodies]


@pytest.mark.django_db
def test_events_joined_on_one_line_are_recorded_and_undone_together(ana, path):
    line = f'{LINE} ; adjust ana=+5 "multa"'
    assert 3 == ana.write(f"{path}events/", {"after": 1, "events": [{"line": line}]}, key="k").body["after"]

    undone = ana.write(f"{path}undo/", {"after": 3}, key="u")
    assert [0] == list({player["total"] for player in undone.body["players"]})


WRONG = {
    "no statement": ({"line": "rond caro"}, 422, "/line", "“rond caro” is not a statement."),
    "only a comment": ({"line": "# later"}, 422, "/line", "This line is empty."),
    "a line and a kind": ({"line": LINE, "kind": "struck"}, 400, "", "Send either a line or kind and data."),
    "no line": ({"line": 1}, 400, "/line", "“line” should be a text of at most 8,000 letters."),
    "no data": ({"kind": "struck"}, 400, "/data", "“data” is missing."),
    "an unknown kind": (
        event("round"),
        422,
        "/kind",
        "“kind” should be one of these: game_started, night_imported, round_played, player_reentered, player_stayed_out, player_left, player_joined, seat_handed_over, points_adjusted, deal_passed, game_stopped, totals_agreed, corrected, inserted, struck.",
    ),
    "no number": (event("struck"), 422, "/data/number", "“data.number” is missing."),
    "a text": (event("struck", number="2"), 422, "/data/number", "“data.number” should be a whole number."),
    "no closer": (round_of(3), 422, "/data/closer", "“data.closer” should be a player's id, or null."),
    "no hand": (
        round_of("caro", ana="x"),
        422,
        "/data/hands/0/1",
        "“x” is not a hand. Write points (23) or cards ([K 7 *]).",
    ),
    "no pair": (
        {"kind": "round_played", "data": {"closer": None, "closing": "out", "hands": [["ana"]]}},
        422,
        "/data/hands/0",
        "“data.hands[0]” should be a pair in a list, such as [id, value].",
    ),
    "no word": (
        event("game_stopped", how="now"),
        422,
        "/data/how",
        "“data.how” should be one of these: lowest_wins, highest_wins, split_pot, refund.",
    ),
    "a name": (
        event("seat_handed_over", player="ana", to="Eva"),
        422,
        "/data/to",
        "“data.to” should be an object with these parts: id, name.",
    ),
    "a wrong part inside": (
        event("corrected", number=2, kind="player_left", event={}),
        422,
        "/data/event/player",
        "“data.event.player” is missing.",
    ),
    "a correction inside": (
        event("inserted", number=2, kind="struck", event={}),
        422,
        "/data/kind",
        "“data.kind” should be one of these: round_played, player_reentered, player_stayed_out, player_left, player_joined, seat_handed_over, points_adjusted, deal_passed, game_stopped, totals_agreed.",
    ),
    "nobody's total": (
        event("totals_agreed", totals=[]),
        422,
        "/data/totals",
        "“data.totals” should be a list with at least one entry.",
    ),
    "twice": (
        event("totals_agreed", totals=[["ana", 1], ["ana", 2]]),
        422,
        "/data/totals/1/0",
        "ana appears twice.",
    ),
}


@pytest.mark.django_db
def test_an_error_in_an_event_has_a_json_pointer_and_names_the_expected_value(subtests, ana, path):
    for wrong in WRONG:
        with subtests.test(wrong=wrong):
            sent, status, part, sentence = WRONG[wrong]
            fine = event("player_left", player="dani")
            answer = ana.write(f"{path}events/", {"after": 1, "events": [fine, sent]}, key="k")

            assert (status, sentence) == (answer.problem[0], answer.problem[2])
            assert {"field": "events"} == answer.place
            assert f"#/events/1{part}" == answer.body["pointer"]


@pytest.mark.django_db
def test_a_refusal_names_the_event_of_the_game(ana, path):
    answer = ana.write(f"{path}events/", {"after": 1, "events": [event("struck", number=7)]}, key="k")

    assert (422, "refused") == answer.problem[:2]
    assert {"field": "number", "number": 2} == answer.place


@pytest.mark.django_db
def test_lines_with_more_events_than_a_request_can_have_are_refused(ana, path):
    line = " ; ".join(["strike 2"] * 60)
    body = {"after": 1, "events": [{"line": line}, {"line": line}]}

    assert (422, "too_much") == ana.write(f"{path}events/", body, key="k").problem[:2]


@pytest.mark.parametrize(
    ("reason", "code"), [("a\u202eb", (400, "misshapen")), ("a" * 1001, (422, "refused"))]
)
def test_an_invalid_text_on_a_line_is_refused_like_in_an_event(program, reason, code):
    begun = EVENT_SHAPES["game_started"].example
    answer = program.post("score/", {"events": [begun, {"line": f'adjust ana=+5 "{reason}"'}]})

    assert code == answer.problem[:2]
    assert "#/events/1/line" == answer.body["pointer"]
