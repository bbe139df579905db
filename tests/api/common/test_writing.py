"""The time of an event that a client sends later, for example because it was offline."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from games.api.common.amounts import moment_said
from games.api.common.serializers import Body, Moment
from games.api.common.writing import moment_sent
from games.models import Table
from games.notebook.fields import Unreadable


class Happened(Body):
    """A request body that may contain the time of the event."""

    at = Moment(required=False)


NOW = datetime(2026, 11, 21, 3, tzinfo=UTC)
BEFORE = NOW - timedelta(hours=2)


@pytest.mark.parametrize(
    ("at", "kept"),
    [
        ("2026-11-21T02:30:00+00:00", NOW - timedelta(minutes=30)),
        ("2026-11-20T23:30:00-03:00", NOW - timedelta(minutes=30)),
        ("2026-11-20T00:00:00Z", BEFORE),
        ("2027-01-01T00:00:00Z", NOW),
    ],
)
def test_a_sent_time_is_clamped_between_the_previous_event_and_now(at, kept):
    with time_machine.travel(NOW, tick=False):
        assert kept == moment_sent(Happened.parts({"at": at}), earliest=BEFORE)


def test_an_event_without_a_time_gets_the_present_one():
    with time_machine.travel(NOW, tick=False):
        assert NOW == moment_sent(Happened.parts({}), earliest=BEFORE)


@pytest.mark.parametrize("at", ["2026-11-21T02:30:00", "yesterday", 5, None, "9999-12-31T23:59:59-23:59"])
def test_a_time_without_a_time_zone_or_out_of_range_is_refused(at):
    with pytest.raises(Unreadable):
        moment_sent(Happened.parts({"at": at}), earliest=BEFORE)


def test_a_time_is_returned_in_the_tables_time_zone():
    table = Table(timezone="America/Argentina/Buenos_Aires")

    assert ("2026-11-21T00:00:00-03:00", None) == (moment_said(NOW, table), moment_said(None, table))
