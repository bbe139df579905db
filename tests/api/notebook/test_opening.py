"""Opening balances through the API: the debts from before the table was made."""

from __future__ import annotations

import pytest

from games.models import MOST_MONEY
from games.money.balances import balances_of
from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

OPENING = "tables/{code}/opening-balances/"


@pytest.fixture
def where(table):
    return f"tables/{table.code}/opening-balances/"


@pytest.fixture
def program(program_for, owner):
    return program_for(owner)


@pytest.fixture
def seen(program, table):
    """Return the version of the accounts that the client saw."""
    return program.get(f"tables/{table.code}/accounts/").body["seen"]


def test_opening_balances_are_recorded_once(program, where, table, seen):
    sent = {"balances": {"ana": 500, "beto": -300, "caro": -200}, "seen": seen}
    for _time in range(2):
        done = program.write(where, sent, key="once")
        assert (201, []) == (done.status, wrong_in(done.body, OPENING, method="post", status=201))
    assert {"ana": 500, "beto": -300, "caro": -200, "dani": 0} == balances_of(table)
    assert (1, sent["balances"]) == (done.body["number"], done.body["balances"])
    assert (409, "stale") == program.write(where, sent, key="again").problem[:2]
    other = {**sent, "balances": {"ana": 1, "beto": -1}}
    assert (409, "key_reused") == program.write(where, other, key="once").problem[:2]


@pytest.mark.parametrize(
    ("balances", "refused"),
    [
        ({"ana": 500, "beto": -300}, (422, "refused", "balances")),
        ({"ana": 500, "zoe": -500}, (422, "refused", "balances")),
        ({"ana": MOST_MONEY + 1, "beto": -MOST_MONEY - 1}, (422, "refused", "balances")),
        ({}, (422, "refused", "balances")),
        ({"ana": "500", "beto": -500}, (400, "misshapen", "balances")),
        ({"ana": True, "beto": -1}, (400, "misshapen", "balances")),
        ([500, -500], (400, "misshapen", "balances")),
    ],
)
def test_invalid_opening_balances_are_refused_with_the_name_of_the_field(
    program, where, table, seen, balances, refused
):
    answered = program.write(where, {"balances": balances, "seen": seen}, key="once")

    assert refused == (*answered.problem[:2], answered.body["field"])
    assert 0 == table.entries.count()
