"""Nights through the API."""

from __future__ import annotations

import pytest

from tests.api.described import wrong_in
from tests.tables import the_night

pytestmark = pytest.mark.django_db

NIGHTS = "tables/{code}/nights/"


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
