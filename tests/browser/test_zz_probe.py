from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.nights import begin, play
from tests.worlds import make_table


def test_probe(page, phone, owner, let_in, complaints):
    let_in(phone, owner)
    table = make_table(owner, people=("Ana", "Beto", "Caro"))
    play(begin(table, owner, stake=500), owner, "stop refund")
    page.goto(f"/t/{table.code}/new/")
    page.locator("#says").tap()
    page.locator(".games .chip:has([value=points])").tap()
    expect(page.locator("[name=shown]")).to_have_value("points")
    page.locator("#presets .tile").first.tap()
    page.wait_for_timeout(500)
    print("BEFORE", list(complaints))
    page.screenshot(path="/tmp/team/play_x.png")
    page.wait_for_timeout(500)
    print("AFTER", list(complaints))
    complaints.clear()
