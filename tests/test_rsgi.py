"""The adapter between Granian and Django: a request gets a thread only when it has arrived whole."""

from __future__ import annotations

import asyncio
import json
import threading
from ipaddress import ip_network
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import include, path
from granian._granian import RSGIProtocolClosed

from scorekeeper import bodies, rsgi
from scorekeeper.turns import Turns
from tests.loops import run_apart

FILE = b"." * (bodies.SMALL + 1)
WHOLE = 2 * len(FILE)

pytestmark = [
    pytest.mark.usefixtures("these_pages"),
    pytest.mark.django_db,  # each response closes old connections
]


def echo(request):
    headers = {name: value for name, value in request.META.items() if name.startswith(("HTTP_", "REMOTE_"))}
    return HttpResponse(json.dumps({"body": request.body.decode(), "path": request.path, **headers}))


def cookies(request):
    answer = StreamingHttpResponse(["one ", "two"])
    answer.set_cookie("a", "1")
    answer.set_cookie("b", "2")
    return answer


urlpatterns = [
    path("echo/", echo),
    path("ñ/", echo),
    path("cookies/", cookies),
    path("api/", include("games.api.urls")),
]


class HeadersOf:
    """Request headers in the form of the server: names in lower case, perhaps several with one name."""

    def __init__(self, pairs):
        self.pairs = pairs

    def __contains__(self, name):
        return name in dict(self.pairs)

    def get(self, name):
        return dict(self.pairs).get(name)

    def items(self):
        return self.pairs


class Wire:
    """A connection whose client sends the body whole, stops within it, sends it slowly, or hangs up."""

    def __init__(self, *parts, stops=False, drips=0, hangs_up=False):
        self.parts, self.stops, self.drips, self.hangs_up = parts, stops, drips, hangs_up
        self.heard: Any = None

    async def __aiter__(self):
        if self.hangs_up:
            raise RSGIProtocolClosed
        for part in self.parts:
            yield part
        if self.stops:
            await asyncio.Event().wait()
        for _drop in range(self.drips):
            await asyncio.sleep(0.02)
            yield b"."

    def response_bytes(self, status, headers, body):
        self.heard = (status, headers, body)

    @property
    def status(self):
        return self.heard[0]


def scope(address="/echo/", method="GET", headers=(), client="192.0.2.7"):
    return SimpleNamespace(
        http_version="1.1",
        server="127.0.0.1:8000",
        client=f"{client}:40000",
        scheme="http",
        method=method,
        path=address,
        query_string="",
        headers=HeadersOf([("host", "localhost"), *headers]),
    )


def posted(length, address="/echo/", client="192.0.2.7", **headers):
    given = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return scope(address, "POST", [("content-length", str(length)), *given], client)


def make_server():
    return rsgi.Server(WSGIHandler(), threads=1)


async def ask(request_scope, wire=None, server=None):
    wire = wire or Wire()
    await (server or make_server()).__rsgi__(request_scope, wire)
    return wire


def test_a_page_is_answered_as_django_answers_it(settings):
    settings.MIDDLEWARE = []
    status, headers, body = run_apart(ask(scope("/cookies/"))).heard

    assert (200, b"one two") == (status, body)
    assert ["a=1", "b=2"] == [text.partition(";")[0] for name, text in headers if name == "set-cookie"]


def test_only_the_headers_are_sent_to_who_asks_for_them_alone():
    status, headers, body = run_apart(ask(scope(method="HEAD"))).heard

    assert (200, b"") == (status, body)
    assert "x-request-id" in dict(headers)


def test_what_a_request_says_arrives(settings):
    settings.MIDDLEWARE = []
    sent = [
        ("x-forwarded-for", "192.0.2.1"),
        ("x-forwarded-for", "192.0.2.2"),
        ("x_forwarded_proto", "https"),
    ]
    answer = json.loads(run_apart(ask(scope("/ñ/", headers=sent))).heard[2])

    assert (
        {
            "body": "",
            "path": "/ñ/",
            "HTTP_HOST": "localhost",
            "HTTP_X_FORWARDED_FOR": "192.0.2.1,192.0.2.2",  # and the one that could be taken for a proxy's is not there
            "REMOTE_ADDR": "192.0.2.7",
        }
        == answer
    )


def test_a_body_that_is_there_is_read(settings):
    settings.MIDDLEWARE = []

    assert "abc" == json.loads(run_apart(ask(posted(3), Wire(b"abc"))).heard[2])["body"]


def test_half_sent_bodies_hold_nobody_up_and_are_let_go_in_time(monkeypatch, settings):
    """Sixteen phones stop in the middle of their bodies; the seventeenth gets its page, with one thread."""
    settings.MIDDLEWARE = []
    monkeypatch.setattr(bodies, "PATIENCE", 0.3)

    async def evening():
        server = make_server()
        halves = [asyncio.create_task(ask(posted(1000), Wire(stops=True), server)) for _phone in range(16)]
        await asyncio.sleep(0)
        page = await ask(scope(), server=server)
        unanswered = [half.done() for half in halves]
        return page.status, unanswered, [half.status for half in await asyncio.gather(*halves)]

    assert (200, [False] * 16, [408] * 16) == run_apart(evening())


