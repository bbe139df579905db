"""The phone's back button: the page is loaded again, because others may have recorded meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.nights import begin, play
from tests.worlds import make_table


@pytest.fixture
def game(owner):
    """A game of four before its first round."""
    return begin(make_table(owner), owner)


def test_the_back_button_shows_the_present_sheet(scorer, game, owner):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    play(game, owner, "round ana out beto=23 caro=29 dani=8")
    scorer.page.go_back()
    scorer.sees_totals("0", "23", "29", "8")


def test_the_back_button_after_saving_does_not_offer_the_same_round_again(scorer, game):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    scorer.went_out("ana")
    for points in (23, 29, 8):
        scorer.counted(points)
        scorer.tap("[data-go]")
    scorer.sees_totals("0", "23", "29", "8")
    scorer.page.go_back()
    expect(scorer.page.locator("h1")).to_contain_text("Mano 2")
    assert 2 == game.records.count()
