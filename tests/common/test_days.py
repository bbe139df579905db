"""Days in words: short, and in the reader's language with its accents."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils.translation import override

from games.common.days import day_in_words


@pytest.fixture(autouse=True)
def tonight(time_machine):
    time_machine.move_to("2026-11-20T01:00Z", tick=False)


@pytest.mark.parametrize("language", ["es-ar", "es"])
def test_a_day_of_another_year_is_shown_with_its_year(language):
    with override(language):
        assert ["mié 18 nov", "sáb 1 jun 2024"] == [
            day_in_words(day) for day in (date(2026, 11, 18), date(2024, 6, 1))
        ]
