"""Tables through the API: made, listed and changed."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from games.models import Grant, Season, Table
from games.people.tables import open_table
from tests.tables import make_user, start

pytestmark = pytest.mark.django_db


def test_an_anonymous_client_that_makes_a_table_becomes_its_owner(program):
    answer = program.write("tables/", {"name": "Los jueves"}, key="k")

    assert (201, "owner", "en", "America/Argentina/Buenos_Aires") == (
        answer.status,
        *(answer.body[name] for name in ("role", "language", "timezone")),
    )
    assert (1, 1, 1) == (User.objects.count(), Grant.objects.count(), Season.objects.count())
    assert [answer.body["code"]] == [table["code"] for table in program.get("tables/").body["tables"]]


def test_making_a_table_over_https_requires_a_referer_of_the_site(program_of):
    program = program_of(enforce_csrf_checks=True)
    token = program.client.get("/api/", secure=True).cookies["csrftoken"].value
    sent, options = {"name": "Los jueves"}, {"secure": True}
    headers = {"idempotency-key": "k", "x-csrftoken": token}
    refused = program.post("tables/", sent, headers=headers, **options)
    made = program.post("tables/", sent, headers={**headers, "referer": "https://testserver/api/"}, **options)

    assert (403, 201) == (refused.status, made.status)
    assert "sessionid" in program.client.cookies


def test_a_new_table_has_the_requested_properties(ana):
    wanted = {
        "name": "Los martes 🃏",
        "unit": "fichas",
        "decimals": 2,
        "language": "es-ar",
        "timezone": "America/Santiago",
    }
    code = ana.write("tables/", wanted, key="k").body["code"]
    members = ana.get(f"tables/{code}/").body

    assert wanted.items() <= members.items()
    assert members["created_at"][-6:] in ("-03:00", "-04:00")


WRONG_SENT = [
    ({}, 400, "name"),
    ({"name": ""}, 422, "name"),
    ({"name": "W" * 10_000}, 400, "name"),
    ({"name": "a\x00b"}, 400, "name"),
    ({"name": "Mesa", "decimals": 4}, 400, "decimals"),
    ({"name": "Mesa", "language": "tlh"}, 422, "language"),
    ({"name": "Mesa", "timezone": "Mars/Olympus"}, 422, "timezone"),
    ({"name": "Mesa", "code": "zzzzzzzzzz2"}, 400, "code"),
]


def test_an_invalid_table_is_refused_and_makes_no_guest(subtests, program):
    for sent, status, field in WRONG_SENT:
        with subtests.test(sent=sent):
            answer = program.write("tables/", sent, key="k")

            assert (status, {"field": field}) == (answer.problem[0], answer.place)
            assert (0, 0) == (Table.objects.count(), User.objects.count())


def test_the_same_idempotency_key_of_two_users_makes_two_tables(db):
    place: dict[str, Any] = {"unit": "$", "decimals": 0, "language": "en", "timezone": "UTC", "key": "k"}
    ana, beto = make_user("ana"), make_user("beto")
    tables = [open_table(user, "Mesa", **place) for user in (ana, beto, ana)]

    assert tables[0] == tables[2] != tables[1]


def test_the_key_of_a_table_that_the_user_no_longer_owns_gets_409(ana):
    code = ana.write("tables/", {"name": "Mesa"}, key="k").body["code"]
    Grant.objects.filter(table__code=code).update(role="witness")

    assert (409, "key_reused") == ana.write("tables/", {"name": "Mesa"}, key="k").problem[:2]


def test_the_list_of_tables_takes_three_queries(ana, owner, django_assert_num_queries):
    for number in range(5):
        ana.write("tables/", {"name": f"Mesa {number}"}, key=str(number))
    with django_assert_num_queries(3):  # queries: session, user, tables
        assert 5 == len(ana.get("tables/").body["tables"])


def test_a_merged_member_is_listed_as_not_playing(ana, table):
    members = {member.slug: member for member in table.members.all()}
    members["caro"].merged_into = members["beto"]
    members["caro"].save()
    answer = ana.get(f"tables/{table.code}/").body["members"]

    assert [("ana", True, None), ("beto", True, None), ("caro", False, "beto"), ("dani", True, None)] == [
        (member["id"], member["plays"], member["merged_into"]) for member in answer
    ]


def test_only_an_owner_can_rename_a_table(ana, waldo, table):
    renamed = ana.patch(f"tables/{table.code}/", {"name": " Los martes "})

    assert (200, "Los martes", table.code) == (renamed.status, renamed.body["name"], renamed.body["code"])
    assert {"field": "name"} == ana.patch(f"tables/{table.code}/", {"name": "W" * 61}).place
    assert (403, "forbidden") == waldo.patch(f"tables/{table.code}/", {"name": "Mía"}).problem[:2]
    assert "Los martes" == ana.get(f"tables/{table.code}/").body["name"]


def test_only_an_owner_can_change_the_region_of_a_table(ana, waldo, table):
    where = f"tables/{table.code}/"
    assert "" == ana.get(where).body["region"]
    chosen = ana.patch(where, {"region": "es-ES"})
    assert (200, "es-ES", table.name) == (chosen.status, chosen.body["region"], chosen.body["name"])

    assert {"field": "name"} == ana.patch(where, {}).place
    assert {"field": "region"} == ana.patch(where, {"region": "xx-XX"}).place
    assert (403, "forbidden") == waldo.patch(where, {"region": "es-MX"}).problem[:2]
    assert "es-ES" == ana.get(where).body["region"]


def test_only_an_owner_can_change_the_smallest_coin_and_only_until_an_amount_is_recorded(
    ana, waldo, table, owner
):
    where = f"tables/{table.code}/"
    chosen = ana.patch(where, {"decimals": 2})
    assert (200, 2, table.name) == (chosen.status, chosen.body["decimals"], chosen.body["name"])
    assert (403, "forbidden") == waldo.patch(where, {"decimals": 0}).problem[:2]

    start(table, owner, stake=50)
    assert ((422, "refused"), {"field": "decimals"}) == (
        (refused := ana.patch(where, {"decimals": 0})).problem[:2],
        refused.place,
    )
    assert 2 == ana.get(where).body["decimals"]
