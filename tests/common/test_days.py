"""Nights, and days formatted for the reader's language."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from games.common import days
from games.models import Table

ZONES = (
    *("America/Argentina/Buenos_Aires", "America/Costa_Rica", "Europe/Madrid"),
    *("Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kolkata", "UTC"),
)


@given(zone=st.sampled_from(ZONES), hours=st.integers(-10_000, 10_000))
def test_each_moment_belongs_to_exactly_one_night(zone, hours):
    table, moment = Table(timezone=zone), datetime(2026, 3, 6, 1, tzinfo=UTC) + timedelta(hours=hours)
    night = days.night_for(moment, table)
    begins, ends = days.night_bounds(night, table)

    assert begins <= moment < ends
    assert ends == days.night_bounds(night + timedelta(days=1), table)[0]


def test_a_day_of_another_year_is_shown_with_its_year(time_machine):
    time_machine.move_to("2027-01-01T01:00Z", tick=False)  # there it is still 2026
    with override("es-ar"):
        assert ["mié 18 nov", "sáb 1 jun 2024"] == [
            days.format_day(day) for day in (date(2026, 11, 18), date(2024, 6, 1))
        ]
