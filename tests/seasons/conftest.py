"""Fixtures for tests of seasons: a fixed evening, a table with two seasons, and three games."""

from __future__ import annotations

from datetime import date

import pytest

from tests.factories import end_season


@pytest.fixture
def tonight(time_machine):
    """Set the clock to the evening of Thursday, 19 November 2026 in Buenos Aires."""
    time_machine.move_to("2026-11-20T01:00Z", tick=False)


@pytest.fixture
def three_games(play):
    """Three games, the last played tonight. Ana won the first and the last, Beto the second."""
    return [
        play("ana", "beto", "caro", "dani", days=14),
        play("beto", "ana", "caro", "dani", days=7),
        play("ana", "dani", "caro", "beto"),
    ]


@pytest.fixture
def open_season(table):
    """The open season of a table with two seasons; the other, called 2026, ended on 30 June."""
    table.seasons.update(starts_on=date(2026, 3, 1))
    return end_season(table, last_day=date(2026, 6, 30), next_name="Invierno")
