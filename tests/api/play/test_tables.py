"""Tables through the API: opened and read."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from games.models import Grant, Season, Table
from games.people.tables import open_table
from tests.tables import make_user

pytestmark = pytest.mark.django_db


def test_a_guest_opens_a_table_and_owns_it(program):
    answer = program.write("tables/", {"name": "Los jueves"}, key="k")

    assert (201, "owner", "en", "America/Argentina/Buenos_Aires") == (
        answer.status,
        *(answer.body[name] for name in ("role", "language", "timezone")),
    )
    assert (1, 1, 1) == (User.objects.count(), Grant.objects.count(), Season.objects.count())
    assert [answer.body["code"]] == [table["code"] for table in program.get("tables/").body["tables"]]


def test_a_stranger_without_the_token_against_forgery_opens_nothing(program_of):
    program = program_of(enforce_csrf_checks=True)

    assert (403, "forbidden") == program.write("tables/", {"name": "Los jueves"}, key="k").problem[:2]
    assert (0, 0) == (User.objects.count(), Table.objects.count())

    token = program.client.get("/api/").cookies["csrftoken"].value
    assert 201 == program.write("tables/", {"name": "Los jueves"}, key="k", **{"x-csrftoken": token}).status
    assert ["Los jueves"] == [table["name"] for table in program.get("tables/").body["tables"]]


def test_a_stranger_opens_a_table_over_https_with_the_address_of_the_site(program_of):
    program = program_of(enforce_csrf_checks=True)
    token = program.client.get("/api/", secure=True).cookies["csrftoken"].value
    sent, options = {"name": "Los jueves"}, {"secure": True}
    headers = {"idempotency-key": "k", "x-csrftoken": token}
    refused = program.post("tables/", sent, headers=headers, **options)
    made = program.post("tables/", sent, headers={**headers, "referer": "https://testserver/api/"}, **options)

    assert (403, 201) == (refused.status, made.status)
    assert "sessionid" in program.client.cookies


def test_a_table_has_what_it_was_opened_with(ana):
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
    ({"name": " "}, 422, "name"),
    ({"name": "W" * 61}, 422, "name"),
    ({"name": "W" * 10_000}, 400, "name"),
    ({"name": "a\u202eb"}, 400, "name"),
    ({"name": "a\x00b"}, 400, "name"),
    ({"name": "Mesa", "unit": ""}, 422, "unit"),
    ({"name": "Mesa", "decimals": 4}, 400, "decimals"),
    ({"name": "Mesa", "decimals": True}, 400, "decimals"),
    ({"name": "Mesa", "language": "tlh"}, 422, "language"),
    ({"name": "Mesa", "timezone": "Mars/Olympus"}, 422, "timezone"),
    ({"name": "Mesa", "timezone": "../../etc/passwd"}, 422, "timezone"),
    ({"name": "Mesa", "code": "zzzzzzzzzz2"}, 400, "code"),
]


def test_a_table_that_cannot_be_is_not_opened_and_makes_no_guest(subtests, program):
    for sent, status, field in WRONG_SENT:
        with subtests.test(sent=sent):
            answer = program.write("tables/", sent, key="k")

            assert (status, {"field": field}) == (answer.problem[0], answer.place)
            assert (0, 0) == (Table.objects.count(), User.objects.count())


def test_the_same_key_of_two_people_opens_two_tables(db):
    place: dict[str, Any] = {"unit": "$", "decimals": 0, "language": "en", "timezone": "UTC", "key": "k"}
    ana, beto = make_user("ana"), make_user("beto")
    tables = [open_table(user, "Mesa", **place) for user in (ana, beto, ana)]

    assert tables[0] == tables[2] != tables[1]


def test_a_table_opened_with_this_key_and_handed_away_since_is_not_opened_again(ana):
    code = ana.write("tables/", {"name": "Mesa"}, key="k").body["code"]
    Grant.objects.filter(table__code=code).update(role="witness")

    assert (409, "key_reused") == ana.write("tables/", {"name": "Mesa"}, key="k").problem[:2]


def test_the_list_takes_as_many_queries_for_many_tables_as_for_one(ana, owner, django_assert_num_queries):
    for number in range(5):
        ana.write("tables/", {"name": f"Mesa {number}"}, key=str(number))
    with django_assert_num_queries(3):  # queries: session, user, tables
        assert 5 == len(ana.get("tables/").body["tables"])


def test_members_who_play_no_more_are_told_from_the_others(ana, table):
    members = {member.slug: member for member in table.members.all()}
    members["caro"].merged_into = members["beto"]
    members["caro"].save()
    answer = ana.get(f"tables/{table.code}/").body["members"]

    assert [("ana", True, None), ("beto", True, None), ("caro", False, "beto"), ("dani", True, None)] == [
        (member["id"], member["plays"], member["merged_into"]) for member in answer
    ]


def test_an_owner_gives_a_table_another_name(ana, waldo, table):
    renamed = ana.patch(f"tables/{table.code}/", {"name": " Los martes "})

    assert (200, "Los martes", table.code) == (renamed.status, renamed.body["name"], renamed.body["code"])
    assert {"field": "name"} == ana.patch(f"tables/{table.code}/", {"name": "W" * 61}).place
    assert (403, "forbidden") == waldo.patch(f"tables/{table.code}/", {"name": "Mía"}).problem[:2]
    assert "Los martes" == ana.get(f"tables/{table.code}/").body["name"]


def test_an_owner_chooses_the_region_of_a_table_whose_sentences_then_follow_it(ana, waldo, table):
    where = f"tables/{table.code}/"
    assert "" == ana.get(where).body["region"]
    chosen = ana.patch(where, {"region": "es-ES"})
    assert (200, "es-ES", table.name) == (chosen.status, chosen.body["region"], chosen.body["name"])

    assert {"field": "region"} == ana.patch(where, {"region": "xx-XX"}).place
    assert (403, "forbidden") == waldo.patch(where, {"region": "es-MX"}).problem[:2]
    assert "es-ES" == ana.get(where).body["region"]


def test_an_owner_chooses_the_quick_keys_of_a_table(ana, waldo, table):
    where = f"tables/{table.code}/"
    assert [] == ana.get(where).body["quick_keys"]
    chosen = ana.patch(where, {"quick_keys": [5, 1]})
    assert (200, [1, 5], table.name) == (chosen.status, chosen.body["quick_keys"], chosen.body["name"])
    both = ana.patch(where, {"name": "Los martes", "quick_keys": []})
    assert ([], "Los martes") == (both.body["quick_keys"], both.body["name"])

    assert {"field": "quick_keys"} == ana.patch(where, {"quick_keys": [3]}).place
    assert {"field": "name"} == ana.patch(where, {"name": "W" * 61, "quick_keys": [1]}).place
    assert {"field": "name"} == ana.patch(where, {}).place
    assert (403, "forbidden") == waldo.patch(where, {"quick_keys": [1]}).problem[:2]
    assert [] == ana.get(where).body["quick_keys"]
