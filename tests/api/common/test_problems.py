"""Every error under `/api/` is a problem response in the reader's language, also a server error."""

from __future__ import annotations

import json

import pytest
from django.db import OperationalError
from django.test import Client

from games.api.common.problems import KINDS
from games.api.play import score
from games.views.play import installed
from tests.api.conftest import answered


@pytest.mark.parametrize("address", ["v1", "v1/", "v2/score/", "v1/score/x/", "v1/variants/ñ/", "x" * 5_000])
@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options"])
def test_an_unknown_address_is_a_404_problem(address, method):
    client = Client(headers={"accept-language": "en"})
    answer = answered(getattr(client, method)(f"/api/{address}"))

    assert (
        404,
        "not_found",
        "There is nothing at this address, or you or your token have no access to it.",
    ) == answer.problem


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("score/", "POST"),
        ("hand/", "POST"),
        ("variants/", "GET, HEAD"),
        ("schema/", "GET, HEAD"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options", "trace"])
def test_an_unsupported_method_is_a_405_problem_with_an_allow_header(program, address, allowed, method):
    if method.upper() not in allowed:
        answer = answered(getattr(program.client, method)(f"/api/v1/{address}"))

        assert (405, "method_not_allowed") == answer.problem[:2]
        assert set(allowed.split(", ")) == set(answer.headers["Allow"].split(", ")) - {"OPTIONS"}


def test_a_head_request_gets_an_empty_body(program):
    answer = program.client.head("/api/v1/variants/")

    assert (200, b"") == (answer.status_code, answer.content)


def test_an_unknown_host_is_a_bad_request(program_of):
    answer = program_of().get("variants/", headers={"host": "elsewhere.example"})

    assert (400, "bad_request") == answer.problem[:2]


def breaks_with(monkeypatch, raised):
    def fail(*_arguments):
        raise raised

    monkeypatch.setattr(score, "read_script", fail)


SENT = {"game": "game loba_menos\nplayers ana beto"}


def test_a_server_error_is_a_500_problem_and_is_logged(program_of, monkeypatch, caplog):
    breaks_with(monkeypatch, RuntimeError("broken on purpose"))
    answer = program_of(raise_request_exception=False).post("score/", SENT)

    assert (500, "broken", "Nothing was recorded. The error was logged.") == answer.problem
    assert "broken on purpose" in caplog.text


def test_a_locked_database_is_a_503_problem_with_retry_after(program_of, monkeypatch):
    breaks_with(monkeypatch, OperationalError("database is locked"))
    answer = program_of(raise_request_exception=False).post("score/", SENT)

    assert (503, "unavailable") == answer.problem[:2]
    assert "5" == answer.headers["Retry-After"]


def test_a_server_error_of_a_page_is_html(monkeypatch):
    monkeypatch.setattr(installed, "render_to_string", lambda *_arguments: 1 / 0)
    answer = Client(raise_request_exception=False).get("/offline/")

    assert (500, "text/html; charset=utf-8") == (answer.status_code, answer.headers["Content-Type"])


def test_a_problem_is_in_the_language_of_the_request(program_of):
    bodies = {
        language: program_of(language=language).post("score/", "{").body for language in ("en", "es-AR")
    }

    assert ("The body is not JSON", "El pedido no es JSON") == (
        bodies["en"]["title"],
        bodies["es-AR"]["title"],
    )
    assert bodies["en"]["detail"] != bodies["es-AR"]["detail"]


def test_the_detail_of_a_problem_is_truncated(program):
    detail = program.post("score/", {"game": "game loba_menos\nplayers " + "W" * 100_000}).body["detail"]

    assert len(detail) < 600
    assert detail.endswith("…")


def test_non_ascii_characters_are_not_escaped_in_json(program):
    sent = program.client.post(
        "/api/v1/hand/", json.dumps({"variant": "loba_menos", "hand": "ñ"}), "application/json"
    )

    assert "“ñ” is not a hand".encode() in sent.content


def test_every_kind_of_problem_has_an_error_status():
    assert all(400 <= kind.status < 600 for kind in KINDS.values())
