"""The page of a table's time zone, and the time zone that a phone sends when it makes a table."""

from __future__ import annotations

import pytest
import time_machine
from django.urls import reverse

from games.models import Table
from tests.reader import Walker, open_page, read_page
from tests.tables import a_key

pytestmark = pytest.mark.django_db

BUENOS_AIRES, SAN_JOSE = "America/Argentina/Buenos_Aires", "America/Costa_Rica"
EVENING = "2026-03-06T01:00Z"  # Thursday, 22:00 in Buenos Aires


@pytest.fixture
def clock(table):
    return reverse("clock", args=[table.code])


def test_an_owner_finds_the_time_zone_in_the_tables_settings(ana, table, clock):
    with time_machine.travel(EVENING, tick=False):
        page = open_page(ana, reverse("table-settings", args=[table.code]))

    (link,) = [link for link in page.every("a") if link.attrs.get("href") == clock]
    assert "The table's clock Buenos Aires, Argentina, 22:00" == link.text


def test_a_witness_has_no_link_to_the_time_zone(waldo, table, clock):
    links = open_page(waldo, reverse("table-settings", args=[table.code])).every("a")

    assert clock not in [link.attrs.get("href") for link in links]


def test_the_tables_hours_are_those_of_the_chosen_time_zone_at_once(ana, table, clock):
    with time_machine.travel(EVENING, tick=False):
        walker = Walker(ana)
        walker.open(clock)
        page = walker.press("Save", timezone=SAN_JOSE)

    assert "Costa Rica 19:00" == page.only("dl").text


def test_an_unknown_time_zone_is_refused_beside_its_field(subtests, ana, table, clock):
    for zone in ["Mars/Olympus", ""]:
        with subtests.test(zone=zone):
            response = ana.post(clock, {"timezone": zone})

            sentence = f"The time zone “{zone}” doesn't exist."
            assert (422, sentence) == (response.status_code, read_page(response).said_at("timezone"))
            assert BUENOS_AIRES == Table.objects.get(pk=table.pk).timezone


@pytest.mark.parametrize("zone", [SAN_JOSE, "UTC"])
def test_the_list_of_time_zones_includes_the_tables_present_one(ana, table, clock, zone):
    Table.objects.update(timezone=zone)

    assert zone == open_page(ana, clock).typed("timezone")


# --- the phone that makes a table -------------------------------------------------------------------------------------

GAME = {"variant": "loba_menos", "new-1": "Ana", "new-2": "Beto", "option-stake": "100"}
BROUGHT = {"table-name": "Mesa", "people": "Ana, Beto", "unit": "$", "what": "nothing"}


@pytest.mark.parametrize(("page", "typed"), [("new-table", GAME), ("bring", BROUGHT)])
@pytest.mark.parametrize(
    ("sent", "zone"),
    [({"timezone": SAN_JOSE}, SAN_JOSE), ({"timezone": "Mars/Olympus"}, BUENOS_AIRES), ({}, BUENOS_AIRES)],
)
def test_a_new_table_gets_the_time_zone_of_the_phone_or_else_of_the_site(ana, page, typed, sent, zone):
    ana.post(reverse(page), {**typed, **sent, "key": a_key()})

    assert zone == Table.objects.latest("pk").timezone


@pytest.mark.parametrize("page", ["new-table", "bring"])
def test_a_refused_form_keeps_the_phones_time_zone(nobody, page):
    response = nobody.post(reverse(page), {"timezone": SAN_JOSE, "key": a_key()})

    field = read_page(response).only("input", name="timezone")
    assert (422, SAN_JOSE) == (response.status_code, field.attrs["value"])
