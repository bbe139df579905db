"""The rate limits of a user, of an address, and of the operations that take longer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.tables.api.permissions import (
    AnonymousAddressThrottle,
    ScoringThrottle,
    UserAddressThrottle,
    UserThrottle,
)
from tests.worlds import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("limited")]


def at_most(monkeypatch, throttle, most):
    monkeypatch.setattr(throttle, "limit", replace(throttle.limit, most=most))


def test_guesses_of_codes_are_counted_although_they_find_nothing(nobody, monkeypatch):
    at_most(monkeypatch, AnonymousAddressThrottle, 2)

    assert [404, 404, 429] == [nobody.get(f"tables/guess{number}/").status for number in range(3)]


def test_two_programs_at_home_have_an_allowance_each_and_together_that_of_pages(
    owning, program_for, nobody, monkeypatch
):
    assert (240, 240, 1200) == tuple(
        one.limit.most for one in (UserThrottle, AnonymousAddressThrottle, UserAddressThrottle)
    )
    for throttle, most in ((UserThrottle, 2), (AnonymousAddressThrottle, 1), (UserAddressThrottle, 4)):
        at_most(monkeypatch, throttle, most)
    other = program_for(make_user("beto"))

    assert [200, 200, 429] == [owning.get("variants/").status for _time in range(3)]
    assert [200, 429] == [other.get("variants/").status for _time in range(2)]
    assert [200, 429] == [nobody.get("variants/").status for _time in range(2)]
    assert 1 <= int(owning.get("variants/").headers["Retry-After"]) <= 60


def test_the_operations_that_take_longer_share_a_smaller_rate_limit(owning, table, game, monkeypatch):
    at_most(monkeypatch, ScoringThrottle, 2)
    sent = {"variant": "loba_menos", "hand": "5"}
    assert [200] * 2 == [owning.post("hand/", sent).status for _time in range(2)]

    assert {429} == {
        owning.post("hand/", sent).status,
        owning.post("score/", {"game": "game loba_menos\nplayers ana beto"}).status,
        owning.post(f"games/{game.code}/preview/", {"events": []}).status,
        owning.post("table-files/", {}).status,
        *(owning.get(f"tables/{table.code}/{file}/").status for file in ("file", "spreadsheets/results")),
    }
    assert 200 == owning.get("variants/loba_menos/").status
