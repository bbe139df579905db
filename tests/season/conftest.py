"""A fixed evening for tests of seasons, and a table with two seasons."""

from __future__ import annotations

from datetime import date

import pytest

from games.season.seasons import close_season


@pytest.fixture
def tonight(time_machine):
    """Set the clock to the evening of Thursday 19 November 2026 in Buenos Aires."""
    time_machine.move_to("2026-11-20T01:00Z", tick=False)


@pytest.fixture
def two(table):
    """The open season of a table with two; the other one, called 2026, ended on 30 June."""
    table.seasons.update(starts_on=date(2026, 3, 1))
    return close_season(table.seasons.get(), last_day=date(2026, 6, 30), next_name="Invierno")
