"""The server killed while phones record or programs follow, and a backup made meanwhile: nothing is lost or doubled.

On the database of DATABASE_URL if one is set, in databases of the tests' own.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from itertools import count
from random import Random
from threading import Event, Thread

import pytest

from games.management.commands.serve import LAST_WORDS
from tests.outside import FULL_AFTER, PATIENCE, Site, recording

PHONES = 8
ROUNDS_A_KILL = 30  # at most: what eight phones record between two kills, on a quick machine
_numbers = count(1)

# Run in the project: a table with a game, and an API token of its owner.
FOLLOWED = """
import json, django
django.setup()
from datetime import timedelta
from games.models import Role
from games.people.tokens import make_token
from tests.tables import make_table, make_user, start
owner = make_user("ana")
table = make_table(owner)
game = start(table, owner, out_at=500)
_token, secret = make_token(owner, "screen", Role.OWNER, lasts=timedelta(days=1))
print(json.dumps({"table": table.code, "game": game.code, "secret": secret}))
"""

NEWEST = """
import json, sys, django
django.setup()
from games.models import Table
print(json.dumps(Table.objects.get(code=sys.argv[1]).newest_change))
"""


@pytest.fixture
def site(tmp_path, tmp_path_factory):
    """`site()` returns a new site that is not running; all are stopped after the test."""
    made: list[Site] = []

    def make() -> Site:
        folder = tmp_path / f"site-{len(made)}" / "data"
        folder.mkdir(parents=True, mode=0o700)
        made.append(Site(folder, tmp_path_factory.getbasetemp() / "static", _own_database()))
        return made[-1]

    yield make
    for each in made:
        each.stop()
        _drop(each.database)


def _own_database() -> str:
    """Return the URL of a new PostgreSQL database; "" for SQLite, which creates its file itself."""
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        return ""
    name = f"killed_{os.getpid()}_{next(_numbers)}"
    _tell(f"CREATE DATABASE {name}")
    return f"{server.rpartition('/')[0]}/{name}"


def _drop(address: str) -> None:
    if address:
        _tell(f"DROP DATABASE {address.rpartition('/')[2]} WITH (FORCE)")


def _tell(statement: str) -> None:
    import psycopg

    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(statement)


def kill_again_and_again(site: Site, kills: int) -> None:
    """Let phones record while the site is killed: every tenth time the whole server, else its workers."""
    chance = Random(20)
    site.start()
    phones = site.seats(PHONES, 1 + kills * ROUNDS_A_KILL // PHONES // FULL_AFTER)
    with recording(phones, pause=0.05) as odd:
        for number in range(kills):
            recorded = sum(len(phone.acknowledged) for phone in phones)
            while sum(len(phone.acknowledged) for phone in phones) < recorded + PHONES and not odd:
                site.start_again()  # the server ends if workers are killed while they start
                time.sleep(0.01)
            time.sleep(chance.random() / 4)
            if number % 10 == 9:
                site.kill()
            else:
                site.kill_workers()
            site.start_again()

    assert [] == odd
    kept = site.keys()
    acknowledged = [key for phone in phones for key in phone.acknowledged]
    sent = [key for phone in phones for key in phone.sent]
    print(f"{kills} kills, {len(acknowledged)} rounds acknowledged")
    assert acknowledged == sent
    assert {1} == {kept.get(key, 0) for key in acknowledged}
    assert "Everything adds up." in site.manage("check_books").stdout


@pytest.mark.parametrize(
    "kills", [pytest.param(10, marks=pytest.mark.long), pytest.param(1000, marks=pytest.mark.long)]
)
def test_kills_lose_no_round_and_double_none(site, kills):
    kill_again_and_again(site(), kills)


@pytest.mark.slow
def test_a_backup_made_while_eight_phones_record_holds_all_that_was_acknowledged_before(site):
    theirs, ours = site(), site()
    theirs.start()
    phones = theirs.seats(PHONES, 4)
    with recording(phones) as odd:
        while sum(len(phone.acknowledged) for phone in phones) < 10 * PHONES and not odd:
            time.sleep(0.01)
        before = [key for phone in phones for key in phone.acknowledged]
        made = theirs.manage("backup")
        after = [key for phone in phones for key in phone.acknowledged]
    assert ([], 0) == (odd, made.returncode), made.stderr
    assert len(before) < len(after)  # they recorded meanwhile

    (backup,) = (theirs.folder / "backups").glob("backup-*")
    restored = ours.manage("restore", str(backup))

    assert 0 == restored.returncode, restored.stderr
    kept = ours.keys()
    print(f"{len(before)} rounds before the copy, {len(after)} after it, {len(kept)} in it")
    assert {1} == {kept.get(key, 0) for key in before}
    assert set(kept) <= {*theirs.keys()}
    assert "Everything adds up." in ours.manage("check_books").stdout
    ours.start()
    phones[0].site = ours
    assert 200 == phones[0].get(f"/g/{phones[0].games[0]}/")[0]  # with the session of before
    assert "Mesa de los jueves" in phones[0].get("/")[1]


class Follower:
    """A program that follows a table by its stream, and whose connection is cut again and again."""

    def __init__(self, table: str, secret: str) -> None:
        self.address = f"/api/v1/tables/{table}/changes/stream/"
        self.headers = {"Authorization": f"Bearer {secret}"}
        self.numbers: list[int] = []

    def follow(self, site: Site, wanted: int, *, is_killed: bool = False) -> None:
        """Read so many bytes of the stream and cut it there; kill the server first if `is_killed`.

        A line that did not come whole is not read: the next stream has it again.
        """
        last = str(self.numbers[-1] if self.numbers else 0)
        connection, content = HTTPConnection("127.0.0.1", site.port, timeout=10), b""
        try:
            connection.request("GET", self.address, headers={**self.headers, "Last-Event-ID": last})
            answer = connection.getresponse()
            assert 200 == answer.status, answer.read()
            if is_killed:
                site.kill()
            while len(content) < wanted and (part := answer.read1(wanted - len(content))):
                content += part
        except (OSError, HTTPException):
            assert is_killed or site.server is None or site.server.poll() is not None or content
        finally:
            connection.close()
        lines = map(json.loads, content[: content.rfind(b"\n") + 1].splitlines())
        self.numbers += [line["number"] for line in lines if "number" in line]


def record_rounds(sites: list[Site], game: str, secret: str, is_over: Event) -> None:
    """Record rounds at these servers in turns until it is over."""
    for after in count(1):
        hands = [[player, "1"] for player in ("beto", "caro", "dani")]
        played = {"kind": "round_played", "data": {"closer": "ana", "closing": "out", "hands": hands}}
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        status, text = sites[after % len(sites)].request(
            "POST",
            f"/api/v1/games/{game}/events/",
            json.dumps({"after": after, "events": [played]}),
            **{**headers, "Idempotency-Key": f"round-{after}"},
        )
        assert 200 == status, text
        if is_over.wait(0.05) or after == 480:
            return


@pytest.mark.parametrize(
    "cuts", [pytest.param(40, marks=pytest.mark.long), pytest.param(200, marks=pytest.mark.long)]
)
def test_a_follower_cut_again_and_again_misses_nothing_and_hears_nothing_twice(site, cuts):
    """Three servers share a database; one of them is killed while the follower reads from it."""
    first, chance = site(), Random(28)
    sites = [first, *(Site(first.folder, first.static, first.database) for _other in range(2))]
    try:
        for each in sites:
            each.start()
        night = first.asked(FOLLOWED)
        follower, is_over = Follower(night["table"], night["secret"]), Event()
        recorder = Thread(target=record_rounds, args=(sites[1:], night["game"], night["secret"], is_over))
        recorder.start()
        for cut in range(cuts):
            is_killed = cut == cuts // 2
            server = first if is_killed else chance.choice(sites)
            follower.follow(server, chance.randint(1, 2500), is_killed=is_killed)
        is_over.set()
        recorder.join()
        newest = sites[1].asked(NEWEST, night["table"])
        while follower.numbers[-1] < newest:
            follower.follow(sites[1], 2500)
        follower.follow(sites[2], 2500)
    finally:
        for each in sites[1:]:
            each.stop()

    print(f"{cuts} cuts, {len(follower.numbers)} changes")
    assert list(range(1, newest + 1)) == follower.numbers
    assert newest > cuts // 2


@pytest.mark.slow
def test_a_server_stops_at_once_although_a_stream_is_open(site):
    """Its client gets the end of the response, not a broken one. Without it the server would wait LAST_WORDS."""
    served = site()
    served.start()
    night = served.asked(FOLLOWED)
    with closing(HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)) as connection:
        connection.request(
            "GET",
            f"/api/v1/tables/{night['table']}/changes/stream/",
            headers={"Authorization": f"Bearer {night['secret']}"},
        )
        with connection.getresponse() as answer:
            assert "newest" in json.loads(answer.readline())
            began = time.monotonic()
            served.stop()

            assert b"" == answer.read()
            assert time.monotonic() - began < LAST_WORDS / 2
