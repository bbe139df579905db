"""The guide on `/api/`: its curl commands and Python programs work against a running server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client as Browser

from games.api.common.guide import STEPS, settings_in_python
from games.models import Role
from games.people.tokens import LIVES, make_token
from tests.reader import read_page

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def token(table, owner):
    """Return the secret of a scorer's token for the table."""
    return make_token(owner, "guía", Role.SCORER, lasts=LIVES["day"], table=table)[1]


def run_python(settings, *programs):
    """Return what these programs print, run one after the other beside the client."""
    program = "\n".join((settings, *programs))
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=DOCS, capture_output=True, text=True, timeout=60
    )
    assert (0, "") == (ended.returncode, ended.stderr)
    return ended.stdout.splitlines()


def test_the_guides_python_programs_print_the_expected_results(live_server, table, token):
    settings = settings_in_python(live_server.url, token, table.code)
    me, started, ana, beto, late, paid, *changes = run_python(settings, *(step.python for step in STEPS))
    game = table.games.get()

    assert [f"{table.code} scorer", f"{game.code} 1"] == [me, started]
    assert ["Ana 0", "Beto 23"] == [ana, beto]
    assert late.endswith(" 2")
    assert "round_played" in late
    assert "beto ana 100" == paid
    *feed, followed = changes
    assert [f"{change.number} {change.what}" for change in table.changes.order_by("number")] == feed
    assert feed[0] == followed
    assert ["GameStarted", "RoundPlayed", "RoundPlayed", "Struck", "GameStopped"] == [
        type(event).__name__ for event in game.log()
    ]


def test_the_guides_curl_commands_get_the_expected_statuses(live_server, table, token):
    held = {"SITE": live_server.url, "TOKEN": token, "TABLE": table.code}
    statuses, answers = [], []
    for step in STEPS:
        printed = subprocess.run(
            ["sh", "-c", f"{step.curl} -s --max-time 20 -w '\n%{{http_code}}'"],
            capture_output=True,
            env={**os.environ, **held},
            text=True,
            timeout=60,
        )
        answer, _line, status = printed.stdout.rpartition("\n")
        statuses.append(int(status))
        answers.append(answer)
        if step.id == "step-start":
            held["GAME"] = json.loads(answer)["code"]

    assert [200, 201, 200, 409, *[200] * 6] == statuses
    assert [table.code] == [row["code"] for row in json.loads(answers[0])["tables"]]
    assert [{"from": "beto", "to": "ana", "amount": 100}] == json.loads(answers[7])["transfers"]
    assert 2 == json.loads(answers[3])["after"]
    newest = table.changes.count()
    *stream, heartbeat = [json.loads(line) for line in answers[-1].splitlines()]
    assert [*range(1, newest + 1)] == [change["number"] for change in stream]
    assert newest == heartbeat["seen"]


def test_the_guide_shows_each_step_as_curl_and_python_with_the_sites_address():
    response = Browser(headers={"accept-language": "en"}).get("/api/", headers={"host": "localhost"})
    guide = read_page(response).only("div", id="guide")
    codes = [" ".join(node.text.split()) for node in guide.every("code")]

    assert "SITE=http://localhost" in codes[0]
    shown = [" ".join(code.split()) for step in STEPS for code in (step.curl, step.python)]
    assert shown == codes[2:]


def test_the_links_of_the_table_of_contents_lead_to_anchors_on_the_page():
    page = read_page(Browser().get("/api/"))
    ids = {node.attrs["id"] for node in page.every() if "id" in node.attrs}
    leads = [node.attrs["href"] for node in page.only("ul", class_="contents").every("a")]

    assert [f"#{step.id}" for step in STEPS] == [lead for lead in leads if lead.startswith("#step-")]
    assert set() == {lead.removeprefix("#") for lead in leads} - ids


def test_the_served_client_equals_the_file_in_the_repository():
    response = Browser().get("/api/client.py")

    assert (DOCS / "client.py").read_bytes() == response.getvalue()
