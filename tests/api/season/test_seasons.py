"""Seasons through the API: listed for everybody; begun, renamed and moved by an owner."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from games.models import Grant, Role
from games.nights import night_of
from tests.api.described import wrong_in
from tests.tables import end_season, make_user

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
    """Return each season of the response as name and number of games."""
    return [(one["name"], one["games"]) for one in answered.body["seasons"]]


def beginning(table, **more):
    return {"first_day": night_of(now(), table).isoformat(), "name": "2027", **more}


def test_everybody_with_a_grant_can_list_the_seasons(program_for, table, where, play):
    play("ana", "beto")
    user = make_user("waldo")
    Grant.objects.create(user=user, table=table, role=Role.WITNESS)
    answer = program_for(user).get(where)

    assert ([], [("2026", 1)]) == (wrong_in(answer.body, ALL), told(answer))


def test_a_new_season_takes_the_games_from_its_first_day_on(asking, table, where, play):
    play("ana", "beto", days=5)
    play("beto", "ana")
    begun = asking.post(where, beginning(table, order="money"))

    assert (201, [("2027", 1), ("2026", 1)]) == (begun.status, told(begun))
    assert ["money", ""] == [one["order"] for one in begun.body["seasons"]]
    assert [] == wrong_in(begun.body, ALL, method="post", status=201)


def test_changing_the_name_keeps_the_first_day_and_the_other_way_round(asking, table, where, season):
    began = asking.get(where).body["seasons"][0]["starts_on"]
    named = asking.patch(f"{where}{season.pk}/", {"name": "Verano"})
    moved = asking.patch(f"{where}{season.pk}/", {"first_day": "2026-01-31"})

    assert ("Verano", began) == tuple(named.body["seasons"][0][name] for name in ("name", "starts_on"))
    assert ("Verano", "2026-01-31") == tuple(moved.body["seasons"][0][name] for name in ("name", "starts_on"))
    assert [] == wrong_in(moved.body, ONE, method="patch")


WRONG: list[tuple[dict[str, Any], int, str]] = [
    ({"first_day": "2999-01-01"}, 422, "first_day"),
    ({"first_day": "yesterday"}, 422, "first_day"),
    ({"first_day": "0001-01-01"}, 422, "first_day"),
    ({"first_day": 7}, 400, "first_day"),
    ({"name": "2026"}, 422, "name"),
    ({"name": ""}, 422, "name"),
    ({"name": "x" * 61}, 400, "name"),
    ({"next_name": "x"}, 400, "next_name"),
]


def test_an_invalid_season_is_refused_with_the_name_of_the_field(subtests, asking, table, where):
    for sent, status, field in WRONG:
        with subtests.test(sent=sent):
            answer = asking.post(where, beginning(table, **sent))

            assert (status, field) == (answer.problem[0], answer.place.get("field"))
    assert [("2026", 0)] == told(asking.get(where))


def test_changing_a_season_of_another_table_or_an_unknown_one_is_a_404(asking, table, where, stranger):
    other = table.seasons.model.objects.exclude(table=table).get()

    for number in (other.pk, 10**6, 2**40):
        assert 404 == asking.patch(f"{where}{number}/", {"name": "x"}).status


def test_a_name_alone_is_changed_although_older_games_came_in_since(asking, table, where, season, play):
    end_season(table, last_day=season.starts_on, next_name="2027")
    play("ana", "beto", days=900)

    assert 200 == asking.patch(f"{where}{season.pk}/", {"name": "Verano"}).status
