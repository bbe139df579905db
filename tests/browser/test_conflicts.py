"""A correction that contradicts later events: the conflict, its choices and the money before saving."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.game_setup import RISING, begin, play
from tests.browser.scorer import ERASE


def test_a_newly_bust_player_who_played_on_is_declared_out_and_undone_in_one_step(scorer, table, owner):
    game = begin(table, owner, stake=100, **RISING)
    rounds = (
        "ana out beto=60 caro=40 dani=12",
        "caro out ana=20 beto=30 dani=30",
        "dani out ana=5 beto=5 caro=7",
    )
    play(game, owner, *(f"round {line}" for line in rounds))
    scorer.page.goto(f"/g/{game.code}/")
    scorer.opens_cell("beto", 3)
    scorer.hold(ERASE)
    scorer.counted(45)
    scorer.sees_what_changes()
    changes = scorer.page.locator("#what-changes")
    for answer, total in (("stay_out", 105), ("reenter", 47), ("stay_out", 105)):
        scorer.tap(f"label:has(input[value={answer}])")
        expect(changes).to_contain_text(f"95 → {total}")
        expect(scorer.page.locator(f"input[value={answer}]")).to_be_checked()
        expect(changes.locator("li", has_text="Pozo")).to_have_count(int(answer == "reenter"))
    assert 4 == game.records.count()

    scorer.confirms()
    scorer.sees_totals("25", "105", "47", "42")
    assert "$ 400" == scorer.pot
    last_hand = scorer.page.locator("tbody[data-scroll-end] tr").last.locator("td").nth(1)
    expect(last_hand).to_have_text("afuera")
    scorer.tap("#last button")
    scorer.sees_totals("25", "95", "47", "42")
