"""A penalty by taps alone: quick points, keys with a minus, a reason in at most one tap."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.nights import begin
from tests.browser.scorer import Scorer
from tests.worlds import make_table

ANA, DANI = (f"#penalty .chip:has([value={player}])" for player in ("ana", "dani"))


def test_a_penalty_takes_four_taps_and_other_points_can_be_typed_on_keys(page, phone, owner, let_in):
    let_in(phone, owner)
    game = begin(make_table(owner), owner)
    scorer = Scorer(page)
    page.goto(f"/g/{game.code}/more/")
    for target in ("#penalty > summary", ANA, "[data-to='10']", "#penalty .go"):
        scorer.tap(target)
    expect(page.locator(".undo")).to_contain_text("Ana +10: multa")
    assert 4 == scorer.taps

    page.goto(f"/g/{game.code}/more/")
    for target in ("#penalty > summary", DANI, "[data-to='-25']", "#points"):
        scorer.tap(target)
    for key in ("[data-add='1']", "[data-add='3']", "[data-less]", "[data-add='2']", "[data-sign]"):
        scorer.tap(key)
    typed = page.locator("#points").evaluate("field => [field.value, field.inputMode]")
    assert ["-12", "none"] == typed  # the phone's own keyboard stays closed
    scorer.tap("[data-because='no respetó una regla']")
    scorer.tap("#penalty .go")
    expect(page.locator(".undo")).to_contain_text("Dani −12: no respetó una regla")
