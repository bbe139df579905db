"""The clock of a table: its time zone, and the nights before and after a change of it."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st

from games.models import Method, Table
from games.money.balances import read_accounts
from games.money.closings import close_night, seen_now
from games.money.payments import pay
from games.nights import local, night_of, window_of, zone_on
from games.notebook.books.audit import check_table
from games.notebook.fields import Unreadable
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.writing import write_table
from games.people.clocks import MOST_CHANGES, change_zone, known_zone, zone_change
from games.play import recording
from games.scoring.errors import RuleError
from games.season.seasons import close_season
from tests.tables import a_key, a_round, make_table, start
from tests.test_chain import execute, past_the_guards

BUENOS_AIRES, SAN_JOSE = "America/Argentina/Buenos_Aires", "America/Costa_Rica"
THURSDAY = date(2026, 3, 5)
A_DAY = timedelta(days=1)
EVENING = datetime(2026, 3, 6, 1, tzinfo=UTC)  # Thursday, 22:00 in Buenos Aires and 19:00 in San José
LATE = datetime(2026, 3, 6, 10, 30, tzinfo=UTC)  # Friday, 7:30 in Buenos Aires; in San José still 4:30

in_the_database = pytest.mark.django_db
ZONES = st.sampled_from(
    [BUENOS_AIRES, SAN_JOSE, "Europe/Madrid", "Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kolkata", "UTC"]
)


def a_clock(zone, *earlier):
    return Table(timezone=zone, earlier_zones=[[zone, last.isoformat()] for zone, last in earlier])


# --- nights -----------------------------------------------------------------------------------------------------------


def test_the_night_of_a_time_zone_change_ends_in_the_old_zone_and_the_next_in_the_new_one():
    table = a_clock(SAN_JOSE, (BUENOS_AIRES, THURSDAY))
    at_six = datetime(2026, 3, 6, 9, tzinfo=UTC)

    assert (at_six - A_DAY, at_six) == window_of(THURSDAY, table)
    assert (at_six, at_six + A_DAY + timedelta(hours=3)) == window_of(THURSDAY + A_DAY, table)
    assert THURSDAY + A_DAY == night_of(LATE, table)


def test_every_time_is_shown_in_the_time_zone_of_its_night():
    table = a_clock(SAN_JOSE, (BUENOS_AIRES, THURSDAY))

    assert "22:00" == f"{local(EVENING, table):%H:%M}"
    assert "19:00" == f"{local(EVENING + A_DAY, table):%H:%M}"
    assert [BUENOS_AIRES, SAN_JOSE] == [zone_on(THURSDAY + A_DAY * days, table) for days in (0, 1)]


@given(
    newest=ZONES,
    changes=st.lists(st.tuples(ZONES, st.integers(1, 3)), max_size=4),
    hours=st.integers(-100, 400),
)
def test_each_moment_belongs_to_exactly_one_night(newest, changes, hours):
    last, earlier = THURSDAY, []
    for zone, nights in changes:
        last += A_DAY * nights
        earlier.append((zone, last))
    table, moment = a_clock(newest, *earlier), EVENING + timedelta(hours=hours)
    night = night_of(moment, table)
    begins, ends = window_of(night, table)

    assert begins <= moment < ends
    assert ends <= window_of(night + A_DAY, table)[1]
    assert begins == window_of(night - A_DAY, table)[1]


# --- a change ---------------------------------------------------------------------------------------------------------


@in_the_database
def test_a_change_of_the_time_zone_takes_effect_with_the_next_night(table):
    change_zone(table, SAN_JOSE, at=EVENING)

    assert (SAN_JOSE, [[BUENOS_AIRES, "2026-03-05"]]) == (table.timezone, table.earlier_zones)
    assert datetime(2026, 3, 6, 9, tzinfo=UTC) == zone_change(table, EVENING)
    assert zone_change(table, LATE) is None


@in_the_database
def test_a_second_change_in_the_same_night_replaces_the_first_one(table):
    change_zone(table, "Europe/Madrid", at=EVENING)
    change_zone(table, SAN_JOSE, at=EVENING)
    assert [[BUENOS_AIRES, "2026-03-05"]] == table.earlier_zones
    change_zone(table, BUENOS_AIRES, at=EVENING)

    assert (BUENOS_AIRES, []) == (table.timezone, table.earlier_zones)
    assert [] == check_table(table).differences


@in_the_database
def test_setting_the_same_time_zone_again_changes_nothing(table):
    before = Table.objects.values().get()
    change_zone(table, BUENOS_AIRES, at=EVENING)

    assert before == Table.objects.values().get()


@in_the_database
def test_a_change_of_the_time_zone_beyond_the_maximum_is_refused(table):
    zones = (SAN_JOSE, BUENOS_AIRES)
    for night in range(MOST_CHANGES):
        change_zone(table, zones[night % 2], at=EVENING + A_DAY * night)

    with pytest.raises(RuleError, match="The time zone was changed too often"):
        change_zone(table, "Europe/Madrid", at=EVENING + A_DAY * MOST_CHANGES)


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd"])
def test_an_empty_or_unknown_time_zone_falls_back_to_that_of_the_site(zone, settings):
    settings.TIME_ZONE = "America/Santiago"

    assert "America/Santiago" == known_zone(zone)
    assert SAN_JOSE == known_zone(SAN_JOSE)


# --- earlier nights ---------------------------------------------------------------------------------------------------


@pytest.fixture
def two_nights(owner):
    """A table with two closed nights in Buenos Aires and San José, a dated payment, and two seasons."""
    with time_machine.travel(EVENING, tick=False) as clock:
        table = make_table(owner)
        play_and_close(table, owner, THURSDAY)
        change_zone(table, SAN_JOSE)
        clock.move_to(LATE + timedelta(hours=20))  # Saturday, 3:30 in Buenos Aires and 0:30 in San José
        close_season(table.seasons.get(), last_day=THURSDAY, next_name="Otoño")
        debts(table, owner, day=THURSDAY)
        clock.move_to(LATE + A_DAY)  # Saturday, 7:30 in Buenos Aires and 4:30 in San José
        play_and_close(table, owner, THURSDAY + A_DAY)
        yield table


def play_and_close(table, owner, night):
    game = start(table, owner, stake=100)
    lost = a_round("ana", beto=120, caro=120, dani=120)
    recording.record(game, lost, after=1, key=a_key(), by=owner)
    close_night(table, night, seen=seen_now(read_accounts(table)), by=owner)


def debts(table, owner, *, day):
    who = {member.slug: member for member in table.members.all()}
    pay(table, who["beto"], who["ana"], 40, method=Method.CASH, key=a_key(), by=owner, day=day)


def of_before(table):
    """Return the dates and times of the first night's game, season, payment and closing note."""
    game = table.games.order_by("pk")[0]
    payment, season = table.payments.get(), table.seasons.order_by("starts_on")[0]
    note = table.closing_notes.order_by("pk")[0]
    return (
        *(night_of(game.started_at, table), local(game.started_at, table).isoformat(), game.season_id),
        *(payment.paid_on, payment.made_at, night_of(payment.made_at, table)),
        *(season.starts_on, season.ends_on, note.night, note.text, window_of(note.night, table)),
    )


