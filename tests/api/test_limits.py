"""The rate limits of a user, of an address, and of slow operations.

`browser/test_limits.py` has what a phone keeps over a limit; `test_limits.py` has the limits of pages and addresses.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.tables.api.permissions import (
    AnonymousAddressThrottle,
    ScoringThrottle,
    UserAddressThrottle,
    UserThrottle,
)
from tests.factories import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rate_limited")]


def set_limit(monkeypatch, throttle, most):
    monkeypatch.setattr(throttle, "limit", replace(throttle.limit, most=most))


def test_guesses_of_codes_are_counted_although_they_find_nothing(nobody, monkeypatch):
    set_limit(monkeypatch, AnonymousAddressThrottle, 2)

    assert [404, 404, 429] == [nobody.get(f"tables/guess{number}/").status for number in range(3)]


def test_two_programs_at_home_have_an_allowance_each_and_together_that_of_pages(
    owner_program, program_for, nobody, monkeypatch
):
    assert (240, 240, 1200) == tuple(
        throttle_class.limit.most
        for throttle_class in (UserThrottle, AnonymousAddressThrottle, UserAddressThrottle)
    )
    for throttle, most in ((UserThrottle, 2), (AnonymousAddressThrottle, 1), (UserAddressThrottle, 4)):
        set_limit(monkeypatch, throttle, most)
    other = program_for(make_user("beto"))

    assert [200, 200, 429] == [owner_program.get("variants/").status for _time in range(3)]
    assert [200, 429] == [other.get("variants/").status for _time in range(2)]
    assert [200, 429] == [nobody.get("variants/").status for _time in range(2)]
    assert 1 <= int(owner_program.get("variants/").headers["Retry-After"]) <= 60


def test_the_operations_that_take_longer_share_a_smaller_rate_limit(owner_program, table, game, monkeypatch):
    set_limit(monkeypatch, ScoringThrottle, 2)
    body = {"variant": "loba_menos", "hand": "5"}
    assert [200] * 2 == [owner_program.post("hand/", body).status for _time in range(2)]

    assert {429} == {
        owner_program.post("hand/", body).status,
        owner_program.post("score/", {"game": "game loba_menos\nplayers ana beto"}).status,
        owner_program.post(f"games/{game.code}/preview/", {"events": []}).status,
        owner_program.post("table-files/", {}).status,
        *(
            owner_program.get(f"tables/{table.code}/{file}/").status
            for file in ("file", "spreadsheets/results")
        ),
    }
    assert 200 == owner_program.get("variants/loba_menos/").status
