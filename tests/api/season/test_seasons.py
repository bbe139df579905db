"""Seasons through the API: listed for everybody; closed, moved and reopened by an owner."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from games.models import Grant, Role
from games.nights import night_of
from games.season.seasons import DAY
from tests.api.described import wrong_in
from tests.tables import make_user

pytestmark = pytest.mark.django_db

ALL, ONE = "tables/{code}/seasons/", "tables/{code}/seasons/{season}/"


@pytest.fixture
def where(table):
    table.seasons.update(starts_on=night_of(now(), table) - timedelta(days=30), name="2026")
    return f"tables/{table.code}/seasons/"


@pytest.fixture
def asking(program_for, owner):
    return program_for(owner)


@pytest.fixture
def season(table):
    return table.seasons.get()


def told(answered):
    """Return each season of the response as name, whether it is open, and number of games."""
    return [(one["name"], one["ends_on"] is None, one["games"]) for one in answered.body["seasons"]]


def closing(table, **more):
    yesterday = night_of(now(), table) - DAY
    return {"last_day": yesterday.isoformat(), "next_name": "2027", **more}


def test_everybody_with_a_grant_can_list_the_seasons(program_for, table, where, play):
    play("ana", "beto")
    user = make_user("waldo")
    Grant.objects.create(user=user, table=table, role=Role.WITNESS)
    answer = program_for(user).get(where)

    assert ([], [("2026", True, 1)]) == (wrong_in(answer.body, ALL), told(answer))


def test_a_season_is_closed_once_and_reopened(asking, table, where, season, play):
    play("ana", "beto", days=5)
    play("beto", "ana")
    closed = asking.post(f"{where}{season.pk}/close/", closing(table))
    again = asking.post(f"{where}{season.pk}/close/", closing(table, next_name="Otra"))
    reopened = asking.post(f"{where}{season.pk}/reopen/", None)

    assert [("2027", True, 1), ("2026", False, 1)] == told(closed) == told(again)
    assert [("2026", True, 2)] == told(reopened)
    assert [] == wrong_in(closed.body, f"{ONE}close/", method="post")


def test_closing_a_season_can_set_its_sort_order(asking, table, where, season):
    closed = asking.post(f"{where}{season.pk}/close/", closing(table, order="money"))

    assert ["money", "money"] == [one["order"] for one in closed.body["seasons"]]


def test_changing_the_name_keeps_the_first_day_and_the_other_way_round(asking, table, where, season):
    began = asking.get(where).body["seasons"][0]["starts_on"]
    named = asking.patch(f"{where}{season.pk}/", {"name": "Verano"})
    moved = asking.patch(f"{where}{season.pk}/", {"first_day": "2026-01-31"})

    assert ("Verano", began) == tuple(named.body["seasons"][0][name] for name in ("name", "starts_on"))
    assert ("Verano", "2026-01-31") == tuple(moved.body["seasons"][0][name] for name in ("name", "starts_on"))
    assert [] == wrong_in(moved.body, ONE, method="patch")


WRONG: list[tuple[dict[str, Any], int, str]] = [
    ({"last_day": "2999-01-01"}, 422, "last_day"),
    ({"last_day": "yesterday"}, 422, "last_day"),
    ({"last_day": "0001-01-01"}, 422, "last_day"),
    ({"last_day": 7}, 400, "last_day"),
    ({"next_name": "2026"}, 422, "next_name"),
    ({"next_name": ""}, 422, "next_name"),
    ({"next_name": "x" * 61}, 400, "next_name"),
    ({"name": "x"}, 400, "name"),
]


def test_an_invalid_closing_is_refused_with_the_name_of_the_field(subtests, asking, table, where, season):
    for sent, status, field in WRONG:
        with subtests.test(sent=sent):
            answer = asking.post(f"{where}{season.pk}/close/", closing(table, **sent))

            assert (status, field) == (answer.problem[0], answer.place.get("field"))
    assert [("2026", True, 0)] == told(asking.get(where))


def test_changing_a_season_of_another_table_or_an_unknown_one_is_a_404(asking, table, where, stranger):
    other = table.seasons.model.objects.exclude(table=table).get()

    for number in (other.pk, 10**6, 2**40):
        assert 404 == asking.post(f"{where}{number}/reopen/", None).status
        assert 404 == asking.patch(f"{where}{number}/", {"name": "x"}).status
