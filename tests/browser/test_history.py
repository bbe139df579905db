"""The phone's back button: the page behind is loaded again, since others may have recorded meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.nights import begin, play
from tests.tables import make_table


@pytest.fixture
def game(owner):
    """A game of four before its first round."""
    return begin(make_table(owner), owner)


def test_going_back_shows_the_sheet_as_it_is_now(scorer, game, owner):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    play(game, owner, "round ana out beto=23 caro=29 dani=8")
    scorer.page.go_back()
    scorer.sees_totals("0", "23", "29", "8")


@pytest.mark.slow
def test_going_forward_again_opens_the_pad_of_the_round_to_come(scorer, game, owner):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    scorer.page.go_back()
    scorer.sees_totals("0", "0", "0", "0")
    play(game, owner, "round ana out beto=23 caro=29 dani=8")
    scorer.page.go_forward()
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    expect(scorer.page.locator("h1")).to_contain_text("Mano 2")


def test_going_back_after_a_round_was_saved_offers_no_second_one(scorer, game):
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
