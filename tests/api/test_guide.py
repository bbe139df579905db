"""The guide, `docs/api.md`, and `docs/examples/`: commands and programs, run as they are against a server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.utils.timezone import now

from games.common import days
from games.models import Game
from games.play.services import recording
from games.scoring import GameStarted, Player
from games.scoring.text.notation import parse_line
from games.tables.services import tokens
from tests.factories import build_round, new_key, start, winning_round

DOCS = Path(__file__).parents[2] / "docs"
GUIDE, EXAMPLES = (DOCS / "api.md").read_text(encoding="utf-8"), DOCS / "examples"

pytestmark = pytest.mark.django_db(transaction=True)


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, flags=re.DOTALL)


@pytest.fixture
def places(live_server, table, owner):
    """The values that the guide leaves open: the site, a token and the table."""
    secret = tokens.create(owner, "bot", table=table)[1]
    return {"SITE": live_server.url, "TOKEN": secret, "TABLE": table.code}


def curl(command, places):
    """Run a command of the guide and return its output."""
    ran = subprocess.run(
        ["sh", "-c", command], env={**places, "PATH": "/usr/bin:/bin"}, capture_output=True, check=True
    )
    return ran.stdout.decode()


def commands():
    return [
        command for block in blocks("sh") for command in re.split(r"\n(?=curl)", block) if "curl" in command
    ]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_commands_start_a_game_record_a_round_and_follow_the_table(places, table):
    me, members, started, recorded, followed = [
        command[command.index("curl") :].replace("$SITE/", places["SITE"] + "/") for command in commands()
    ]
    assert [table.code] == [item["code"] for item in json.loads(curl(me, places))["tables"]]
    assert {"ana", "beto"} <= {item["id"] for item in json.loads(curl(members, places))}
    game = json.loads(curl(started, places))
    places["GAME"] = game["code"]
    state = json.loads(curl(recorded, places))

    assert (1, 2, 27) == (game["version"], state["version"], state["players"][1]["total"])
    rows = json.loads(curl(followed, places))["results"]
    assert ["Empezó la partida", "Ana salió: Beto [K 7 ★]"] == [row["text"] for row in rows]


def test_every_line_of_the_table_is_notation():
    rows = [row.split("|")[1] for row in GUIDE.splitlines() if row.startswith("| `")]
    lines = [line for row in rows for line in re.findall("`([^`]+)`", row)]

    assert len(lines) > 9
    assert [] == [line for line in lines if not parse_line(line)]


def test_the_programs_of_the_guide_are_those_of_the_examples():
    programs = [(EXAMPLES / name).read_text(encoding="utf-8") for name in ("record.py", "follow.py")]

    assert programs == blocks("python")


def run(name, places):
    """Start a program of the examples as it is."""
    return subprocess.Popen(
        [sys.executable, EXAMPLES / name], env=places, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_the_program_that_records_records_a_round_once_however_often_it_runs(places):
    for _time in range(2):
        assert (b"{'Ana': 0, 'Beto': 27}\n", b"") == run("record.py", places).communicate()
        assert 2 == len(Game.objects.get().log())


@pytest.fixture
def target():
    """A server elsewhere that stores what is posted to it. It refuses the first post."""
    posts: list[str] = []

    class Target(BaseHTTPRequestHandler):
        def do_POST(self):
            posts.append(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["text"])
            self.send_response(200 if len(posts) > 1 else 503)
            self.send_header("Retry-After", "1")
            self.end_headers()

        def log_message(self, *_arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Target) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", posts
        server.shutdown()


@pytest.mark.slow
def test_the_program_that_follows_posts_what_happens_and_ends_with_its_token(places, table, owner, target):
    address, posts = target
    game = start(table, owner)
    stopped = run("follow.py", {**places, "TARGET": address, "AFTER": "0"})
    wait_until(lambda: posts)
    stopped.kill()
    assert b"" == stopped.communicate()[0]  # nothing has arrived: to begin anywhere later would lose it
    posts.clear()
    program = run("follow.py", {**places, "TARGET": address, "AFTER": "0"})
    wait_until(lambda: posts == ["The game started"] * 2)  # the first one was refused, and is sent again
    recording.record(game, winning_round("ana"), after=1, key=new_key(), by=owner)
    recording.undo(game, after=2, key=new_key(), by=owner)
    wait_until(lambda: len(posts) == 6)
    owner.tokens.revoke()
    _printed, error = program.communicate(timeout=30)

    round_played = "Ana went out: Beto 101, Caro 101, Dani 101"
    assert [round_played, f"Undone: {round_played}"] == posts[2::2]
    ended, reopened = posts[3::2]
    assert "Loba de Menos" == ended.split(":")[0]
    assert "Loba de Menos, reopened" == reopened.split(":")[0].rsplit(" ", 3)[0]  # and the day
    assert b"unauthenticated" in error


def test_the_program_of_a_night_posts_two_games_at_the_same_time_event_by_event(places, table, owner, target):
    address, posts = target
    seats = [[Player(name.lower(), name) for name in names] for names in (("Ana", "Beto"), ("Caro", "Dani"))]
    games = [
        recording.start_game(table, GameStarted("loba_menos", (), tuple(players)), key=new_key(), by=owner)
        for players in seats
    ]
    for number, (game, closer, other) in enumerate(
        ((games[0], "ana", "beto"), (games[1], "caro", "dani"), (games[0], "beto", "ana")), 1
    ):
        after = game.records.count()
        recording.record(
            game, build_round(closer, closing="out", **{other: number}), after=after, key=new_key(), by=owner
        )
    night = days.night_for(now(), table).isoformat()
    printed = run("night.py", {**places, "TARGET": address, "NIGHT": night}).communicate()

    assert (b"5 messages\n", b"") == printed
    assert [
        "Ana, Beto: The game started",
        "Caro, Dani: The game started",
        "Ana, Beto: Ana went out: Beto 1",
        "Caro, Dani: Caro went out: Dani 2",
        "Ana, Beto: Beto went out: Ana 3",
    ] == posts[1:]  # the first one was refused, and is sent again


def wait_until(is_so):
    """Wait for at most half a minute until it is so."""
    for _time in range(300):
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError("nothing came")
