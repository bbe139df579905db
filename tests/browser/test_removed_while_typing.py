"""A scorer is removed while typing on the pad: the pad says so, and all typed values stay on the screen."""

from __future__ import annotations

from playwright.sync_api import expect

from games.models import Role
from games.tables.lobby import end
from tests.browser.nights import begin
from tests.browser.scorer import GO, Scorer, plain
from tests.worlds import let_in_as, make_table, make_user


def test_the_pad_reports_the_removal_and_the_page_after_saving_shows_the_typed_hands(
    open_phone, owner, let_in, forgive
):
    forgive("status of 404")
    table, sonia = make_table(owner), make_user("sonia")
    game = begin(table, owner)
    let_in_as(sonia, table, Role.SCORER)
    phone = open_phone()
    let_in(phone, sonia)
    scorer = Scorer(phone.new_page())
    scorer.page.goto(f"/g/{game.code}/round/")
    scorer.went_out("ana")
    scorer.holds("K 7")
    end(table.accesses.get(user=sonia), by=owner)
    scorer.goes_on()
    scorer.counted(23)
    expect(scorer.page.locator("#consequences li.red")).to_have_text(
        "Ya no podés anotar acá. Lo que escribiste queda en esta página."
    )
    assert ["0", "17", "23", "·"] == scorer.hands()
    scorer.goes_on()
    scorer.counted(8)
    scorer.tap(GO)
    typed = scorer.page.locator("main.gone dl > div")
    expect(typed).to_have_count(4)
    assert ["ana terminó la mano", "beto [K 7]", "caro 23", "dani 8"] == [
        plain(text) for text in typed.all_inner_texts()
    ]
    assert 1 == game.records.count()
