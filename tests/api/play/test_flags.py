"""Flags through the API: a witness flags a hand, and a scorer settles the flag."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from games.play.flags import RAISED
from games.play.recording import record
from tests.tables import a_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def flags(game, owner):
    cache.clear()
    record(game, a_round("ana", beto=10, caro=5, dani=1), after=1, key="first", by=owner)
    return f"games/{game.code}/flags/"


HAND = {"number": 2, "player": "beto"}


def test_a_flag_of_a_witness_is_visible_to_everybody_and_settled_by_an_owner(ana, waldo, flags):
    raised = waldo.post(flags, {**HAND, "note": "eran 8"})

    assert [(2, "beto", "eran 8", True)] == [
        tuple(flag[name] for name in ("number", "player", "note", "mine")) for flag in raised.body["flags"]
    ]
    assert [False] == [flag["mine"] for flag in ana.get(flags).body["flags"]]
    assert {"settled": 1} == ana.post(f"{flags}settle/", HAND).body
    assert {"flags": []} == waldo.get(flags).body


WRONG_SENT = [
    ({"number": 9, "player": "beto"}, 422),
    ({"number": 2, "player": "eva"}, 422),
    ({"number": 1, "player": "beto"}, 422),
    ({**HAND, "note": "W" * 201}, 422),
    ({**HAND, "note": "W" * 10_000}, 400),
    ({**HAND, "note": "a\x00"}, 400),
    ({**HAND, "number": 10**29}, 400),
    ({"number": 2}, 400),
]


def test_an_invalid_flag_is_refused(subtests, waldo, flags):
    for sent, status in WRONG_SENT:
        with subtests.test(sent=sent):
            assert status == waldo.post(flags, sent).problem[0]
            assert {"flags": []} == waldo.get(flags).body


def test_flags_are_rate_limited(waldo, flags):
    for _time in range(RAISED.most):
        assert 200 == waldo.post(flags, HAND).status

    assert (429, "too_many_requests") == waldo.post(flags, HAND).problem[:2]
