"""The settings of a table: those of its creator's phone, what a change leaves unchanged, and its file.

`test_settings.py` has the settings of a site.
"""

from __future__ import annotations

import zoneinfo
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from games.common import days
from games.files.services import audit
from games.models import Table
from games.play.services import recording
from games.tables.services import setup
from tests.factories import build_round, make_table, new_key, start
from tests.reader import read_page

BUENOS_AIRES, SAN_JOSE = "America/Argentina/Buenos_Aires", "America/Costa_Rica"
THURSDAY = date(2026, 3, 5)
A_DAY = timedelta(days=1)
LATE = datetime(2026, 3, 6, 10, 30, tzinfo=UTC)  # Friday, 7:30 in Buenos Aires; in San José still 4:30

in_the_database = pytest.mark.django_db

# --- the phone that makes a table -------------------------------------------------------------------------------------

GAME_FORM = {"variant": "loba_menos", "new-1": "Ana", "new-2": "Beto", "option-stake": "100"}
IMPORT_FORM = {"table-name": "Mesa", "people": "Ana, Beto", "unit": "$", "what": "nothing"}
both_pages = pytest.mark.parametrize(
    ("page", "form_data"), [("new-table", GAME_FORM), ("bring", IMPORT_FORM)]
)


@in_the_database
@both_pages
def test_a_new_table_gets_the_phones_region_and_time_zone(client_for, owner, page, form_data):
    client_for(owner, language="es-MX").post(
        reverse(page), {**form_data, "timezone": SAN_JOSE, "key": new_key()}
    )
    table = Table.objects.latest("pk")

    assert ("es-MX", SAN_JOSE) == (table.region, table.timezone)


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "localtime"])
def test_a_zone_that_not_every_computer_has_is_that_of_the_site(zone):
    assert BUENOS_AIRES == setup.zone_or_default(zone)
    assert [SAN_JOSE, "UTC", "EST5EDT"] == [*map(setup.zone_or_default, (SAN_JOSE, "UTC", "EST5EDT"))]


@in_the_database
@pytest.mark.parametrize("zone", ["localtime", "Mars/Olympus"])
def test_a_table_whose_zone_this_computer_lacks_has_the_clock_of_the_site(
    ana, finished_table, monkeypatch, zone
):
    monkeypatch.setattr(zoneinfo, "TZPATH", ())
    zoneinfo.ZoneInfo.clear_cache()
    Table.objects.filter(pk=finished_table.pk).update(timezone=zone)
    pages = ("/", *(f"/t/{finished_table.code}/{page}" for page in ("accounts/", "games/", "settings/")))

    assert dict.fromkeys(pages, 200) == {page: ana.get(page, follow=True).status_code for page in pages}
    assert 200 == ana.get(f"/api/v1/tables/{finished_table.code}/games/").status_code


@in_the_database
@both_pages
def test_a_refused_form_keeps_the_phones_time_zone(nobody, page, form_data):
    response = nobody.post(reverse(page), {"timezone": SAN_JOSE, "key": new_key()})

    field = read_page(response).only("input", name="timezone")
    assert (422, SAN_JOSE) == (response.status_code, field.attrs["value"])


# --- a change ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def finished_table(owner):
    """A table in Buenos Aires whose finished game began on Friday at 7:30, on San José's Thursday night."""
    with time_machine.travel(LATE, tick=False):
        table = make_table(owner)
        game = start(table, owner, stake=100)
        last_round = build_round("ana", beto=120, caro=120, dani=120)
        recording.record(game, last_round, after=1, key=new_key(), by=owner)
    return table


def game_nights(table):
    return [date.fromordinal(game.night_number) for game in table.games.order_by("pk")]


@in_the_database
def test_a_change_is_shown_by_live_pages_and_written_once_only(table):
    before = Table.objects.get()
    for _again in range(2):
        setup.change_settings(table, name="Los viernes")

    after = Table.objects.get()
    assert before.revision + 1 == after.revision
    assert before.version + 1 == after.version
    assert [] == audit.check_table(table).differences


@in_the_database
def test_a_game_keeps_its_night_and_its_hours_are_shown_in_the_new_zone(finished_table, owner):
    setup.change_settings(finished_table, timezone=SAN_JOSE)
    with time_machine.travel(LATE, tick=False):
        start(finished_table, owner, stake=100)

    assert [THURSDAY + A_DAY, THURSDAY] == game_nights(finished_table)
    assert (
        "04:30"
        == f"{days.to_table_time(finished_table.games.earliest('pk').started_at, finished_table):%H:%M}"
    )
    assert [] == audit.check_table(finished_table).differences
