"""A program records what the members owed each other before the table."""

from __future__ import annotations

import pytest

from games.models import MOST_MONEY, Role
from games.money.balances import balances_of
from tests.api.described import wrong_in
from tests.tables import let_in_as, make_user

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
    """The version of the accounts that the program saw."""
    return program.get(f"tables/{table.code}/accounts/").body["seen"]


def test_they_are_recorded_once(program, where, table, seen):
    sent = {"balances": {"ana": 500, "beto": -300, "caro": -200}, "seen": seen}
    for _time in range(2):
        done = program.write(where, sent, key="once")
        assert (201, []) == (done.status, wrong_in(done.body, OPENING, method="post", status=201))
    assert {"ana": 500, "beto": -300, "caro": -200, "dani": 0} == balances_of(table)
    assert [("opening", 300), ("opening", 200)] == [
        (paid["method"], paid["amount"]) for paid in done.body["payments"]
    ]
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
def test_what_is_wrong_is_told_at_its_field_and_nothing_is_recorded(
    program, where, table, seen, balances, refused
):
    answered = program.write(where, {"balances": balances, "seen": seen}, key="once")

    assert refused == (*answered.problem[:2], answered.body["field"])
    assert 0 == table.payments.count()


def test_only_an_owner_records_them(program_for, where, table, seen):
    sofi = make_user("sofi")
    let_in_as(sofi, table, Role.SCORER)
    sent = {"balances": {"ana": 500, "beto": -500}, "seen": seen}

    assert 403 == program_for(sofi).write(where, sent, key="once").status
    assert 0 == table.payments.count()
