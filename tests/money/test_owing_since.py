"""The night since which each balance has been negative."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine

from games.money.balances import People, owing_since
from games.money.merging import merge, preview_merge

pytestmark = pytest.mark.django_db


@pytest.fixture
def on():
    """`with on(5):` moves the clock to 21:00 UTC on the 5th of November."""

    def day(number):
        return time_machine.travel(moment(number), tick=False)

    return day


def moment(day):
    return datetime(2026, 11, day, 21, tzinfo=UTC)


def since(table):
    return {slug: night.day for slug, night in owing_since(table, People.of(table)).items()}


def test_a_balance_is_negative_since_the_movement_that_made_it_negative(table, on, play, pay):
    """Beto owes twice, with a week of owing nothing in between; Caro owes all the time, ever more."""
    with on(5):
        play("ana", "beto", "caro")
        assert {"beto": 5, "caro": 5} == since(table)
    with on(6):
        pay("beto", "ana", 100)
        pay("caro", "ana", 40)
        assert {"caro": 5} == since(table)
    with on(12):
        play("dani", "caro")
        play("caro", "beto")
    with on(13):
        pay("beto", "ana", 30)
        play("ana", "beto")

    assert {"beto": 12, "caro": 5} == since(table)


def test_what_moved_for_a_merged_member_counts_too(table, on, play, who, owner):
    with on(5):
        play("ana", "caro")
    with on(12):
        play("ana", "dani")
        caro, dani = who["caro"], who["dani"]
        merge(caro, dani, seen=preview_merge(caro, dani).seen, by=owner)

    assert {"dani": 5} == since(table)
