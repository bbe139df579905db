"""The phone's back button: the page is loaded again, because others may have recorded meanwhile."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.game_setup import play


def test_the_back_button_shows_the_present_sheet_and_offers_no_round_that_is_saved(
    scorer, started_game, owner
):
    scorer.page.goto(f"/g/{started_game.code}/")
    scorer.begin_round()
    play(started_game, owner, "round ana out beto=23 caro=29 dani=8")
    scorer.page.go_back()
    scorer.sees_totals("0", "23", "29", "8")

    scorer.begin_round("ana")
    scorer.enters(1, 2, 3)
    scorer.saves()
    scorer.sees_totals("0", "24", "31", "11")
    scorer.page.go_back()
    expect(scorer.page.locator("h1")).to_contain_text("Mano 3")
    assert 3 == started_game.records.count()
