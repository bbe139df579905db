"""Carrying balances over to a new table with another unit through the API, after a preview."""

from __future__ import annotations

import pytest

from games.models import Table
from games.money.balances import balances_of
from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

CARRY = "tables/{code}/carry/"


def test_a_carry_over_is_previewed_and_makes_one_new_table(program_for, owner, table, play):
    play("ana", "beto")
    program, where = program_for(owner), f"tables/{table.code}/carry/"
    look = program.get(f"{where}?name=Otra&unit=US$&decimals=2&rate=50.00")

    assert (200, []) == (look.status, wrong_in(look.body, CARRY))
    assert [("ana", 100, 200), ("beto", -100, -200)] == [
        tuple(one.values()) for one in look.body["balances"]
    ][:2]
    sent = {"name": "Otra", "unit": "US$", "decimals": 2, "rate": "50.00", "seen": look.body["seen"]}
    codes = set()
    for _time in range(2):
        done = program.write(where, sent, key="once")
        assert (201, []) == (done.status, wrong_in(done.body, CARRY, method="post", status=201))
        codes.add(done.body["code"])
    (code,) = codes
    assert {"ana": 200, "beto": -200, "caro": 0, "dani": 0} == balances_of(Table.objects.get(code=code))
    assert (409, "stale") == program.write(where, sent, key="again").problem[:2]
    for rate in ("mucho", "0"):
        assert (422, "refused") == program.get(f"{where}?name=Otra&unit=US$&decimals=2&rate={rate}").problem[
            :2
        ]
