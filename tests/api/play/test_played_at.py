"""The exact time of an entry, `played_at`: it is stored unchanged, or refused with the reason."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.models import Game, Record
from tests.api.play.conftest import round_of
from tests.tables import make_table

pytestmark = pytest.mark.django_db

OPENED = datetime(2026, 1, 3, 20, tzinfo=UTC)
BEGAN = datetime(2026, 1, 10, 22, tzinfo=UTC)
PLAYED = datetime(2026, 1, 10, 23, 15, 30, 123456, tzinfo=UTC)
TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
TWO = round_of("ana", beto=10)
WANTED = {"variant": "loba_menos", "options": {"reentries": 0}, "players": [{"id": "ana"}, {"id": "beto"}]}


@pytest.fixture
def old(owner, time_machine):
    """Make a table in January, and set the clock to March."""
    time_machine.move_to(OPENED, tick=False)
    table = make_table(owner)
    time_machine.move_to(TODAY, tick=False)
    return table


@pytest.fixture
def begin(ana, old):
    """`begin(moment)` starts a game with this exact time."""

    def one(moment, *, key="begin", **more):
        body = {**WANTED, "played_at": moment.isoformat(), **more}
        return ana.write(f"tables/{old.code}/games/", body, key=key)

    return one


@pytest.fixture
def write(ana, begin):
    """`write(moment, event)` records an event with this exact time in a game that began in January."""
    code = begin(BEGAN).body["code"]

    def one(moment, *events, key="k", after=1, **more):
        body = {"after": after, "events": list(events), "played_at": moment.isoformat(), **more}
        return ana.write(f"games/{code}/events/", body, key=key)

    return one


def test_a_past_played_at_is_stored_and_returned_with_microseconds(begin, write):
    begun, answer = begin(BEGAN), write(PLAYED, TWO)

    assert BEGAN == datetime.fromisoformat(begun.body["started_at"])
    assert [BEGAN, PLAYED] == list(Record.objects.order_by("number").values_list("recorded_at", flat=True))
    assert PLAYED == datetime.fromisoformat(answer.body["last_at"])


def test_an_at_before_the_last_event_is_moved_to_it_and_returned(ana, write):
    write(PLAYED, TWO)
    code = Game.objects.get().code
    body = {"after": 2, "events": [TWO], "at": BEGAN.isoformat()}
    answer = ana.write(f"games/{code}/events/", body, key="late")

    assert (200, PLAYED) == (answer.status, datetime.fromisoformat(answer.body["last_at"]))


def test_undo_and_redo_take_played_at(ana, write):
    write(PLAYED, TWO)
    code = Game.objects.get().code
    later = PLAYED + timedelta(minutes=1)
    undone = ana.write(f"games/{code}/undo/", {"after": 2, "played_at": later.isoformat()}, key="u")
    again = ana.write(f"games/{code}/redo/", {"after": 3, "played_at": PLAYED.isoformat()}, key="r")

    assert later == datetime.fromisoformat(undone.body["last_at"])
    assert (422, "refused") == again.problem[:2]


def test_a_repeated_request_succeeds_although_another_was_recorded_meanwhile(write):
    first = write(PLAYED, TWO)
    write(PLAYED + timedelta(hours=1), TWO, key="next", after=2)
    repeated = write(PLAYED, TWO)

    assert (200, 2) == (first.status, first.body["after"])
    assert (200, 3) == (repeated.status, repeated.body["after"])


def refused(answer, sentence, code="refused"):
    assert code == answer.problem[1], answer.body
    assert sentence in answer.problem[2]
    assert "played_at" == answer.body["field"]
    return True


def test_a_played_at_in_the_future_or_before_the_previous_event_is_refused(begin, write):
    assert refused(write(TODAY + timedelta(seconds=1), TWO), "is in the future")
    assert refused(write(BEGAN - timedelta(seconds=1), TWO), "2026-01-10T19:00:00-03:00")
    assert refused(begin(OPENED - timedelta(seconds=1), key="b"), "2026-01-03T17:00:00-03:00")
    assert refused(write(PLAYED, TWO, at=PLAYED.isoformat()), "Send either", "misshapen")
    assert 1 == Record.objects.count()


def test_a_played_at_without_a_time_zone_is_refused(ana, old):
    body = {**WANTED, "played_at": "2026-01-10T22:00:00"}

    assert (400, "misshapen") == ana.write(f"tables/{old.code}/games/", body, key="k").problem[:2]
