"""Any other game by taps: its rounds have no closer, so the pad begins with the first player."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.nights import begin
from tests.browser.scorer import seat
from tests.worlds import make_table


@pytest.fixture
def scorer(scorer, owner):
    """The owner at the sheet of a game of Generala to 30 that has just begun."""
    game = begin(make_table(owner, people=("Ana", "Beto", "Caro")), owner, variant="points", name="Generala")
    scorer.page.goto(f"/g/{game.code}/")
    return scorer


def test_a_points_game_with_negative_points_is_played_to_its_end(scorer):
    page = scorer.page
    expect(page.locator("h1")).to_contain_text("Generala")
    scorer.begin_round("ana")
    scorer.enters(12, 8)
    scorer.goes_on()
    page.reload()
    expect(page.locator(seat("caro"))).to_have_attribute("aria-current", "true")
    scorer.tap("[data-minus]")
    scorer.counted(3)
    assert ["12", "8", "−3"] == scorer.hands()
    scorer.saves()
    scorer.sees_totals("12", "8", "−3")

    scorer.opens_cell("beto", 2)
    scorer.counted(9)
    scorer.sees_what_changes()
    scorer.confirms()
    scorer.sees_totals("12", "9", "−3")

    scorer.begin_round("beto")
    expect(page.locator(seat("beto"))).to_have_attribute("aria-current", "true")
    scorer.enters(0, 14, 20)
    assert ["20", "0", "14"] == scorer.hands()
    scorer.saves()
    expect(page.locator("h1")).to_contain_text("Ana")


def test_one_tap_fills_the_empty_hands_with_zeros(scorer):
    scorer.begin_round("ana")
    scorer.counted(12)
    scorer.tap("[data-zeros]")
    assert ["12", "0", "0"] == scorer.hands()
    expect(scorer.page.locator("[data-zeros]")).to_be_disabled()
    scorer.opens("caro")
    scorer.counted(7)
    scorer.saves()
    scorer.sees_totals("12", "0", "7")
