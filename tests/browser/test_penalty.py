"""A penalty by taps alone: quick points, a reason in at most one tap."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.nights import begin
from tests.browser.scorer import Scorer
from tests.worlds import make_table

ANA, DANI = (f".chip:has([value={player}])" for player in ("ana", "dani"))
PENALTY = "a[href$='/adjust/']"


def test_a_penalty_takes_four_taps_and_other_points_can_be_typed(page, phone, owner, let_in):
    let_in(phone, owner)
    game = begin(make_table(owner), owner)
    scorer = Scorer(page)
    page.goto(f"/g/{game.code}/more/")
    for target in (PENALTY, ANA, "[data-to='10']", ".dock .go"):
        scorer.tap(target)
    expect(page.locator("#last")).to_contain_text("Ana +10: multa")
    assert 4 == scorer.taps

    page.goto(f"/g/{game.code}/more/")
    for target in (PENALTY, DANI, "[data-to='no respetó una regla']"):
        scorer.tap(target)
    page.locator("#points").fill("-12")
    scorer.tap(".dock .go")
    expect(page.locator("#last")).to_contain_text("Dani −12: no respetó una regla")
