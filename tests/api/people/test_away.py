"""Leaving, erasing and restoring a table through the API."""

from __future__ import annotations

import pytest

from games.models import Grant, Role
from tests.api.described import wrong_in
from tests.tables import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def where(table):
    return f"tables/{table.code}/"


@pytest.fixture
def watching(program_for, table, waldo):
    return program_for(table.grants.get(role=Role.WITNESS).user)


def test_a_witness_who_leaves_loses_access_and_their_member(watching, where, who, claims, table):
    claims(table.grants.get(role=Role.WITNESS).user, "beto")
    ending = watching.get(f"{where}leave/")

    assert [] == wrong_in(ending.body, "tables/{code}/leave/")
    assert [("witness", True)] == [(grant["role"], grant["yours"]) for grant in ending.body["grants"]]
    assert {"left": table.code} == watching.post(f"{where}leave/", None).body
    assert (404, "not_found") == watching.post(f"{where}leave/", None).problem[:2]
    assert not table.members.filter(user__isnull=False).exists()


def test_the_only_owner_cannot_leave(owning, where, table, program_for):
    refused = owning.post(f"{where}leave/", {"also": []})
    olga = make_user("olga")
    Grant.objects.create(user=olga, table=table, role=Role.OWNER)

    assert (
        422,
        "refused",
        "A table always needs an owner. Invite another owner first.",
    ) == refused.problem
    assert 200 == owning.post(f"{where}leave/", {}).status
    assert 200 == program_for(olga).get(where).status


def test_an_owner_erases_a_table_by_its_name_and_restores_it(owning, watching, where, table):
    wrong = owning.post(f"{where}erase/", {"name": "Otra"})
    erased = owning.post(f"{where}erase/", {"name": table.name})

    assert {"field": "name"} == wrong.place
    assert [] == wrong_in(erased.body, "tables/{code}/erase/", method="post")
    assert erased.body == owning.post(f"{where}erase/", {"name": table.name}).body
    assert [404, 404] == [program.get(where).status for program in (owning, watching)]
    assert (404, "not_found") == watching.post(f"{where}bring-back/", None).problem[:2]
    assert {"erased_at": None, "gone_at": None} == owning.post(f"{where}bring-back/", None).body
    assert [200, 200] == [program.get(where).status for program in (owning, watching)]
