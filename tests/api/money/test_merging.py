"""Merging two members through the API after a preview, and undoing the merge."""

from __future__ import annotations

import pytest

from games.people.members import add_member
from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

MERGE, PART = "tables/{code}/members/{member}/merge/", "tables/{code}/members/{member}/part/"


@pytest.fixture
def where(table, play, pay):
    add_member(table, "Anita")
    play("ana", "beto")
    play("caro", "anita")
    return f"tables/{table.code}/members/anita"


def lines(debts):
    return [(debt["payer"], debt["payee"], debt["amount"]) for debt in debts]


def test_a_merge_is_previewed_done_once_and_undone(program_for, owner, where, table):
    program = program_for(owner)
    look = program.get(f"{where}/merge/?into=ana")

    assert [] == wrong_in(look.body, MERGE)
    assert ({"anita": -100, "ana": 100}, 0) == (look.body["before"], look.body["after"])
    assert [("beto", "ana", 100), ("anita", "caro", 100)] == lines(look.body["debts"])
    assert [("ana", "caro", 100), ("beto", "ana", 100)] == lines(look.body["debts_after"])
    sent = {name: look.body[name] for name in ("into", "seen")}
    for _time in range(2):
        done = program.post(f"{where}/merge/", sent)
        assert (200, "ana", []) == (
            done.status,
            done.body["merged_into"],
            wrong_in(done.body, MERGE, method="post"),
        )
    assert ["member_changed"] == [
        change["what"] for change in program.get(f"tables/{table.code}/changes/?since=0").body["changes"][-1:]
    ]
    undone = program.post(f"{where}/part/", {})
    assert (None, []) == (undone.body["merged_into"], wrong_in(undone.body, PART, method="post"))


def test_a_stale_or_impossible_merge_is_a_problem(program_for, owner, where, play):
    program = program_for(owner)
    seen = program.get(f"{where}/merge/?into=ana").body["seen"]
    play("ana", "caro")
    assert (409, "stale") == program.post(f"{where}/merge/", {"into": "ana", "seen": seen}).problem[:2]
    game = play("ana", "anita")
    look = program.get(f"{where}/merge/?into=ana").body
    assert ("Both played in the same game, so they are two people.", [game.code]) == (
        look["wrong"],
        look["played"],
    )
    refused = program.post(f"{where}/merge/", {"into": "ana", "seen": look["seen"]})
    assert (422, "refused", look["wrong"]) == refused.problem
    assert 404 == program.get(f"{where}/merge/?into=nobody").status
    assert (422, "refused") == program.get(f"{where}/merge/?into=anita").problem[:2]
