"""Three servers with one database, one cache and a load balancer: a game goes on while a server is killed."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings

from games.tables.guesses import OF_NAME_HERE
from tests.shared_cache import free_port, has_redis

DATABASE = os.environ.get("DATABASE_URL", "")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not DATABASE.startswith("postgres"), reason="DATABASE_URL names no PostgreSQL"),
    pytest.mark.skipif(not has_redis(), reason="no Redis is installed"),
]

SERVERS = 3
ROUNDS = 30
PATIENCE = 60  # seconds

# Run in the project's shell: creates a table with a game, and an API token of its owner.
SETUP = """
import json
from datetime import timedelta
from games.models import Role
from games.tables.tokens import make_token
from tests.worlds import make_table, make_user, start
owner = make_user("ana")
owner.set_password("tres lobas negras")
owner.save()
table = make_table(owner)
game = start(table, owner)
_token, secret = make_token(owner, "Night", lasts=timedelta(days=1))
print(json.dumps({"code": game.code, "secret": secret, "players": [m.slug for m in table.members.order_by("pk")]}))
"""


class Balancer(socketserver.ThreadingTCPServer):
    """A load balancer that passes each connection to the next server that accepts it."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, ports: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self._turn = itertools.cycle(ports)
        self._count = len(ports)

    def next_server(self) -> socket.socket:
        """Return a connection to one of the servers; OSError if none answers."""
        for _server in range(self._count):
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", next(self._turn)), timeout=PATIENCE)
        raise ConnectionRefusedError


class Connection(socketserver.BaseRequestHandler):
    """A handler that passes bytes both ways between a client and its server until one of them hangs up."""

    server: Balancer

    def handle(self) -> None:
        with self.server.next_server() as server:
            there = threading.Thread(target=_pass_on, args=(self.request, server), daemon=True)
            there.start()
            _pass_on(server, self.request)


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    for end in (one, other):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("servers")


@pytest.fixture(scope="module")
def environment(folder, shared_cache):
    """The environment variables that the servers share, with a database of their own."""
    import psycopg

    name = f"several_{os.getpid()}"
    with psycopg.connect(DATABASE, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    yield {
        **os.environ,
        "DATABASE_URL": urllib.parse.urlsplit(DATABASE)._replace(path=f"/{name}").geturl(),
        "CACHE_URL": shared_cache,
        "SECRET_KEY": "one secret for all of them, long enough",
        "DATA_DIR": str(folder / "setup"),
        "STATIC_ROOT": str(folder / "static"),
    }
    with psycopg.connect(DATABASE, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def manage(environment: dict[str, str], *words: str) -> str:
    command = [sys.executable, "manage.py", *words]
    ran = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return ran.stdout


@pytest.fixture(scope="module")
def night(environment):
    manage(environment, "migrate", "--verbosity", "0")
    manage(environment, "collectstatic", "--no-input", "--verbosity", "0")
    return json.loads(manage(environment, "shell", "--no-imports", "-c", SETUP).splitlines()[-1])


@pytest.fixture(scope="module")
def servers(environment, night, folder):
    """Three running servers, each configured as if on a machine of its own."""
    ports = [free_port() for _ in range(SERVERS)]
    running = []
    for port in ports:
        own = {**environment, "DATA_DIR": str(folder / f"server-{port}")}
        words = [sys.executable, "manage.py", "serve", "--bind", "127.0.0.1", "--port", str(port)]
        running.append(subprocess.Popen(words, cwd=settings.BASE_DIR, env=own, start_new_session=True))
    for port in ports:
        wait_for(f"http://127.0.0.1:{port}/readyz")
    yield dict(zip(ports, running, strict=True))
    for server in running:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()


@pytest.fixture
def balancer(servers):
    balancer = Balancer(list(servers))
    thread = threading.Thread(target=balancer.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{balancer.server_address[1]}"
    balancer.shutdown()
    balancer.server_close()
    thread.join()


def wait_for(address: str) -> None:
    for _attempt in range(PATIENCE * 10):
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=PATIENCE):
            return
        time.sleep(0.1)
    raise AssertionError(f"{address} was never ready")


def ask(address: str, data: bytes | None = None, **headers: str) -> tuple[int, Any]:
    """Return status and body; status 0 if the server died meanwhile."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    request = urllib.request.Request(address, data, named)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read()
    except OSError:
        return 0, None


def play_round(balancer: str, night: dict[str, Any], number: int) -> dict[str, Any]:
    """Send a round and return the game's state after it.

    As a phone does, it retries under the same key until a response comes.
    """
    closer, *others = night["players"]
    held = {"closer": closer, "closing": "out", "hands": [[player, "1"] for player in others]}
    body = json.dumps({"after": number, "events": [{"kind": "round_played", "data": held}]}).encode()
    for _attempt in range(20):
        status, answer = ask(
            f"{balancer}/api/v1/games/{night['code']}/events/",
            body,
            Authorization=f"Bearer {night['secret']}",
            Content_Type="application/json",
            Idempotency_Key=f"round-{number}",
        )
        if status:
            assert 200 == status, answer
            return dict(answer)
        time.sleep(0.05)
    raise AssertionError("no server answers any more")


def test_wrong_passwords_are_counted_by_all_of_them_together(servers, night):
    answers = []
    ports = itertools.cycle(servers)
    for _guess in range(OF_NAME_HERE.most + 1):
        jar = urllib.request.HTTPCookieProcessor()
        opener = urllib.request.build_opener(jar)
        address = f"http://127.0.0.1:{next(ports)}/login/"
        opener.open(address, timeout=PATIENCE).close()
        (token,) = [cookie.value for cookie in jar.cookiejar if cookie.name == "csrftoken"]
        form = {"csrfmiddlewaretoken": token, "username": "ana", "password": "x"}
        try:
            opener.open(address, urllib.parse.urlencode(form).encode(), timeout=PATIENCE).close()
        except urllib.error.HTTPError as refusal:
            answers.append(refusal.code)
            refusal.close()

    assert [422] * OF_NAME_HERE.most + [429] == answers


def test_a_night_is_played_across_them_while_one_is_killed(balancer, servers, night):
    first, *_others = servers.values()
    is_over = threading.Event()
    seen: list[int] = []

    def watch() -> None:
        while not is_over.is_set():
            status, _page = ask(
                f"{balancer}/api/v1/games/{night['code']}/", Authorization=f"Bearer {night['secret']}"
            )
            seen.append(status)
            time.sleep(0.2)

    with ThreadPoolExecutor(2) as phones:
        watching = [phones.submit(watch) for _ in range(2)]
        try:
            for number in range(1, ROUNDS + 1):
                if number == ROUNDS // 2:
                    os.killpg(first.pid, signal.SIGKILL)
                after = play_round(balancer, night, number)
        finally:
            is_over.set()
        for watcher in watching:
            watcher.result()

    closer, *others = night["players"]
    assert {closer: 0, **dict.fromkeys(others, ROUNDS)} == {
        player["id"]: player["total"] for player in after["players"]
    }
    assert {200} <= set(seen) <= {0, 200}
