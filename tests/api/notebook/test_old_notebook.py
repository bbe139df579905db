"""Import of an old notebook through the API: previewed, imported once, and undone."""

from __future__ import annotations

import pytest

from games.money.balances import balances_of
from games.notebook.old_nights import LONGEST
from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

LOOK = "tables/{code}/old-notebook/preview/"
TEXT = "fecha;Ana;Beto;Raúl\n5/3/2024;300;-100;-200\n12/3/2024;-50;50;\n"
SENT = {"text": TEXT, "figures": "money", "variant": "loba_menos"}


@pytest.fixture
def where(table):
    return f"tables/{table.code}/old-notebook/"


def test_a_notebook_is_previewed_imported_once_and_removed_again(owning, where, table):
    before = balances_of(table)
    read = owning.post(f"{where}preview/", SENT)
    nobody_owes = {**SENT, "seen": read.body["seen"], "paid": False}

    assert [] == wrong_in(read.body, LOOK, method="post")
    assert ([], [{"id": "raul", "name": "Raúl"}], 0) == (
        read.body["problems"],
        read.body["newcomers"],
        table.games.count(),
    )
    assert {
        "line": 2,
        "night": "2024-03-05",
        "variant": "loba_menos",
        "players": [
            {"id": "ana", "place": 1, "total": None, "net": 300},
            {"id": "beto", "place": 2, "total": None, "net": -100},
            {"id": "raul", "place": 3, "total": None, "net": -200},
        ],
    } == read.body["games"][0]

    taken = owning.write(where, nobody_owes, key="k")

    assert (201, {"games": 2}) == (taken.status, taken.body)
    assert taken.body == owning.write(where, nobody_owes, key="k").body
    assert 250 == balances_of(table)["ana"] - before["ana"]
    assert (409, "stale") == owning.write(where, nobody_owes, key="other").problem[:2]
    assert [2, 3] == owning.post(f"{where}preview/", SENT).body["known_lines"]
    assert [2, 0] == [owning.post(f"{where}take-back/", {"key": "k"}).body["games"] for _tap in range(2)]
    assert {**before, "raul": 0} == balances_of(table)


def test_an_invalid_line_is_reported_with_its_number(owning, where, table):
    wrong = {"text": TEXT + "13/13/2024;1;-1;\n", "figures": "money"}
    read = owning.post(f"{where}preview/", wrong)
    refused = owning.write(where, {**wrong, "seen": read.body["seen"]}, key="k")

    assert [4] == [problem["line"] for problem in read.body["problems"]]
    assert [] == wrong_in(read.body, LOOK, method="post")
    assert ((422, "unreadable"), {"field": "text", "line": 4}) == (refused.problem[:2], refused.place)
    assert not table.games.exists()


def test_a_new_name_like_a_members_is_refused_unless_it_is_another_persons(owning, where):
    alike = {**SENT, "text": TEXT.replace("Beto", "Béto")}
    seen = owning.post(f"{where}preview/", alike).body["seen"]
    refused = owning.write(where, {**alike, "seen": seen}, key="k")

    assert (422, "alike") == refused.problem[:2]
    assert 201 == owning.write(where, {**alike, "seen": seen, "apart": ["Béto"]}, key="k").status


def test_an_invalid_request_or_a_too_long_text_is_refused(subtests, owning, where):
    wrong = [
        ({}, 400, "text"),
        ({"text": " "}, 400, "text"),
        ({"text": 7}, 400, "text"),
        ({"text": "x" * (LONGEST + 1)}, 413, None),
        ({**SENT, "figures": "colours"}, 400, "figures"),
        ({**SENT, "variant": "poker"}, 400, "variant"),
    ]
    for sent, status, field in wrong:
        with subtests.test(status=status, field=field):
            answer = owning.post(f"{where}preview/", sent)

            assert (status, field) == (answer.problem[0], answer.body.get("field"))
