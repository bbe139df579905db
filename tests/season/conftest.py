"""An evening to which tests of seasons travel, and a table with two seasons."""

from __future__ import annotations

from datetime import date

import pytest

from games.season.seasons import close_season


@pytest.fixture
def tonight(time_machine):
    """It is the evening of Thursday 19 November 2026 in Buenos Aires."""
    time_machine.move_to("2026-11-20T01:00Z", tick=False)


@pytest.fixture
def two(table):
    """A season called 2026 until the end of June, and the open one since, which is the value."""
    table.seasons.update(starts_on=date(2026, 3, 1))
    return close_season(table.seasons.get(), last_day=date(2026, 6, 30), next_name="Invierno")