@in_the_database
def test_closed_nights_keep_their_local_times_after_changes_of_the_time_zone(two_nights):
    before = of_before(two_nights)
    assert (THURSDAY, "2026-03-05T22:00:00-03:00") == before[:2]
    change_zone(two_nights, "Europe/Madrid")

    games = two_nights.games.order_by("pk")
    assert before == of_before(two_nights)
    assert [THURSDAY, THURSDAY + A_DAY] == [night_of(game.started_at, two_nights) for game in games]
    assert [THURSDAY.toordinal(), THURSDAY.toordinal() + 1] == [game.night_number for game in games]
    assert ["22:00", "04:30"] == [f"{local(game.started_at, two_nights):%H:%M}" for game in games]
    assert [] == check_table(two_nights).differences


@in_the_database
def test_earlier_time_zones_survive_export_and_import(two_nights, owner):
    text = "".join(write_table(two_nights)).encode()
    copy = restore_table(read_table(text), key=a_key(), by=owner, again=True)

    assert (SAN_JOSE, two_nights.earlier_zones) == (copy.timezone, copy.earlier_zones)
    assert of_before(two_nights)[:2] == of_before(copy)[:2]
    assert [] == check_table(copy).differences


@in_the_database
def test_a_file_with_invalid_time_zones_is_refused(subtests, table):
    value = json.loads("".join(write_table(table)))
    for zones, sentence in [
        ([{"zone": "Mars/Olympus", "until": "2026-03-05"}], "The time zone “Mars/Olympus” doesn't exist."),
        ([{"zone": SAN_JOSE, "until": "2026-03-05"}] * 2, "A time zone ends after the one before it."),
        ([{"zone": SAN_JOSE, "until": "soon"}], "a day like 2024-05-31"),
        ([{"zone": SAN_JOSE, "until": "2026-03-05"}] * (MOST_CHANGES + 1), "more than 100 entries"),
    ]:
        with subtests.test(zones=zones, sentence=sentence):
            value["table"]["earlier_zones"] = zones

            with pytest.raises(Unreadable, match=sentence):
                read_table(json.dumps(value).encode())


@in_the_database
@pytest.mark.parametrize("column", ["timezone = 'UTC'", "earlier_zones = '[]'"])
def test_the_audit_reports_a_time_zone_altered_in_the_database(two_nights, column):
    with past_the_guards():
        execute(f"UPDATE games_table SET {column}")

    table = Table.objects.get()
    named = [str(difference) for difference in check_table(table).differences]
    assert any(f"table {table.pk}" in difference for difference in named)
