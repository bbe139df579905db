"""A whole game of Central American Loba by taps, in which everybody pays their points to the winner."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.contract_night import plays
from tests.browser.nights import begin
from tests.browser.settled import pages_match_their_text
from tests.worlds import make_table


@pytest.fixture
def scorer(scorer, owner):
    """The owner at the sheet of a game of three, five pesos a point."""
    table = make_table(owner, people=("Ana", "Beto", "Caro"))
    game = begin(table, owner, variant="loba_ca", settlement="to_winner", point_value=5)
    scorer.page.goto(f"/g/{game.code}/")
    return scorer


def test_a_game_of_central_american_loba_is_played_to_its_end(scorer, tmp_path):
    plays(scorer, "2 tríos", "ana", "K Q A", "J 7 *")
    scorer.sees_totals("0", "39", "43")
    plays(scorer, "1 trío y 1 escalera", "beto", "10 9", 31)
    plays(scorer, "2 escaleras", "caro", "2 2 3", "A A")
    scorer.sees_totals("26", "67", "74")
    plays(scorer, "3 tríos", "ana", 12, "Q")
    plays(scorer, "2 tríos y 1 escalera", "beto", "J J", "5 5 6")
    plays(scorer, "1 trío y 2 escaleras", "ana", "K", "4")
    expect(scorer.page.locator("h1")).to_contain_text("Ana")
    seen = pages_match_their_text(scorer, tmp_path)
    assert {"Ana": 48, "Beto": 92, "Caro": 106} == seen.totals
    assert {"Ana": 990, "Beto": -460, "Caro": -530} == seen.nets
    assert [("Caro", "Ana", 530), ("Beto", "Ana", 460)] == seen.payments
