"""Nights, dues and retired members through the API."""

from __future__ import annotations

import pytest

from tests.api.described import wrong_in
from tests.tables import the_night

pytestmark = pytest.mark.django_db

NIGHTS, DUES = "tables/{code}/nights/", "games/{code}/dues/"


@pytest.fixture
def members(table, finished):
    """The path of the members of a table at which Ana won 400; Beto owes 200 of it."""
    return f"tables/{table.code}/members/"


def test_a_night_is_described_and_listed_with_the_number_of_its_games(anas, table, play):
    old = play("ana", "beto", days=7)
    play("beto", "ana")
    where = f"tables/{table.code}/nights/"
    listed = anas.get(where).body
    night = listed["nights"][1]["night"]
    night_page = anas.get(f"{where}{night}/")

    assert ([], []) == (wrong_in(listed, NIGHTS), wrong_in(night_page.body, f"{NIGHTS}{{night}}/"))
    assert ([{"night": the_night(table).isoformat(), "games": 1}, {"night": night, "games": 1}], None) == (
        listed["nights"],
        listed["next"],
    )
    assert ([old.code], {"ana": 100, "beto": -100}) == (
        night_page.body["games"],
        {guest["member"]: guest["net"] for guest in night_page.body["there"]},
    )
    assert {"members": ["beto"], "game": old.code, "net": -100} == night_page.body["worst"]
    assert [404, 404] == [anas.get(f"{where}{day}/").status for day in ("2001-01-01", "soon")]


def test_the_list_of_nights_is_paginated(anas, table, play):
    for days in (9, 6, 3):
        play("ana", "beto", days=days)
    where = f"tables/{table.code}/nights/"
    first = anas.get(where, data={"limit": 2}).body
    rest = anas.get(where, data={"limit": 2, "before": first["next"]}).body

    assert ([2, 1], None) == ([len(page["nights"]) for page in (first, rest)], rest["next"])
    assert (400, "bad_request") == anas.get(where, data={"before": "soon"}).problem[:2]


def test_the_dues_of_a_game_are_ticked_one_by_one_and_then_all_together(anas, finished):
    path, after = f"games/{finished.code}/dues/", finished.records.count()
    line = {"after": after, "payer": "beto", "payee": "ana", "amount": 200}
    ticked, again = (anas.write(path, line, key="one") for _time in range(2))
    anew, early = anas.write(path, line, key="two"), anas.write(path, {"after": 1}, key="early")
    half = anas.write(path, {"after": after, "payer": "beto"}, key="half")
    rest = anas.write(path, {"after": after}, key="rest").body["payments"]

    assert [] == wrong_in(ticked.body, DUES, method="post", status=201)
    assert (201, ticked.body) == (again.status, again.body)
    assert [(409, "stale"), (409, "stale"), (400, "misshapen")] == [
        answer.problem[:2] for answer in (anew, early, half)
    ]
    assert {("caro", 100, finished.code), ("dani", 100, finished.code)} == {
        (one["payer"], one["amount"], one["game"]) for one in rest
    }


def test_members_change_only_their_own_payment_details_and_an_owner_all(anas, betos, members, table):
    own = betos.post(f"{members}beto/account/", {"account": "beto.mp"}, method="put")
    others = betos.post(f"{members}ana/account/", {"account": "beto.mp"}, method="put")
    owners = anas.post(f"{members}caro/account/", {"account": "caro.mp"}, method="put")
    accounts = betos.get(f"tables/{table.code}/accounts/").body["balances"]

    assert [] == wrong_in(own.body, "tables/{code}/members/{member}/account/", method="put")
    assert ((403, "forbidden"), 200) == (others.problem[:2], owners.status)
    assert ["", "beto.mp", "caro.mp", ""] == [one["account"] for one in accounts]


def test_an_owner_retires_a_member_with_a_write_off_and_brings_them_back(anas, members):
    retire = f"{members}beto/retire/"
    unseen = anas.write(retire, {}, key="unseen")
    gone, again = (anas.write(retire, {"written_off": -200}, key="gone") for _time in range(2))
    back = anas.post(f"{members}beto/bring-back/", {})

    assert (409, "stale") == unseen.problem[:2]
    assert ([], False) == (
        wrong_in(gone.body, "tables/{code}/members/{member}/retire/", method="post"),
        gone.body["plays"],
    )
    assert (gone.body, True) == (again.body, back.body["plays"])
    assert 404 == anas.post(f"{members}nobody/bring-back/", {}).status


def test_a_member_without_a_balance_retires_without_a_write_off(anas, table):
    retired = anas.write(f"tables/{table.code}/members/beto/retire/", {}, key="even")

    assert (200, False) == (retired.status, retired.body["plays"])
