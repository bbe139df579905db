"""The members of a table through the API: listed for everybody with a grant, changed by owners."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Grant, Role
from games.money import holders
from tests.api.described import wrong_in
from tests.tables import make_user

pytestmark = pytest.mark.django_db

ALL, ONE = "tables/{code}/members/", "tables/{code}/members/{member}/"


@pytest.fixture
def asking(program_for, table, owner):
    """`asking("witness")` returns a client of somebody with this role; `asking()` one of the owner."""

    def one(role=Role.OWNER):
        if role is Role.OWNER:
            return program_for(owner)
        user = make_user(role)
        Grant.objects.create(user=user, table=table, role=role)
        return program_for(user)

    return one


@pytest.fixture
def where(table):
    return f"tables/{table.code}/members/"


def names(program, where):
    return [(member["id"], member["name"]) for member in program.get(where).body["members"]]


PEOPLE = [("ana", "Ana"), ("beto", "Beto"), ("caro", "Caro"), ("dani", "Dani")]


def test_everybody_with_a_grant_can_list_the_members(asking, where):
    for role in (Role.OWNER, Role.SCORER, Role.WITNESS):
        program = asking(role)

        assert [] == wrong_in(program.get(where).body, ALL)
        assert PEOPLE == names(program, where)


def test_the_list_of_members_has_no_payment_details_or_users(asking, where, who, owner, claims):
    holders.set_account(who["ana"], "ana.loba.mp")
    claims(owner, "ana")
    answer = asking().get(where)

    assert {"id", "name", "colour", "plays", "merged_into"} == set(answer.body["members"][0])
    assert "ana.loba.mp" not in str(answer.body)


def test_an_owner_adds_a_member_and_the_same_name_again_is_refused(asking, where):
    program = asking()
    added = program.post(where, {"name": " Zulema "})
    again = program.post(where, {"name": "Zulema"})

    assert (201, "zulema", "Zulema", 5) == (
        added.status,
        *(added.body[name] for name in ("id", "name", "colour")),
    )
    assert [] == wrong_in(added.body, ALL, method="post", status=201)
    assert (
        422,
        "refused",
        "This table already has a member called Zulema. Choose another name.",
    ) == again.problem
    assert [*PEOPLE, ("zulema", "Zulema")] == names(program, where)


def test_a_name_that_differs_only_by_accents_needs_a_confirmation(asking, where):
    program = asking()
    program.post(where, {"name": "José"})
    alike = program.post(where, {"name": "Jose"})
    meant = program.post(where, {"name": "Jose", "apart": "Jose"})

    assert ((422, "alike"), {"field": "name"}) == (alike.problem[:2], alike.place)
    assert (201, "jose_2") == (meant.status, meant.body["id"])


def test_a_patch_keeps_the_fields_that_are_not_sent(asking, where, table):
    program = asking()
    renamed = program.patch(f"{where}beto/", {"name": "Roberto"})
    coloured = program.patch(f"{where}beto/", {"colour": 7})

    assert ([], 200) == (wrong_in(renamed.body, ONE, method="patch"), renamed.status)
    assert ("beto", "Roberto", 7) == tuple(coloured.body[name] for name in ("id", "name", "colour"))
    assert coloured.body in program.get(where).body["members"]


WRONG: list[tuple[Any, int, str | None]] = [
    ({"colour": 9}, 400, "colour"),
    ({"colour": "2"}, 400, "colour"),
    ({"name": ""}, 422, "name"),
    ({"name": "x" * 21}, 400, "name"),
    ({"name": "Ana"}, 422, "name"),
    ({"name": "A\u202eB"}, 400, "name"),
    ({"name": None}, 400, "name"),
    ({"role": "owner"}, 400, "role"),
    ([], 400, None),
]


def test_an_invalid_change_is_refused_and_changes_no_name(subtests, asking, where):
    program = asking()
    for sent, status, field in WRONG:
        with subtests.test(sent=sent):
            answer = program.patch(f"{where}beto/", sent)

            assert (status, field) == (answer.problem[0], answer.place.get("field"))
    assert PEOPLE == names(program, where)


def test_changing_an_unknown_or_retired_member_is_a_404(asking, where, who, owner):
    holders.retire(who["dani"])
    program = asking()

    assert [404, 404] == [program.patch(f"{where}{one}/", {"colour": 1}).status for one in ("dani", "nobody")]
    assert [False] == [one["plays"] for one in program.get(where).body["members"] if one["id"] == "dani"]
