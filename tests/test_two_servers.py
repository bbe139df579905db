"""Two servers with one database and one cache: each shows the other's writes, and killing one loses nothing."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import socketserver
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from urllib.parse import urlencode

import pytest

from games.tables.views.login import NAME_AT_ADDRESS_LIMIT
from tests.server_processes import CSRF_TOKEN, TIMEOUT, Phone, Site, record_in_background
from tests.shared_cache import has_redis

DATABASE = os.environ.get("DATABASE_URL", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATABASE.startswith("postgres"), reason="DATABASE_URL names no PostgreSQL"),
    pytest.mark.skipif(not has_redis(), reason="no Redis is installed"),
]
SERVERS, ROUNDS, WRITERS = 2, 30, 30
AFTER = re.compile(r'data-after="(\d+)"')
LIVE = re.compile(r'data-live="([^"]+)"')


class Balancer(socketserver.ThreadingTCPServer):
    """A load balancer that passes each connection to the next server that accepts it."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, ports: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self._turn = cycle(ports)

    def next_server(self) -> socket.socket:
        """Return a connection to one of the servers. Raise OSError if none answers."""
        for _server in range(SERVERS):
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", next(self._turn)), timeout=TIMEOUT)
        raise ConnectionRefusedError


class Connection(socketserver.BaseRequestHandler):
    """A handler that passes bytes both ways between a client and its server until one of them disconnects."""

    server: Balancer

    def handle(self) -> None:
        with self.server.next_server() as server:
            threading.Thread(target=_pass_on, args=(self.request, server), daemon=True).start()
            _pass_on(server, self.request)


def _pass_on(source: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            other.sendall(data)
    for end in (source, other):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def servers(shared_cache, new_database, tmp_path_factory):
    """The running servers, each with its own folder as if on another machine, and one database."""
    folder, address = tmp_path_factory.mktemp("servers"), new_database()
    shared = {"CACHE_URL": shared_cache, "SECRET_KEY": "one secret for all of them, long enough"}
    running = [
        Site(folder / str(number), folder / "static", address, variables=shared) for number in range(SERVERS)
    ]
    for site in running:
        site.folder.mkdir(mode=0o700)
        site.start()
    yield running
    for site in running:
        site.stop()


@pytest.fixture(scope="module")
def seats(servers):
    """A phone for each test that records, with its own table. All use the first server."""
    return iter(servers[0].create_phones(3))


@pytest.fixture
def balanced_site(servers):
    """The site as phones see it: through the load balancer."""
    balancer = Balancer([site.port for site in servers])
    threading.Thread(target=balancer.serve_forever, daemon=True).start()
    first = servers[0]
    site = Site(first.folder, first.static, first.database, variables=first.variables)
    site.port = balancer.server_address[1]
    yield site
    balancer.shutdown()
    balancer.server_close()


def test_wrong_passwords_are_counted_by_all_of_them_together(servers):
    body = urlencode({"csrfmiddlewaretoken": CSRF_TOKEN, "username": "ana", "password": "x"})
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": f"csrftoken={CSRF_TOKEN}"}
    guesses = islice(cycle(servers), NAME_AT_ADDRESS_LIMIT.most + 1)
    answers = [site.request("POST", "/login/", body, **headers)[0] for site in guesses]
    assert [422] * NAME_AT_ADDRESS_LIMIT.most + [429] == answers


def test_what_one_wrote_the_other_shows_with_its_next_poll(seats, servers):
    writer, there = next(seats), servers[1]
    watcher = Phone(there, writer.session, writer.games)
    for _round in range(5):
        (live,) = LIVE.findall(watcher.get(f"/g/{writer.game}/")[1])
        assert 302 == writer.record()[0]
        status, page = watcher.get(live)
        assert (200, str(1 + len(writer.acknowledged))) == (status, AFTER.findall(page)[0])


def test_thirty_people_write_at_one_table_through_both_and_each_round_stands_once(seats, servers):
    phone = next(seats)
    keys = [f"writer-{number}" for number in range(WRITERS)]

    def write(number: int) -> None:
        """Record one round, retrying while the site answers that it is stale or busy."""
        writer_phone = Phone(servers[number % SERVERS], phone.session, phone.games)
        hands = {"hand-beto": 0, "hand-caro": 0, "hand-dani": 0}
        status = 0
        while status != 302:
            (after,) = AFTER.findall(writer_phone.get(f"/g/{phone.game}/")[1])
            answer = writer_phone.post(
                f"/g/{phone.game}/round/", after=after, key=keys[number], closer="ana", closing="out", **hands
            )
            status = answer[0]
            assert status in (302, 409, 503), answer

    with ThreadPoolExecutor(WRITERS) as people:
        list(people.map(write, range(WRITERS)))
    key_counts = servers[0].count_keys()
    assert {1} == {key_counts.get(key, 0) for key in keys}
    assert "Everything adds up." in servers[1].manage("check_books").stdout


def test_a_night_is_played_across_them_while_one_is_killed(balanced_site, seats, servers):
    phone = next(seats)
    phone.site = balanced_site
    with record_in_background([phone], pause=0.05) as odd:
        for rounds in (ROUNDS // 2, ROUNDS):
            while len(phone.acknowledged) < rounds and not odd:
                time.sleep(0.01)
            if rounds < ROUNDS:
                servers[0].kill()
    key_counts = balanced_site.count_keys()
    assert [] == odd
    assert {1} == {key_counts[key] for key in phone.acknowledged}
    assert "Everything adds up." in balanced_site.manage("check_books").stdout
