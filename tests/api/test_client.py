"""The client in Python, `docs/client.py`, against a running server and against one that fails."""

from __future__ import annotations

import importlib.util
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from games.people.tokens import LIVES, make_token
from games.play import recording
from tests.tables import a_key, a_round

FILE = Path(__file__).parents[2] / "docs" / "client.py"
LONGEST = 200  # lines

pytestmark = pytest.mark.django_db(transaction=True)


def loaded_from(file):
    """Return the module in this file."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


client = loaded_from(FILE)


@pytest.fixture
def made(table, owner):
    """Return an owner's token for the table and its secret."""
    return make_token(owner, "programa", lasts=LIVES["day"], table=table)


@pytest.fixture
def anotador(live_server, made):
    """Return a client with this token and a very short pause between two tries."""
    return client.Client(live_server.url, made[1], pause=0.01)


def test_the_client_is_one_file_of_at_most_200_lines():
    assert len(FILE.read_text().splitlines()) <= LONGEST


def test_a_round_sent_twice_with_one_idempotency_key_is_recorded_once(anotador, game):
    line = "round ana out beto=10 caro=9 dani=8"
    once = anotador.record(game.code, line, after=1, key="typed-1")
    again = anotador.record(game.code, line, after=1, key="typed-1")

    assert 2 == once["after"] == again["after"] == len(game.log())


def test_a_stale_write_raises_an_error_with_the_missed_round_and_the_present_version(anotador, game, owner):
    recording.record(game, a_round("ana", beto=10, caro=9, dani=8), after=1, key=a_key(), by=owner)
    with pytest.raises(client.Stale) as raised:
        anotador.record(game.code, "round beto out ana=1 caro=2 dani=3", after=1)

    assert (409, "stale", 2) == (raised.value.status, raised.value.code, raised.value.after)
    assert ["round_played"] == [event["kind"] for event in raised.value.since]
    assert 2 == len(game.log())


def test_an_undo_is_recorded_as_one_more_event(anotador, game, owner):
    recording.record(game, a_round("ana", beto=10, caro=9, dani=8), after=1, key=a_key(), by=owner)

    assert 3 == anotador.undo(game.code, after=2)["after"]


def test_a_refusal_raises_a_problem_with_status_code_and_detail(anotador):
    with pytest.raises(client.Problem) as raised:
        anotador.game("zzzzzzzzzzz")

    assert (404, "not_found") == (raised.value.status, raised.value.code)
    assert raised.value.members["detail"] == str(raised.value)


class FailingServer(HTTPServer):
    """A server that keeps the keys that it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Failing)
        self.keys: list[str] = []


class Failing(BaseHTTPRequestHandler):
    """A handler that answers 503, then nothing, then the third request."""

    server: FailingServer

    def do_POST(self) -> None:
        """Answer the third request only."""
        self.server.keys.append(self.headers["Idempotency-Key"])
        self.rfile.read(int(self.headers["Content-Length"]))
        if len(self.server.keys) == 1:
            self.send_response(503)
            self.end_headers()
        elif len(self.server.keys) == 3:
            self._answer(json.dumps({"after": 2}))

    def _answer(self, text: str) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def failing():
    """A server that fails before it answers."""
    with FailingServer() as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_failed_write_is_retried_with_the_same_idempotency_key(failing):
    program = client.Client(f"http://127.0.0.1:{failing.server_port}", "anotador_x", pause=0.01)

    assert {"after": 2} == program.record("game", "round ana out", after=1)
    assert 3 == len(failing.keys)
    assert 1 == len(set(failing.keys))
