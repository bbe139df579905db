"""A whole game of Argentine Carioca by taps, with bought cards counted, for a pot."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.contract_night import plays
from tests.browser.nights import begin
from tests.browser.scorer import Scorer, seat
from tests.browser.settled import pages_match_their_text
from tests.worlds import make_table


@pytest.fixture
def start(page, phone, owner, let_in):
    """`start(**options)` is the owner at the sheet of a game of four that has just begun."""
    let_in(phone, owner)

    def begin_game(**options):
        game = begin(make_table(owner), owner, variant="carioca_ar", **options)
        page.goto(f"/g/{game.code}/")
        return Scorer(page)

    return begin_game


def test_a_game_of_argentine_carioca_is_played_to_its_end(start, tmp_path):
    scorer = start(settlement="pot", stake=500)
    plays(scorer, "2 tríos", "ana", "K 7 *", "A", 9)
    scorer.sees_totals("0", "67", "20", "9")
    plays(scorer, "1 trío y 1 escalera", "beto", "2 3", 20, "10 10")
    plays(scorer, "2 escaleras", "caro", 31, "J", "Q 4")
    plays(scorer, "3 tríos", "dani", "A A", 15, "5")
    scorer.sees_totals("76", "92", "45", "43")
    plays(scorer, "2 tríos y 1 escalera", "ana", 8, 4, 2)
    plays(scorer, "1 trío y 2 escaleras", "beto", "6", "6", "6")
    plays(scorer, "3 escaleras", "caro", "*", 10, "K")
    expect(scorer.page.locator("h1")).to_contain_text("Caro")
    seen = pages_match_their_text(scorer, tmp_path)
    assert {"Ana": 132, "Beto": 110, "Caro": 55, "Dani": 61} == seen.totals
    assert {"Ana": -500, "Beto": -500, "Caro": 1500, "Dani": -500} == seen.nets


def test_bought_cards_count_for_everybody_and_survive_a_reload(start):
    scorer = start(buy_points=5)
    page = scorer.page
    scorer.begin_round("ana")
    scorer.buys(2)
    scorer.goes_on()
    scorer.buys(1)
    assert ["10", "·", "·", "·"] == scorer.hands()
    scorer.holds("K 7")
    assert "22" == scorer.hands()[1]
    page.reload()
    expect(page.locator("[data-bought]")).to_have_text("1")
    scorer.tap("[data-buy='-1']")
    assert ["10", "17", "·", "·"] == scorer.hands()
    scorer.buys(1)
    scorer.goes_on()
    scorer.enters(4, 5)
    scorer.buys(1)
    scorer.saves()
    scorer.sees_totals("10", "22", "4", "10")
    scorer.opens_cell("ana", 2)
    expect(page.locator("[data-bought]")).to_have_text("2")
    expect(page.locator(seat("ana"))).to_have_attribute("aria-current", "true")
