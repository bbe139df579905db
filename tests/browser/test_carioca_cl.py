"""A whole game of Chilean Carioca by taps, settled pair by pair, including a round without a closer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.contract_night import plays
from tests.browser.nights import begin
from tests.browser.settled import pages_match_their_text
from tests.worlds import make_table


@pytest.fixture
def scorer(scorer, owner):
    """The owner at the sheet of a game of four; going out in one go gives ten points, and a point is two
    pesos.
    """
    options: dict[str, int | str] = {"settlement": "pairs", "point_value": 2, "in_one_go": -10}
    game = begin(make_table(owner), owner, variant="carioca_cl", **options)
    scorer.page.goto(f"/g/{game.code}/")
    return scorer


def test_a_game_of_chilean_carioca_is_played_to_its_end(scorer, tmp_path):
    page = scorer.page
    plays(scorer, "2 tríos", "dani", "K 7 *", "A", 9)
    scorer.sees_totals("67", "20", "9", "0")

    scorer.begin_round("beto")
    scorer.tap("[data-closing=in_one_go]")
    scorer.enters("2 3", 20, "10 10")
    assert ["5", "−10", "20", "20"] == scorer.hands()
    scorer.saves()

    scorer.begin_round()
    scorer.went_out("nobody")
    expect(page.locator("[data-closings]")).to_be_hidden()
    scorer.enters(1, 2, "3", "4")
    scorer.saves()
    scorer.sees_totals("73", "12", "32", "24")

    plays(scorer, "3 tríos", "ana", 15, "5", "A A")
    plays(scorer, "2 tríos y 1 escalera", "ana", 8, 4, 2)
    plays(scorer, "1 trío y 2 escaleras", "beto", "6", "6", "6")
    plays(scorer, "escalera real", "caro", "K Q J 10 9", 10, "*")
    expect(page.locator("h1")).to_contain_text("Beto")
    seen = pages_match_their_text(scorer, tmp_path)
    assert {"Ana": 128, "Beto": 45, "Caro": 47, "Dani": 122} == seen.totals
    assert 0 == sum(seen.nets.values())
    assert {"Ana": -340, "Beto": 324, "Caro": 308, "Dani": -292} == seen.nets
