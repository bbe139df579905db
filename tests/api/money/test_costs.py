"""Shared costs through the API: recorded, taken back, and listed apart from the payments."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import SharedCost
from tests.api.described import wrong_in
from tests.tables import the_night

pytestmark = pytest.mark.django_db

ALL = "tables/{code}/costs/"


@pytest.fixture
def where(table, finished):
    """The path of the costs of a table at which Ana won 400; Beto owes 200 of it."""
    return f"tables/{table.code}/costs/"


@pytest.fixture
def pizza(table, finished):
    night = the_night(table)
    return {
        "night": night.isoformat(),
        "payer": "beto",
        "amount": 10001,
        "sharers": ["ana", "beto", "caro"],
        "note": "pizza",
    }


def balances(client, table):
    accounts = client.get(f"tables/{table.code}/accounts/").body
    assert [] == wrong_in(accounts, "tables/{code}/accounts/")
    return accounts["balances"]


def test_a_cost_sent_twice_with_one_idempotency_key_is_recorded_once(anas, table, where, pizza):
    first, again = (anas.write(where, pizza, key="pizza") for _time in range(2))
    changed = anas.write(where, {**pizza, "amount": 1}, key="pizza")
    listed = anas.get(where).body

    assert ([], []) == (wrong_in(first.body, ALL, method="post", status=201), wrong_in(listed, ALL))
    assert (201, first.body) == (again.status, again.body)
    assert (409, "key_reused") == changed.problem[:2]
    assert [{"caro": 3334, "ana": 3334, "beto": 3333}] == [cost["parts"] for cost in listed["costs"]]
    assert [] == anas.get(f"tables/{table.code}/payments/").body["payments"]
    assert {"ana": -2934, "beto": 6468, "caro": -3434, "dani": -100} == balances(anas, table)


def test_a_cost_without_sharers_is_shared_by_everybody_who_played(anas, where, pizza):
    del pizza["sharers"]

    assert ["ana", "beto", "caro", "dani"] == anas.write(where, pizza, key="pizza").body["sharers"]


def test_a_cost_without_sharers_for_a_night_without_games_is_refused(anas, where, pizza):
    del pizza["sharers"]

    refused = anas.write(where, {**pizza, "night": "2020-01-01"}, key="pizza")

    assert (422, "refused", "Nobody played on that night.") == refused.problem


def test_a_cost_is_taken_back_with_a_reason(anas, table, where, pizza):
    before = balances(anas, table)
    cost = anas.write(where, pizza, key="pizza").body
    path = f"{where}{cost['id']}/cancel/"
    ended = anas.post(path, {"reason": "pagó la casa"}).body

    assert [] == wrong_in(ended, f"{ALL}{{cost}}/cancel/", method="post")
    assert (False, "pagó la casa") == (ended["counts"], ended["reason"])
    assert before == balances(anas, table)


def test_an_invalid_cost_is_refused_with_the_name_of_its_field(subtests, anas, where, pizza):
    cases: list[tuple[Any, ...]] = [
        ({"amount": 0}, "amount"),
        ({"sharers": ["beto"]}, "sharers"),
        ({"sharers": [7]}, "sharers"),
        ({"night": "ayer"}, "night"),
    ]
    for sent, field in cases:
        with subtests.test(sent=sent, field=field):
            answer = anas.write(where, {**pizza, **sent}, key="pizza")

            assert field == answer.body["field"]
            assert answer.status in (400, 422)
            assert not SharedCost.objects.exists()
