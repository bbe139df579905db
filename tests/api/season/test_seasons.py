"""Seasons through the API: listed for everybody; closed, moved and reopened by an owner."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from games.models import Grant, Role
from games.nights import night_of
from games.season.seasons import DAY
from tests.api.described import examples_of, wrong_in
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


def test_everybody_with_a_grant_reads_them(program_for, table, where, play):
    play("ana", "beto")
    user = make_user("waldo")
    Grant.objects.create(user=user, table=table, role=Role.WITNESS)
    answer = program_for(user).get(where)

    assert ([], [("2026", True, 1)]) == (wrong_in(answer.body, ALL), told(answer))


def test_a_season_is_closed_once_and_opened_again(asking, table, where, season, play):
    play("ana", "beto", days=5)
    play("beto", "ana")
    closed = asking.post(f"{where}{season.pk}/close/", closing(table))
    again = asking.post(f"{where}{season.pk}/close/", closing(table, next_name="Otra"))
    reopened = asking.post(f"{where}{season.pk}/reopen/", None)

    assert [("2027", True, 1), ("2026", False, 1)] == told(closed) == told(again)
    assert [("2026", True, 2)] == told(reopened)
    assert [] == wrong_in(closed.body, f"{ONE}close/", method="post")


def test_closing_a_season_may_set_its_order(asking, table, where, season):
    closed = asking.post(f"{where}{season.pk}/close/", closing(table, order="money"))

    assert ["money", "money"] == [one["order"] for one in closed.body["seasons"]]


def test_another_name_leaves_the_day_and_another_day_the_name(asking, table, where, season):
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


def test_what_cannot_be_is_refused_at_its_part(subtests, asking, table, where, season):
    for sent, status, field in WRONG:
        with subtests.test(sent=sent):
            answer = asking.post(f"{where}{season.pk}/close/", closing(table, **sent))

            assert (status, field) == (answer.problem[0], answer.place.get("field"))
    assert [("2026", True, 0)] == told(asking.get(where))


def test_a_season_of_nobody_or_of_others_is_not_there(asking, table, where, stranger):
    other = table.seasons.model.objects.exclude(table=table).get()

    for number in (other.pk, 10**6, 2**40):
        assert 404 == asking.post(f"{where}{number}/reopen/", None).status
        assert 404 == asking.patch(f"{where}{number}/", {"name": "x"}).status


def test_only_owners_write(program_for, table, where, season):
    user = make_user("sonia")
    Grant.objects.create(user=user, table=table, role=Role.SCORER)
    program = program_for(user)
    answers = [
        program.post(f"{where}{season.pk}/close/", closing(table)),
        program.post(f"{where}{season.pk}/reopen/", None),
        program.patch(f"{where}{season.pk}/", {"name": "Verano"}),
    ]

    assert [(403, "forbidden")] * 3 == [answer.problem[:2] for answer in answers]
    assert [("2026", True, 0)] == told(program.get(where))


@pytest.mark.parametrize(
    ("path", "method"),
    [(ALL, "get"), (ONE, "patch"), (f"{ONE}close/", "post"), (f"{ONE}reopen/", "post")],
)
def test_the_examples_have_the_form_of_answers(path, method):
    examples = examples_of(path, method=method)

    assert examples
    assert [] == [wrong for one in examples for wrong in wrong_in(one, path, method=method)]
