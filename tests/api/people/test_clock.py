"""A table's time zone through the API."""

from __future__ import annotations

import pytest
import time_machine

from games.models import Table
from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

HERE = "tables/{code}/clock/"
BUENOS_AIRES, SAN_JOSE = "America/Argentina/Buenos_Aires", "America/Costa_Rica"
EVENING = "2026-03-06T01:00Z"  # Thursday, 22:00 in Buenos Aires


@pytest.fixture
def where(table):
    return f"tables/{table.code}/clock/"


def test_a_change_of_the_time_zone_takes_effect_with_the_next_night(program_for, owner, where):
    program = program_for(owner)
    with time_machine.travel(EVENING, tick=False) as now:
        changed = program.patch(where, {"timezone": SAN_JOSE})
        now.move_to("2026-03-06T10:30Z")
        later = program.get(where)

    earlier = [{"timezone": BUENOS_AIRES, "until": "2026-03-05"}]
    assert [] == wrong_in(changed.body, HERE)
    assert changed.body == {
        "timezone": BUENOS_AIRES,
        "next": SAN_JOSE,
        "counts_from": "2026-03-06T03:00:00-06:00",
        "earlier": earlier,
    }
    assert later.body == {"timezone": SAN_JOSE, "next": None, "counts_from": None, "earlier": earlier}


def test_an_invalid_time_zone_is_refused_with_the_name_of_the_field(subtests, program_for, owner, where):
    for sent, status in [
        ({"timezone": "Mars/Olympus"}, 422),
        ({"timezone": 7}, 400),
        ({"timezone": "x" * 65}, 400),
        ({}, 400),
    ]:
        with subtests.test(sent=sent, status=status):
            answer = program_for(owner).patch(where, sent)

            assert (status, "timezone") == (answer.status, answer.body["field"])
            assert BUENOS_AIRES == Table.objects.get().timezone
