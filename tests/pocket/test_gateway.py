"""The gateway of the engine on a phone, in a process of its own: pages as at the site, and posted forms."""

from __future__ import annotations

import json
import subprocess
import sys
from urllib.parse import urlencode

import pytest
from django.conf import settings

from games.pocket.copying import copy_for
from tests.pocket.books import MASKED
from tests.tables import make_user

pytestmark = pytest.mark.django_db

ENGINE = """
import json, shutil, sys
from pathlib import Path
from scorekeeper.pocket import gateway
folder, (copy, requests) = Path(sys.argv[1]), json.load(sys.stdin)
file = folder / "db.sqlite3"
shutil.copy(folder / "phone.sqlite3", file)
gateway.begin({}, str(folder))
gateway.hold(gateway.unpack(json.dumps(copy)))
def serve(method, path, body=""):
    headers = {"accept-language": "en-GB,en", "cookie": "csrftoken=of-the-site"}
    answer = gateway.serve(method, path, "", headers, "https://example.org", body)
    return answer and (answer[0], dict(answer[1]).get("Location", ""), answer[2].decode())
answers = [serve(*one) for one in requests]
unsent = gateway.unsent()
gateway.shut()
shutil.copy(folder / "phone.sqlite3", file)
gateway.hold(gateway.unpack(json.dumps(copy), json.dumps(json.loads(unsent)["facts"])))
again = [serve(*one) for one in requests if one[0] == "GET"]
print(json.dumps([answers, again, json.loads(unsent), json.loads(gateway.unsent())]))
"""


def engine_answers(empty, copy, *requests):
    """Return the engine's answers, the pages again after its books were rebuilt, and the unsent facts before and after."""
    ended = subprocess.run(
        [sys.executable, "-c", ENGINE, str(empty.parent)],
        input=json.dumps([copy, requests]),
        text=True,
        capture_output=True,
        cwd=settings.BASE_DIR,
        check=False,
    )
    assert 0 == ended.returncode, ended.stderr
    return json.loads(ended.stdout)


def a_form(after, **fields):
    hands = {"hand-beto": 4, "hand-caro": 5, "hand-dani": 6}
    return urlencode({"after": after, "key": "k1", "closer": "ana", "closing": "out", **hands, **fields})


@pytest.mark.real_clock
def test_a_recorded_round_is_marked_and_survives_a_rebuild_from_unsent_facts(running, over, owner, empty):
    sheet, other = f"/g/{running.code}/", f"/g/{over.code}/"
    (before, done, after, beside), again, unsent, then = engine_answers(
        empty,
        copy_for(owner),
        ("GET", sheet),
        ("POST", f"{sheet}round/", a_form(2)),
        ("GET", sheet),
        ("GET", other),
    )

    assert [302, f"{sheet}?done=3", ""] == done
    assert [0, 2, 0] == [html.count("onlyhere") for _status, _place, html in (before, after, beside)]
    assert [MASKED.sub("", after[2]), MASKED.sub("", beside[2])] == [
        MASKED.sub("", one[2]) for one in again[1:]
    ]
    assert 'name="csrfmiddlewaretoken" value="of-the-site"' in after[2]
    assert unsent == then
    assert [(2, "k1")] == [(fact["after"], fact["key"]) for fact in unsent["facts"]]
    assert {sheet, other, f"/t/{running.table.code}/"} == set(unsent["places"])


def test_requests_that_need_a_network_get_no_answer(running, owner, empty):
    sheet, table = f"/g/{running.code}/", f"/t/{running.table.code}/"
    answers, _again, unsent, _then = engine_answers(
        empty,
        copy_for(owner),
        ("POST", f"{sheet}round/", a_form(3)),  # the site had one round more on that page
        ("POST", "/g/nowhere/round/", a_form(2)),
        ("POST", f"{table}name/", "name=Otra"),
        ("GET", f"{table}invites/"),
        ("GET", "/login/"),
    )

    assert [None] * 5 == answers
    assert {"facts": [], "places": []} == unsent


def test_an_invalid_form_is_refused_like_at_the_site(running, owner, empty):
    sheet = f"/g/{running.code}/"
    answers, _again, unsent, _then = engine_answers(
        empty,
        copy_for(owner),
        ("POST", f"{sheet}round/", a_form(2, **{"hand-beto": ""})),
        ("POST", f"{sheet}round/", a_form(1)),
    )

    assert [422, 409] == [status for status, _place, _html in answers]
    assert [] == unsent["facts"]


@pytest.mark.real_clock
def test_a_table_is_opened_with_its_game_by_a_person_who_has_none_yet(empty):
    new = {
        **{"key": "k1", "shown": "loba_menos", "variant": "loba_menos", "option-stake": "500"},
        **{"new-1": "Ana", "new-2": "Beto", "table-name": "La cabaña", "unit": "$"},
        "timezone": "America/Santiago",
    }
    (form, (status, place, _html), home), again, unsent, then = engine_answers(
        empty,
        copy_for(make_user("ana-sin-mesa")),
        ("GET", "/new/"),
        ("POST", "/new/", urlencode(new)),
        ("GET", "/"),
    )
    table, *guests, start = unsent["facts"]

    assert 200 == form[0]
    assert (302, f"/g/{start['game']}/") == (status, place)
    assert 'class="placename"' in home[2]
    assert MASKED.sub("", home[2]) == MASKED.sub("", again[1][2])
    assert ["table", "guest", "guest", "start"] == [fact["kind"] for fact in unsent["facts"]]
    assert {"k1"} == {fact["key"] for fact in unsent["facts"]}
    assert ("La cabaña", "$", "America/Santiago", "en-GB") == (
        *(table["name"], table["unit"]),
        *(table["timezone"], table["region"]),
    )
    assert ["Ana", "Beto"] == [fact["name"] for fact in guests]
    assert unsent == then
    assert {f"/t/{table['table']}/", f"/g/{start['game']}/"} == set(unsent["places"])
