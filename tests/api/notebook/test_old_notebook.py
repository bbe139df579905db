"""Import of an old notebook through the API: previewed, imported once, and undone."""

from __future__ import annotations

import pytest

from games.money.balances import balances_of
from games.notebook.old_nights import LONGEST
from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

LOOK, TAKE = "tables/{code}/old-notebook/preview/", "tables/{code}/old-notebook/"
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
        "note": "",
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


def test_a_preview_reports_wrong_totals_keeps_notes_and_asks_about_ambiguous_numbers(owning, where):
    noted = "fecha;Ana;Beto;nota\n5/3/2024;300;-300;llovió\nTotal;200;-300;\n"
    read = owning.post(f"{where}preview/", {"text": noted})
    unclear = owning.post(f"{where}preview/", {"text": noted.replace("-300", "-290")})

    assert [] == wrong_in(read.body, LOOK, method="post")
    assert ("llovió", []) == (read.body["games"][0]["note"], read.body["problems"])
    sentence = "The total of Ana says $ 200, but the rows above add up to $ 300."
    assert [(3, sentence)] == [
        (one["line"], one["text"].replace("\xa0", " ")) for one in read.body["differences"]
    ]
    question = "These numbers do not add up to zero: say whether they are points or money."
    assert [{"line": 2, "text": question}] == unclear.body["problems"]


def test_an_invalid_line_is_reported_with_its_number(owning, where, table):
    wrong = {"text": TEXT + "13/13/2024;1;-1;\n", "figures": "money"}
    read = owning.post(f"{where}preview/", wrong)
    refused = owning.write(where, {**wrong, "seen": read.body["seen"]}, key="k")

    assert [4] == [problem["line"] for problem in read.body["problems"]]
    assert [] == wrong_in(read.body, LOOK, method="post")
    assert ((422, "unreadable"), {"field": "text", "line": 4}) == (refused.problem[:2], refused.place)
    assert not table.games.exists()


def test_a_name_like_a_members_must_be_decided_before_the_import(owning, where, table):
    alike = {**SENT, "text": TEXT.replace("Beto", "Béto")}
    read = owning.post(f"{where}preview/", alike)
    refused = owning.write(where, {**alike, "seen": read.body["seen"]}, key="k")
    same = {**alike, "same": {"Béto": True}}
    seen = owning.post(f"{where}preview/", same).body["seen"]

    pair = {"name": "Béto", "other": "Beto", "same": None, "remembered": False}
    assert [pair] == read.body["alike"]
    assert ((422, "alike"), {"field": "same"}) == (refused.problem[:2], refused.place)
    assert 201 == owning.write(where, {**same, "seen": seen}, key="k").status
    pair = {**pair, "same": True, "remembered": True}
    assert [pair] == owning.post(f"{where}preview/", alike).body["alike"]


def test_a_nickname_can_be_assigned_to_a_member(owning, where):
    joined = {**SENT, "text": TEXT.replace("Beto", "El jefe"), "joined": {"El jefe": "Beto"}}
    read = owning.post(f"{where}preview/", joined).body

    assert {"beto"} <= {player["id"] for game in read["games"] for player in game["players"]}
    assert "El jefe" not in {one["name"] for one in read["newcomers"]}


def test_an_invalid_request_or_a_too_long_text_is_refused(subtests, owning, where):
    wrong = [
        ({}, 400, "text"),
        ({"text": " "}, 400, "text"),
        ({"text": 7}, 400, "text"),
        ({"text": "x" * (LONGEST + 1)}, 413, None),
        ({**SENT, "figures": "colours"}, 400, "figures"),
        ({**SENT, "variant": "poker"}, 400, "variant"),
        ({**SENT, "same": {"Ana": "yes"}}, 400, "same"),
        ({**SENT, "joined": {"Ana": True}}, 400, "joined"),
    ]
    for sent, status, field in wrong:
        with subtests.test(status=status, field=field):
            answer = owning.post(f"{where}preview/", sent)

            assert (status, field) == (answer.problem[0], answer.body.get("field"))
