"""A limit of tries: so many and no more, however many ask at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache

from games.people.tries import Tries

FEW = Tries("test", most=3, window=15 * 60)
MANY = Tries("test", most=50, window=15 * 60)
BEGINNING = "2026-11-20T21:00Z"


@pytest.fixture(autouse=True)
def nobody_has_tried():
    cache.clear()


def test_so_many_tries_are_let_through_and_no_more():
    assert [True, True, True, False, False] == [FEW.take("ana") for _ in range(5)]


def test_everybody_has_tries_of_his_own():
    for _ in range(3):
        FEW.take("ana")

    assert (False, True) == (FEW.take("ana"), FEW.take("beto"))


def test_who_asks_in_vain_waits_no_longer_for_it():
    with time_machine.travel(BEGINNING, tick=False) as clock:
        for _ in range(3):
            FEW.take("ana")
        clock.shift(timedelta(minutes=14))
        assert not FEW.take("ana")
        clock.shift(timedelta(minutes=2))
        assert FEW.take("ana")


def test_a_try_is_remembered_for_the_whole_window_of_the_last_one():
    with time_machine.travel(BEGINNING, tick=False) as clock:
        for _ in range(3):
            FEW.take("ana")
            clock.shift(timedelta(minutes=10))

        assert not FEW.take("ana")


def test_what_is_forgotten_can_be_tried_again():
    for _ in range(3):
        FEW.take("ana")
    FEW.forget("ana")

    assert FEW.take("ana")


def test_tries_at_once_are_all_counted():
    with ThreadPoolExecutor(16) as phones:
        taken = list(phones.map(lambda _: MANY.take("ana"), range(200)))

    assert MANY.most == taken.count(True)
