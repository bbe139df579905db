"""Open streams on the server: no thread is held, one query serves all, and each ends with its rights."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import OperationalError, connections
from django.test import Client
from django.utils.timezone import now
from granian._granian import RSGIProtocolClosed

from games.models import Grant, Method, Role
from games.money import payments
from games.people.erasing import erase
from games.people.removals import put_out
from games.people.tokens import make_token, revoke_token
from games.play import recording as services
from games.streams import positions_of
from scorekeeper import rsgi, streams
from tests.loops import run_apart
from tests.tables import a_key, a_round, let_in_as, make_user
from tests.test_rsgi import HeadersOf

pytestmark = pytest.mark.django_db(transaction=True)

WITHIN = 10  # seconds


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    monkeypatch.setattr(streams, "INTERVAL", 0.02)


class Follower:
    """The connection of a program that follows a table, and what it has heard."""

    def __init__(self):
        self.status, self.parts = 0, []
        self.received: dict[str, str] = {}
        self.is_gone = asyncio.Event()

    async def __aiter__(self):
        yield b""

    def response_bytes(self, status, headers, body):
        self.status, self.received = status, dict(headers)
        self.parts.append(body)

    def response_stream(self, status, headers):
        self.status, self.received = status, dict(headers)
        return self

    async def send_bytes(self, data):
        if self.is_gone.is_set():
            raise RSGIProtocolClosed
        self.parts.append(data)

    async def client_disconnect(self):
        await self.is_gone.wait()

    @property
    def lines(self):
        return [json.loads(line) for line in b"".join(self.parts).decode().splitlines()]

    @property
    def kinds(self):
        """The kinds of the changes that it has heard."""
        return [line["what"] for line in self.lines if "number" in line]


class Evening:
    """A server with one thread, the streams that are open there, and what happens at the table meanwhile."""

    def __init__(self, table):
        self.server = rsgi.Server(WSGIHandler(), threads=1)
        self.address = f"/api/v1/tables/{table.code}/changes/stream/"
        self.tasks = []

    async def follow(self, secret, *, query="", method="GET", address="192.0.2.7", **headers):
        """Open a stream and return its follower once the first part, or the refusal, has come."""
        follower = Follower()
        self.tasks.append(
            asyncio.create_task(
                self.server.__rsgi__(self._scope(secret, query, method, address, headers), follower)
            )
        )
        await until(lambda: follower.parts)
        return follower

    async def happen(self, act, *arguments):
        """Let something happen in the database, in the thread that also answers pages."""
        await asyncio.get_running_loop().run_in_executor(self.server.threads, act, *arguments)

    async def over(self):
        """Wait until all streams have ended."""
        await asyncio.wait_for(asyncio.gather(*self.tasks), WITHIN)

    def _scope(self, secret, query, method, address, headers):
        given = {"host": "localhost", "authorization": f"Bearer {secret}", **headers}
        return SimpleNamespace(
            http_version="1.1",
            server="127.0.0.1:8000",
            client=f"{address}:40000",
            scheme="http",
            method=method,
            path=self.address,
            query_string=query,
            headers=HeadersOf([pair for pair in given.items() if pair[1]]),
        )


async def until(is_so):
    """Wait until it is so."""
    async with asyncio.timeout(WITHIN):
        while not is_so():
            await asyncio.sleep(0.005)


@pytest.fixture
def spend(table):
    """`spend(story)` runs the coroutine of an evening; all connections to the database are closed after it."""

    def run(story):
        async def evening():
            held = Evening(table)
            try:
                await story(held)
            finally:
                for follower in held.tasks:
                    follower.cancel()
                await asyncio.gather(*held.tasks, return_exceptions=True)
                for threads in (held.server.threads, held.server.streams.thread):
                    threads.submit(connections.close_all).result()
                held.server.__rsgi_del__(asyncio.get_running_loop())

        run_apart(evening())

    return run


@pytest.fixture
def zoe(table):
    """A scorer of the table."""
    zoe = make_user("zoe")
    let_in_as(zoe, table, Role.SCORER)
    return zoe


@pytest.fixture
def key(zoe):
    """A token of the scorer, and its secret."""
    return make_token(zoe, "screen", Role.SCORER, lasts=timedelta(days=1))


@pytest.fixture
def play_on(game, owner):
    """`play_on()` records one more round."""

    def one():
        after = game.records.count()
        services.record(game, a_round("ana", beto=1, caro=1, dani=1), after=after, key=a_key(), by=owner)

    return one


def test_news_arrive_and_no_thread_is_held(spend, key, play_on, monkeypatch):
    """Ten streams are open at a server with one thread, which records and answers meanwhile."""
    queries = []

    def counted(tables):
        queries.append(tables)
        return positions_of(tables)

    monkeypatch.setattr(streams, "positions_of", counted)

    async def story(evening):
        followers = [await evening.follow(key[1]) for _program in range(10)]
        for _round in range(3):
            await evening.happen(play_on)
            done = len(followers[0].kinds) + 1
            await until(lambda: all(len(follower.kinds) == done for follower in followers))  # noqa: B023

        assert [["event_recorded"] * 3] * 10 == [follower.kinds for follower in followers]
        assert {1} == {len(tables) for tables in queries}  # one query for all, about one table

    spend(story)


def test_its_headers_announce_no_length_and_its_parts_are_those_of_one_request(spend, key, play_on):
    async def story(evening):
        follower = await evening.follow(key[1], query="since=4", accept="text/event-stream")
        await evening.happen(play_on)
        await until(lambda: len(follower.parts) == 2)

        assert (200, "text/event-stream") == (follower.status, follower.received["content-type"])
        assert "content-length" not in follower.received
        assert follower.parts[0].startswith(b"retry: 5000\n\nid: 5\ndata: ")
        assert follower.parts[1].startswith(b"id: 6\ndata: ")

    spend(story)


def test_a_follower_far_behind_gets_page_after_page_at_once(spend, key, play_on, monkeypatch):
    monkeypatch.setattr("games.changes.PAGE", 2)

    async def story(evening):
        follower = await evening.follow(key[1], query="since=0")
        await until(lambda: follower.lines[-1].get("seen") == 5)

        assert [1, 2, 3, 4, 5] == [line["number"] for line in follower.lines if "number" in line]
        assert [2, 4, 5] == [line["seen"] for line in follower.lines if "seen" in line]

    spend(story)


def test_a_silent_table_sends_heartbeats(spend, key, game, monkeypatch):
    monkeypatch.setattr(streams, "HEARTBEAT", 0.05)

    async def story(evening):
        follower = await evening.follow(key[1])
        await until(lambda: len(follower.parts) >= 3)

        assert {"seen": 5, "newest": 5, "accounts": True} == follower.lines[-1]

    spend(story)


# --- its end ----------------------------------------------------------------------------------------------------------


def put_out_zoe(_table, owner, zoe, _key):
    put_out(Grant.objects.get(user=zoe), by=owner)


def erase_table(table, owner, _zoe, _key):
    erase(table, name=table.name, by=owner)


def revoke(_table, _owner, _zoe, key):
    revoke_token(key[0])


def let_token_expire(_table, _owner, _zoe, key):
    type(key[0]).objects.filter(pk=key[0].pk).update(expires_at=now())


def let_grant_expire(_table, _owner, zoe, _key):
    Grant.objects.filter(user=zoe).update(expires_at=now())


@pytest.mark.parametrize("end", [put_out_zoe, erase_table])
def test_it_ends_at_once_when_access_or_table_ends(spend, key, table, owner, zoe, game, end):
    async def story(evening):
        follower = await evening.follow(key[1])
        await evening.happen(end, table, owner, zoe, key)
        await evening.over()

        assert [] == follower.kinds

    spend(story)


@pytest.mark.parametrize("end", [put_out_zoe, revoke, let_token_expire, let_grant_expire])
def test_it_ends_with_the_next_change_and_does_not_send_it(spend, key, table, owner, zoe, play_on, end):
    async def story(evening):
        follower = await evening.follow(key[1])
        await evening.happen(play_on)
        await until(lambda: follower.kinds)
        await evening.happen(end, table, owner, zoe, key)
        await evening.happen(play_on)
        await evening.over()

        assert ["event_recorded"] == follower.kinds

    spend(story)


@pytest.mark.parametrize("end", [revoke, let_token_expire, let_grant_expire])
def test_without_a_change_it_ends_within_a_minute(spend, key, table, owner, zoe, game, end, monkeypatch):
    for pause in ("HEARTBEAT", "RECHECK"):
        monkeypatch.setattr(streams, pause, 0.05)

    async def story(evening):
        await evening.follow(key[1])
        await evening.happen(end, table, owner, zoe, key)
        await evening.over()

        assert evening.tasks[0].done()

    spend(story)


def test_a_session_that_is_signed_out_ends_its_stream(spend, zoe, play_on):
    client = Client()
    client.force_login(zoe)
    cookie = f"sessionid={client.cookies['sessionid'].value}"

    async def story(evening):
        follower = await evening.follow("", authorization="", cookie=cookie)
        await evening.happen(play_on)
        await until(lambda: follower.kinds)
        await evening.happen(client.logout)
        await evening.happen(play_on)
        await evening.over()

        assert ["event_recorded"] == follower.kinds

    spend(story)


def test_a_scorer_who_only_watches_from_now_on_hears_of_no_payment(
    spend, key, table, owner, zoe, who, play_on
):
    def pay():
        payments.pay(table, who["beto"], who["ana"], 60, method=Method.CASH, key=a_key(), by=owner)

    def lower():
        Grant.objects.filter(user=zoe).update(role=Role.WITNESS)

    async def story(evening):
        follower = await evening.follow(key[1])
        await evening.happen(pay)
        await until(lambda: follower.kinds)
        await evening.happen(lower)
        await evening.happen(pay)
        await evening.happen(play_on)
        await until(lambda: len(follower.kinds) == 2)

        assert ["payment_recorded", "event_recorded"] == follower.kinds
        assert not follower.lines[-1]["accounts"]

    spend(story)


def test_one_that_has_sent_much_ends_so_that_nobody_fills_the_memory(spend, key, play_on, monkeypatch):
    monkeypatch.setattr(streams, "MOST", 1000)

    async def story(evening):
        follower = await evening.follow(key[1])
        while not evening.tasks[0].done():
            before = len(follower.kinds)
            await evening.happen(play_on)
            await until(lambda: len(follower.kinds) > before or evening.tasks[0].done())  # noqa: B023

        assert 1000 <= len(b"".join(follower.parts)) < 2000

    spend(story)


def test_a_client_that_hangs_up_leaves_its_place_to_another(spend, key, game):
    async def story(evening):
        first, *_others = [await evening.follow(key[1]) for _program in range(10)]
        refused = await evening.follow(key[1])
        first.is_gone.set()
        await until(lambda: evening.tasks[0].done())
        another = await evening.follow(key[1])

        assert (429, 200) == (refused.status, another.status)

    spend(story)


def test_when_the_server_stops_all_end(spend, key, game):
    async def story(evening):
        for _program in range(3):
            await evening.follow(key[1])
        evening.server.streams.end()
        await evening.over()

        assert [True] * 3 == [task.done() for task in evening.tasks]

    spend(story)


def test_a_database_away_for_a_moment_ends_none(spend, key, play_on, monkeypatch):
    faults = [OperationalError("the database is away")] * 3

    def sometimes(tables):
        if faults:
            raise faults.pop()
        return positions_of(tables)

    monkeypatch.setattr(streams, "positions_of", sometimes)

    async def story(evening):
        follower = await evening.follow(key[1])
        await until(lambda: not faults)
        await evening.happen(play_on)
        await until(lambda: follower.kinds)

        assert ["event_recorded"] == follower.kinds

    spend(story)


def test_who_asks_for_the_headers_alone_opens_none(spend, key, game):
    async def story(evening):
        follower = await evening.follow(key[1], method="HEAD")

        assert (200, [b""]) == (follower.status, follower.parts)

    spend(story)
