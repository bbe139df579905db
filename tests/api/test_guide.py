"""The guide, `docs/api.md`: its commands and its program, run as they stand against a server."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from games.models import Game
from games.scoring.text.notation import read_line
from games.tables.tokens import make_token

GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")

pytestmark = pytest.mark.django_db(transaction=True)


def blocks(language):
    """Return the blocks of the guide in this language."""
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, flags=re.DOTALL)


@pytest.fixture
def places(live_server, table, owner):
    """Return what the guide leaves open: the site, a token and the table."""
    secret = make_token(owner, "bot", table=table)[1]
    return {"SITE": live_server.url, "TOKEN": secret, "TABLE": table.code}


def curl(command, places):
    """Run a command of the guide and return its output."""
    ran = subprocess.run(
        ["sh", "-c", command], env={**places, "PATH": "/usr/bin:/bin"}, capture_output=True, check=True
    )
    return ran.stdout.decode()


def commands():
    """Return the commands in the order of the guide."""
    return [
        command for block in blocks("sh") for command in re.split(r"\n(?=curl)", block) if "curl" in command
    ]


def test_the_commands_start_a_game_record_a_round_and_follow_it(places, table):
    me, members, started, recorded, followed = [
        command[command.index("curl") :].replace("$SITE/", places["SITE"] + "/") for command in commands()
    ]
    assert [table.code] == [one["code"] for one in json.loads(curl(me, places))["tables"]]
    assert {"ana", "beto"} <= {one["id"] for one in json.loads(curl(members, places))}
    game = json.loads(curl(started, places))
    places["GAME"] = game["code"]
    state = json.loads(curl(recorded, places))

    assert (1, 2, 27) == (game["version"], state["version"], state["players"][1]["total"])
    assert "200 OK" in curl(followed, places).partition("\n")[0]


def test_every_line_of_the_table_is_notation():
    rows = [row.split("|")[1] for row in GUIDE.splitlines() if row.startswith("| `")]
    lines = [line for row in rows for line in re.findall("`([^`]+)`", row)]

    assert len(lines) > 9
    assert [] == [line for line in lines if not read_line(line)]


def test_the_program_records_a_round_once_however_often_it_runs_and_sees_when_nothing_is_new(places, capsys):
    (program,) = blocks("python")
    for _time in range(2):
        exec(compile(program, "api.md", "exec"), made := dict(places))

        assert "{'Ana': 0, 'Beto': 27}\n" == capsys.readouterr().out
        assert 2 == len(Game.objects.get().log())

    game, tag = made["ask"]("GET", f"games/{Game.objects.get().code}/")
    assert (2, (None, tag)) == (game["version"], made["ask"]("GET", f"games/{game['code']}/", seen=tag))
