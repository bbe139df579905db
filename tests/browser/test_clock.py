"""The time zone of a phone: sent with a new table, and offered in the table's settings.

`test_clock.py` has a server's clock that jumps.
"""

from __future__ import annotations

from playwright.sync_api import expect

from games.models import Table
from tests.browser.scorer import Scorer, write_name

SAN_JOSE, BUENOS_AIRES = "America/Costa_Rica", "America/Argentina/Buenos_Aires"


def test_a_new_table_has_the_time_zone_of_the_phone_and_its_settings_offer_it(open_phone):
    page = open_phone(timezone_id=SAN_JOSE).new_page()
    page.goto("/new/")
    expect(page.locator("[name=timezone]")).to_have_value(SAN_JOSE)
    for name in ("Ana", "Beto"):
        write_name(Scorer(page), name)
    page.locator(".dock .go").tap()
    expect(page.locator(".score")).to_be_visible()
    table = Table.objects.get()
    assert SAN_JOSE == table.timezone

    Table.objects.update(timezone=BUENOS_AIRES)
    page.goto(f"/t/{table.code}/settings/change/time-zone/")
    page.locator("#timezone").select_option(index=0)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator("#settings .go").tap()
    expect(page.locator("main")).to_contain_text("Costa Rica")
    table.refresh_from_db()
    assert SAN_JOSE == table.timezone
