"""Scoring a written game: the result equals that of the command line, and an error names its line."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest
from django.utils import translation

from games.api.play.budget import MOST_LINES
from games.scoring.__main__ import main
from games.scoring.replay import replay
from games.scoring.text.codec import kind_of, to_data
from games.scoring.text.report import full_summary
from games.scoring.text.script import play_script, read_script
from games.shown.common.sentences import translate
from tests.scoring.test_plain import LATIN_1

GOLDEN = sorted((Path(__file__).parents[2] / "scoring" / "golden").glob("*.game"))
HEAD = "game loba_menos stake=100\nplayers ana beto caro\n"
BEYOND_THE_COMMAND_LINE = {"pairwise", "doubts", "disagreements"}


def events_of(text):
    log = play_script(read_script(text)).log
    return [{"kind": kind_of(event), "data": to_data(event)} for event in log]


def result_on_the_command_line(path):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert 0 == main(["play", "--json", str(path)])
    return json.loads(out.getvalue())


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_written_game_has_the_same_result_in_the_library_on_the_command_line_and_in_the_api(path, program):
    text = path.read_text(encoding="utf-8")
    log = play_script(read_script(text)).log
    as_text = program.post("score/", {"game": text})
    as_events = program.post("score/", {"events": events_of(text)})

    assert (200, 200) == (as_text.status, as_events.status)
    with translation.override("en"):
        scored = json.loads(json.dumps(full_summary(replay(log), translate)))
    assert scored == as_text.body == as_events.body
    assert result_on_the_command_line(path) == {
        part: value for part, value in as_text.body.items() if part not in BEYOND_THE_COMMAND_LINE
    }


def test_text_that_is_not_utf_8_is_reported_at_its_line(program):
    body = json.dumps({"game": LATIN_1.decode("latin-1")}, ensure_ascii=False).encode("latin-1")
    answer = program.post("score/", body)

    assert (400, "malformed", "The text is not UTF-8. Save it as UTF-8.") == answer.problem
    assert 2 == answer.body["line"]


def test_doubts_are_in_the_language_of_the_request(program_of):
    game = {"game": HEAD + "round ana out beto=0 caro=6\n"}
    expected = {
        language: program_of(language=language).post("score/", game).body["doubts"]
        for language in ("en", "es-AR")
    }

    assert {
        "en": [{"round": 2, "id": "beto", "text": "beto has 0 points but did not go out."}],
        "es-AR": [{"round": 2, "id": "beto", "text": "beto tiene 0 y no salió."}],
    } == expected


def test_agreed_totals_that_differ_from_the_counted_ones_are_reported(program):
    answer = program.post("score/", {"game": HEAD + "round ana out beto=5 caro=6\nagree beto=7 caro=6\n"})

    assert [{"number": 3, "id": "beto", "agreed": 7, "counted": 5}] == answer.body["disagreements"]


def test_an_exported_game_can_be_scored_unchanged(program):
    whole = {
        "format": "anotador-game",
        "version": 1,
        "started_at": "2026-11-19T22:00:00+00:00",
        "events": [
            {**event, "at": "2026-11-19T22:00:00+00:00"}
            for event in events_of(HEAD + "round ana out beto=5 caro=6")
        ],
        "state": {"whatever": "is said"},
    }

    assert 5 == program.post("score/", whole).body["players"][1]["total"]


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("", (422, "unreadable"), 1),
        (HEAD + "\n# nothing\nround ana flew\n", (422, "refused"), 5),
        (HEAD + "who knows", (422, "unreadable"), 3),
        (HEAD + "expect pot 5", (422, "not_as_expected"), 3),
        (HEAD + "refuse round ana out beto=5 caro=6", (422, "not_as_expected"), 3),
        (HEAD + 'adjust ana=5 "a\u202eb"', (422, "refused"), 3),
    ],
)
def test_an_invalid_line_of_a_game_is_reported_with_its_number(program, text, problem, line):
    answer = program.post("score/", {"game": text})

    assert (problem, line) == (answer.problem[:2], answer.place["line"])


def test_a_refusal_is_in_the_language_of_the_request_and_names_the_field(program_of):
    answer = program_of(language="es-AR").post("score/", {"game": HEAD + "round ana out beto=5"})

    assert (422, "refused", "Faltan las cartas de caro.") == answer.problem
    assert {"field": "hand-caro", "line": 3} == answer.place


A_START = events_of(HEAD)[0]


@pytest.mark.parametrize(
    ("events", "problem", "place"),
    [
        ("x", (400, "misshapen"), {"field": "events"}),
        ([A_START] * 1_001, (400, "misshapen"), {"field": "events"}),
        ([], (422, "refused"), {"field": "events"}),
        ([{**A_START, "kind": "poker"}], (422, "unreadable"), {"field": "events"}),
        ([A_START, A_START], (422, "refused"), {"field": "events", "number": 2}),
        (
            [A_START, {"kind": "struck", "data": {"number": 10**29}}],
            (422, "refused"),
            {"field": "number", "number": 2},
        ),
    ],
)
def test_an_invalid_event_is_reported_with_its_number(program, events, problem, place):
    answer = program.post("score/", {"events": events})

    assert (problem, place) == (answer.problem[:2], answer.place)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "events"),
        ({"game": 5}, "game"),
        ({"game": None}, "game"),
        ({"game": HEAD, "events": []}, "game"),
        ({"game": HEAD, "stake": 5}, "game"),
        ({"events": [], "format": "anotador-table"}, "format"),
        ({"events": [], "version": 2}, "version"),
        ([], "game"),
        (None, "game"),
        ("game", "game"),
    ],
)
def test_a_request_of_another_shape_is_refused_with_the_name_of_the_field(program, body, field):
    answer = program.post("score/", json.dumps(body))

    assert ((400, "misshapen"), {"field": field}) == (answer.problem[:2], answer.place)


def test_a_game_beyond_one_of_its_size_limits_is_refused(program):
    """Lines, entries, characters, corrections, refusals and solved hands each have a limit."""
    rounds = "round ana in_one_go beto=1 caro=1\n"
    corrections = "".join(f"correct {number} round ana out beto=2 caro=1\n" for number in range(2, 102))
    long = "game loba_menos out_at=500 floor=none reentries=unlimited\nplayers ana beto caro\n"
    answer = {
        name: program.post("score/", {"game": text}).problem[:2]
        for name, text in {
            "lines": HEAD + "\n" * MOST_LINES,
            "entries": long + "deal ana\n" * 1_000,
            "on one line": long + ";".join(["deal ana"] * 1_000),
            "letters": HEAD + " " * 2**18,
            "corrections": long + rounds * 300 + corrections,
            "refusals": long + rounds * 300 + "refuse strike 1\n" * 100,
            "solved hands": "game chinchon\nplayers ana beto\n"
            + "round ana cut ana=[1o 2o 3o 4o 5o 6o 1e] beto=[1b 2b 3b 4b 5b 6b 1c]\n" * 1_000
            + "strike 900\n" * 2,
        }.items()
    }

    assert dict.fromkeys(answer, (422, "too_much")) == answer


def test_a_game_with_the_maximum_of_entries_is_scored(program):
    text = "game loba_menos\nplayers ana beto caro\n" + "deal ana\n" * 999

    assert (200, "ana") == (
        program.post("score/", {"game": text}).status,
        program.post("score/", {"events": events_of(text)}).body["dealer"],
    )
