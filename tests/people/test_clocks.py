"""The clock of a table: its nights, and what a change of its time zone leaves as it was."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st

from games.models import Table
from games.nights import local, night_of, window_of
from games.notebook.books.audit import check_table
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.writing import write_table
from games.people.clocks import change_zone, known_zone
from games.play import recording
from tests.tables import a_key, a_round, make_table, start

BUENOS_AIRES, SAN_JOSE = "America/Argentina/Buenos_Aires", "America/Costa_Rica"
THURSDAY = date(2026, 3, 5)
A_DAY = timedelta(days=1)
EVENING = datetime(2026, 3, 6, 1, tzinfo=UTC)  # Thursday, 22:00 in Buenos Aires and 19:00 in San José
LATE = datetime(2026, 3, 6, 10, 30, tzinfo=UTC)  # Friday, 7:30 in Buenos Aires; in San José still 4:30

in_the_database = pytest.mark.django_db
ZONES = st.sampled_from(
    [BUENOS_AIRES, SAN_JOSE, "Europe/Madrid", "Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kolkata", "UTC"]
)


@given(zone=ZONES, hours=st.integers(-10_000, 10_000))
def test_each_moment_belongs_to_exactly_one_night(zone, hours):
    table, moment = Table(timezone=zone), EVENING + timedelta(hours=hours)
    night = night_of(moment, table)
    begins, ends = window_of(night, table)

    assert begins <= moment < ends
    assert ends == window_of(night + A_DAY, table)[0]


def test_a_night_lasts_until_six_on_the_tables_clock():
    tables = [Table(timezone=zone) for zone in (BUENOS_AIRES, SAN_JOSE)]

    assert [THURSDAY + A_DAY, THURSDAY] == [night_of(LATE, table) for table in tables]


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd"])
def test_an_empty_or_unknown_time_zone_falls_back_to_that_of_the_site(zone, settings):
    settings.TIME_ZONE = "America/Santiago"

    assert "America/Santiago" == known_zone(zone)
    assert SAN_JOSE == known_zone(SAN_JOSE)


# --- a change ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def played(owner):
    """A table in Buenos Aires with a finished game that began on Friday at 7:30, which is Thursday's night in San José."""
    with time_machine.travel(LATE, tick=False):
        table = make_table(owner)
        game = start(table, owner, stake=100)
        lost = a_round("ana", beto=120, caro=120, dani=120)
        recording.record(game, lost, after=1, key=a_key(), by=owner)
    return table


def nights_of(table):
    return [date.fromordinal(game.night_number) for game in table.games.order_by("pk")]


@in_the_database
def test_a_game_keeps_its_night_and_its_hours_are_shown_in_the_new_zone(played, owner):
    change_zone(played, SAN_JOSE)
    with time_machine.travel(LATE, tick=False):
        start(played, owner, stake=100)

    assert [THURSDAY + A_DAY, THURSDAY] == nights_of(played)
    assert "04:30" == f"{local(played.games.earliest('pk').started_at, played):%H:%M}"
    assert [] == check_table(played).differences


@in_the_database
def test_a_file_keeps_the_nights_of_a_table_that_changed_its_time_zone(played, owner):
    change_zone(played, SAN_JOSE)
    text = "".join(write_table(played)).encode()
    copy = restore_table(read_table(text), key=a_key(), by=owner, again=True)

    assert (SAN_JOSE, nights_of(played)) == (copy.timezone, nights_of(copy))
    assert [] == check_table(copy).differences


@in_the_database
def test_setting_the_same_time_zone_again_changes_nothing(table):
    before = Table.objects.values().get()
    change_zone(table, BUENOS_AIRES)

    assert before == Table.objects.values().get()