def test_a_poll_without_news_does_not_wait_for_the_sheets_of_others(settings, monkeypatch):
    """The only thread renders a sheet: a poll with a valid ticket is answered, one without waits its turn."""
    settings.MIDDLEWARE = ["scorekeeper.middleware.TicketMiddleware"]
    monkeypatch.setattr("scorekeeper.middleware.is_valid", lambda ticket, *_asked: ticket == "good")
    monkeypatch.setattr("scorekeeper.middleware.is_unchanged", lambda _address: True)

    async def evening():
        server = make_server()
        working = threading.Event()
        server.threads.submit(working.wait)
        changed = asyncio.create_task(ask(scope(headers=[("x-ticket", "old")]), server=server))
        unchanged = await ask(scope(headers=[("x-ticket", "good")]), server=server)
        was_waiting = not changed.done()
        working.set()
        await changed
        return unchanged.status, was_waiting, changed.result().status

    assert (204, True, 200) == run_apart(evening())


def test_a_body_that_drips_is_let_go_and_one_that_keeps_coming_is_not(monkeypatch, settings):
    settings.MIDDLEWARE = []
    monkeypatch.setattr(bodies, "PATIENCE", 0.1)
    for slowest, status in ((1000, 408), (10, 200)):
        monkeypatch.setattr(bodies, "SLOWEST", slowest)

        assert status == run_apart(ask(posted(20), Wire(drips=20))).status


def test_announced_files_of_which_nothing_comes_keep_nobody_from_sending_one(settings):
    """Eight requests announce sixteen megabytes and send ten bytes; another phone still imports a table."""
    settings.MIDDLEWARE = []

    async def evening():
        server = make_server()
        files = [
            asyncio.create_task(ask(posted(16_000_000), Wire(b"0123456789", stops=True), server))
            for _file in range(8)
        ]
        await asyncio.sleep(0.01)
        whole = await ask(posted(len(FILE), client="192.0.2.8"), Wire(FILE), server)
        for file in files:
            file.cancel()
        return whole.status

    assert 200 == run_apart(evening())


@pytest.mark.parametrize("proxies", [(), (ip_network("192.0.2.0/24"),)])
def test_two_large_files_of_a_client_and_four_of_all_come_at_once_and_rounds_meanwhile(settings, proxies):
    """Behind a trusted proxy, the client is the one in the forwarded address."""
    settings.MIDDLEWARE, settings.TRUSTED_PROXIES = [], proxies

    def sent(number, length=WHOLE):
        if proxies:
            return posted(length, x_forwarded_for=f"198.51.100.{number}")
        return posted(length, client=f"192.0.2.{number}")

    async def evening():
        server = make_server()
        files = []
        for client in (1, 1, 1, 2, 2, 3):
            files.append(asyncio.create_task(ask(sent(client), Wire(FILE, stops=True), server)))
            await asyncio.sleep(0.01)
        statuses = [file.done() and file.result().status for file in files]
        a_round = await ask(sent(1, 3), Wire(b"abc"), server)
        for file in files:
            file.cancel()
        return statuses, a_round.status

    assert ([False, False, 503, False, False, 503], 200) == run_apart(evening())


def test_a_client_with_hundreds_of_requests_waits_behind_itself(settings):
    """The only thread is busy. Forty requests of one client arrive, then another client's, served second."""
    settings.MIDDLEWARE = []
    answered = []

    async def evening():
        server = make_server()
        working = threading.Event()
        server.threads.submit(working.wait)

        async def come(client):
            await ask(scope(client=client), server=server)
            answered.append(client)

        flood = [asyncio.create_task(come("192.0.2.1")) for _request in range(40)]
        await asyncio.sleep(0.01)
        other = asyncio.create_task(come("192.0.2.2"))
        await asyncio.sleep(0.01)
        working.set()
        await asyncio.gather(*flood, other)

    run_apart(evening())

    assert answered.index("192.0.2.2") <= 2
    assert 41 == len(answered)


def test_a_client_that_gives_up_its_turn_leaves_it_to_the_next(settings):
    async def evening():
        turns = Turns(1)

        async def hold(client):
            async with turns.turn(client):
                await asyncio.sleep(0.01)
                return client

        first = asyncio.create_task(hold("a"))
        await asyncio.sleep(0)
        second, third = (asyncio.create_task(hold(client)) for client in ("b", "c"))
        await asyncio.sleep(0)
        second.cancel()
        return await first, await third

    assert ("a", "c") == run_apart(evening())


@pytest.mark.parametrize(
    ("request_scope", "status"),
    [
        (posted(bodies.LARGEST + 1), 413),
        (scope(method="POST", headers=[("transfer-encoding", "chunked")]), 411),
    ],
    ids=["too large for any page", "of no known length"],
)
def test_a_body_that_is_not_taken_is_refused_before_it_is_heard(request_scope, status):
    wire = run_apart(ask(request_scope, Wire(stops=True)))

    assert (status, "close") == (wire.status, dict(wire.heard[1])["connection"])


def test_a_program_is_told_so_as_a_problem(monkeypatch):
    monkeypatch.setattr(bodies, "PATIENCE", 0.01)
    monkeypatch.setattr(bodies, "SLOWEST", 2**30)
    for length, problem in ((1000, (408, "too_slow")), (bodies.LARGEST + 1, (413, "too_large"))):
        request_scope = posted(
            length, "/api/v1/score/", content_type="application/json", accept_language="en"
        )
        status, headers, body = run_apart(ask(request_scope, Wire(stops=True))).heard

        assert problem == (status, json.loads(body)["code"])
        assert "application/problem+json" == dict(headers)["content-type"]


def test_whoever_hangs_up_is_answered_nothing():
    assert None is run_apart(ask(posted(1000), Wire(hangs_up=True))).heard
