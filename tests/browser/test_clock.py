"""The time zone of a phone: sent with a new table, and offered in the table's settings."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Table
from tests.worlds import make_table

SAN_JOSE = "America/Costa_Rica"


@pytest.fixture
def abroad(open_phone):
    """The phone of somebody in San José, beside a site in Buenos Aires."""
    return open_phone(timezone_id=SAN_JOSE)


def test_a_new_table_has_the_time_zone_of_the_phone(abroad):
    page = abroad.new_page()
    page.goto("/new/")
    expect(page.locator("[name=timezone]")).to_have_value(SAN_JOSE)
    for name in ("Ana", "Beto"):
        page.locator("#new-name").fill(name)
        page.locator("[data-add] button").tap()
    page.locator(".dock .go").tap()
    expect(page.locator(".score")).to_be_visible()

    assert SAN_JOSE == Table.objects.get().timezone


def test_the_settings_offer_the_phones_time_zone(abroad, owner, let_in):
    let_in(abroad, owner)
    table = make_table(owner)
    page = abroad.new_page()
    page.goto(f"/t/{table.code}/settings/change/time-zone/")
    page.locator("#timezone").select_option(index=0)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator("#settings .go").tap()
    expect(page.locator("main")).to_contain_text("Costa Rica")

    table.refresh_from_db()
    assert SAN_JOSE == table.timezone
