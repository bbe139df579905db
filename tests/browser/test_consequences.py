"""The consequences of a round, shown before it is saved, also on the smallest phone.

`play/views/test_consequences.py` has their sentences and figures.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.tables.services import membership
from tests.browser.game_setup import begin, play
from tests.browser.scorer import CONFIRM, ERASE, GO

PHONES = ((390, 844), (360, 740), (360, 640), (320, 640))
WHOLE = 0.95  # the share of a line that must be visible


def test_an_impossible_hand_is_named_and_the_end_of_the_game_stands_in_view_on_every_phone(
    scorer, table, owner
):
    """Everybody except Dani is about to go bust. Then another phone records a round, too."""
    game = play(begin(table, owner, stake=100), owner, "round dani out ana=89 beto=80 caro=88")
    scorer.page.goto(f"/g/{game.code}/round/?closer=dani")
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    scorer.counted(999)
    expect(scorer.page.locator("#consequences")).to_contain_text("Ana tiene más de 90")  # nine cards of ten
    scorer.hold(ERASE)
    scorer.enters(95, 99, 88)
    for is_late in (False, True):
        if is_late:
            play(game, owner, "round dani out ana=1 beto=1 caro=1")
            scorer.tap(GO)
            expect(scorer.page.locator(".entry .body .notice")).to_be_visible()
        for width, height in PHONES:
            scorer.page.set_viewport_size({"width": width, "height": height})
            first = scorer.page.locator("#consequences li").first
            expect(first).to_contain_text("Si guardás, termina: gana Dani")
            expect(first).to_be_in_viewport(ratio=WHOLE)


def test_a_correction_shows_first_the_re_entry_that_it_takes_back(scorer, table, owner):
    game = begin(table, owner, stake=100)
    play(game, owner, "round ana out beto=101 caro=40 dani=60", "reenter beto")
    scorer.page.set_viewport_size({"width": 360, "height": 640})
    scorer.page.goto(f"/g/{game.code}/correct/2/?hand=beto")
    scorer.hold(ERASE)
    scorer.counted(11)
    scorer.sees_what_changes()

    expect(scorer.page.get_by_text("Anular ese reenganche y devolverle")).to_be_in_viewport(ratio=1)
    expect(scorer.page.locator(CONFIRM)).to_be_in_viewport(ratio=1)
    scorer.confirms()


@pytest.mark.long
def test_a_name_and_its_total_stay_in_one_line_where_a_re_entry_is_asked_about(scorer, table, owner):
    membership.add(table, "Eli")
    game = play(begin(table, owner, stake=100), owner, "round dani out ana=110 beto=100 caro=100 eli=100")
    scorer.page.set_viewport_size({"width": 360, "height": 640})
    scorer.page.goto(f"/g/{game.code}/reentry/")
    totals = scorer.page.locator(".busted ~ p > [title]")
    expect(totals).to_have_text(["Ana 110", "Beto 100", "Caro 100", "Dani 0", "Eli 100"])

    assert [1] * 5 == totals.evaluate_all("(all) => all.map((one) => one.getClientRects().length)")
