"""A program merges two members, as its preview showed, and parts them again."""

from __future__ import annotations

import pytest

from games.models import Grant, Role
from games.people.members import add_member
from tests.api.described import wrong_in
from tests.tables import make_user

pytestmark = pytest.mark.django_db

MERGE, PART = "tables/{code}/members/{member}/merge/", "tables/{code}/members/{member}/part/"


@pytest.fixture
def where(table, play, pay):
    add_member(table, "Anita")
    play("ana", "beto")
    play("caro", "anita")
    return f"tables/{table.code}/members/anita"


def test_it_is_looked_at_done_and_undone(program_for, owner, where, table):
    program = program_for(owner)
    look = program.get(f"{where}/merge/?into=ana")

    assert [] == wrong_in(look.body, MERGE)
    assert [("anita", 1, -100), ("ana", 1, 100)] == [tuple(one.values()) for one in look.body["before"]]
    assert {"member": "ana", "games": 2, "balance": 0} == look.body["after"]
    assert [{"payer": "beto", "payee": "caro", "amount": 100}] == look.body["plan_after"]
    sent = {"into": "ana", "seen": look.body["seen"]}
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


def test_what_is_stale_or_cannot_be_is_a_problem(program_for, owner, where, play):
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


def test_only_owners_do_it(program_for, table, where):
    for role in (Role.SCORER, Role.WITNESS):
        user = make_user(role)
        Grant.objects.create(user=user, table=table, role=role)
        program = program_for(user)
        for answer in (
            program.get(f"{where}/merge/?into=ana"),
            program.post(f"{where}/merge/", {"into": "ana", "seen": ""}),
            program.post(f"{where}/part/", {}),
        ):
            assert (403, "forbidden") == answer.problem[:2]
