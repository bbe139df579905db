"""The API's refusals before an operation runs: addresses, methods, bodies; and failures of the server."""

from __future__ import annotations

import json

import pytest
from django.db import OperationalError
from django.test import Client

from games.common.api import parsers
from games.play.api.variants import VariantViewSet
from tests.api.conftest import Program, check_response

pytestmark = pytest.mark.django_db

MALFORMED = {
    "half of it": b'{"game": "ga',
    "two values": b"{} {}",
    "not a number": b'{"game": NaN}',
    "an endless number": b'{"game": ' + b"9" * 5_000 + b"}",
    "NUL": b'{"game": "a\x00"}',
    "Latin letters": '{"game": "ñ"}'.encode("latin-1"),
    "half a letter": b'{"game": "\\ud83d"}',
    "too deep": b'{"game": ' + b"[" * parsers.DEEPEST + b"]" * parsers.DEEPEST + b"}",
    "very deep": b"[" * 500_000 + b"]" * 500_000,
}


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED)
def test_a_body_that_is_not_json_is_malformed(nobody, content):
    assert (400, "malformed", None) == nobody.post("score/", content).problem


def test_a_body_that_is_too_large_or_of_another_type_is_refused(nobody):
    large = nobody.post("score/", json.dumps({"game": "a" * parsers.LARGEST}))
    form = nobody.post("score/", "game=x", **{"content-type": "application/x-www-form-urlencoded"})

    assert [(413, "too_large", None), (415, "unsupported_media_type", None)] == [large.problem, form.problem]


def test_too_many_statements_at_once_are_refused_as_such(owner_program, game):
    body = {"after": 1, "events": [{"line": ";".join(["leave dani"] * 150)}]}
    answer = owner_program.post(f"games/{game.code}/events/", body)

    assert ("too_much", "events", "At most 100 statements can be sent at once.") == (
        answer.problem[1],
        answer.problem[2],
        answer.body["detail"],
    )


def test_a_hand_written_as_its_refusal_says_is_scored(nobody):
    refused = nobody.post("hand/", {"variant": "loba_menos", "hand": "[x]"})
    *_words, card = refused.body["detail"].rstrip(".").split()

    assert (422, 200) == (
        refused.status,
        nobody.post("hand/", {"variant": "loba_menos", "hand": f"[{card}]"}).status,
    )


@pytest.mark.parametrize(
    ("body", "field", "pointer"),
    [
        ({"variant": "chinchon", "players": [], "stake": 5}, "stake", None),
        ({"players": []}, "variant", None),
        ({"variant": "chinchon", "players": {}}, "players", None),
        ({"variant": "chinchon", "players": [{"id": "ana"}, {"id": 5}]}, "players", "#/players/1/id"),
        ({"variant": "chinchon", "players": [{"id": "ana"}], "dealer": 2}, "dealer", None),
        ({"variant": "chinchon", "players": [{"id": "ana"}], "sure": "yes"}, "sure", None),
        ({"variant": "chinchon", "players": [], "played_at": "2026-01-01T10:00:00"}, "played_at", None),
        ({"variant": "chinchon", "players": [], "options": {"stake": True}}, "options", "#/options/stake"),
    ],
)
def test_an_unknown_missing_or_wrong_field_is_named(owner_program, table, body, field, pointer):
    answer = owner_program.post(f"tables/{table.code}/games/", body)

    assert ((400, "misshapen", field), pointer) == (answer.problem, answer.body.get("pointer"))


@pytest.mark.parametrize(
    ("event", "code", "pointer"),
    [
        ({"line": "rond caro"}, "unreadable", "#/events/0/line"),
        ({"line": "# later"}, "unreadable", "#/events/0/line"),
        ({"kind": "round_played", "data": {"closer": 5}}, "unreadable", "#/events/0"),
        ({"line": "round ana out beto=1", "kind": "struck"}, "misshapen", "#/events/0"),
        ({"kind": "struck"}, "misshapen", "#/events/0/data"),
        ({"line": "leave zoe"}, "refused", None),
    ],
)
def test_a_wrong_event_is_named_by_its_place(owner_program, game, event, code, pointer):
    answer = owner_program.post(f"games/{game.code}/events/", {"after": 1, "events": [event]})

    assert (code, pointer) == (answer.body["code"], answer.body.get("pointer"))


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("game loba_menos\nplayers ana beto\nrond ana", "unreadable", 3),
        ("game loba_menos\nplayers ana beto\nround zoe out ana=1 beto=2", "refused", 3),
        ("game loba_menos\nplayers ana beto\nround ana out beto=7\nexpect pot 8", "not_as_expected", 4),
        ("game loba_menos\nplayers ana beto\n" + "# \n" * 5000, "too_much", None),
    ],
)
def test_a_wrong_line_of_a_game_is_named_by_its_number(nobody, text, code, line):
    answer = nobody.post("score/", {"game": text})

    assert (422, code, line) == (answer.status, answer.body["code"], answer.body.get("line"))


def test_a_refusal_shows_options_as_they_are_typed(nobody):
    answer = nobody.post("score/", {"game": "game chinchon wins_at=-100 floor=-50\nplayers ana beto"})

    assert "floor=-50 is above wins_at=-100" == answer.body["detail"].partition(",")[0]


def test_an_unknown_address_is_a_problem_and_one_without_its_slash_a_redirect(nobody, table):
    client = Client()
    redirect = client.post(f"/api/v1/tables/{table.code}/members?a=b", "{}", "application/json")

    assert [(404, "not_found", None)] * 2 == [nobody.get(where).problem for where in ("nothing/", "nothing")]
    assert (308, f"/api/v1/tables/{table.code}/members/?a=b") == (
        redirect.status_code,
        redirect.headers["Location"],
    )


def test_an_unsupported_method_is_a_405_with_the_ones_that_there_are(owner_program, table):
    answer = owner_program.post(f"tables/{table.code}/", {}, method="delete")

    assert ((405, "method_not_allowed", None), {"GET", "PATCH", "HEAD", "OPTIONS"}) == (
        answer.problem,
        set(answer.headers["Allow"].split(", ")),
    )


def test_a_problem_is_in_the_language_of_the_request_and_the_answer_is_json_for_everybody(table):
    spanish = Program(**{"accept-language": "es-AR", "accept": "text/html"}).get("variants/nothing/")

    assert (404, "not_found", None) == spanish.problem
    assert "acceso" in spanish.body["detail"]


@pytest.mark.parametrize(
    ("failure", "problem", "wait"),
    [
        (ZeroDivisionError(), (500, "broken", None), None),
        (OperationalError("database is locked"), (503, "unavailable", None), "5"),
    ],
)
def test_a_failure_of_the_server_is_a_problem(monkeypatch, failure, problem, wait):
    def fail(*_arguments, **_options):
        raise failure

    monkeypatch.setattr(VariantViewSet, "list", fail)
    client = Client(raise_request_exception=False)
    answer = check_response(client.get("/api/v1/variants/"))

    assert (problem, wait) == (answer.problem, answer.headers.get("Retry-After"))
