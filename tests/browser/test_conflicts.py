"""A correction that contradicts later events: the conflict, its choices and the money before saving."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.nights import begin, play
from tests.browser.scorer import ERASE
from tests.worlds import make_table

SECOND_ROUND = 3  # event 1 is the game, event 2 the first round
STAKE = 100
NOTED = ".score .cell:has(.below)"  # figures with a note of what happened to the player after the round


@pytest.fixture
def game(owner):
    """Four people at $ 100 each on the rising ladder, before any round."""
    return begin(make_table(owner), owner, stake=STAKE, reentry_price="linear", reentries="unlimited")


@pytest.fixture
def played_on(scorer, owner, game):
    """A correction to 45 points that makes Beto bust in round 2, although Beto played round 3."""
    play(
        game,
        owner,
        "round ana out beto=60 caro=40 dani=12",
        "round caro out ana=20 beto=30 dani=30",
        "round dani out ana=5 beto=5 caro=7",
    )
    scorer.page.goto(f"/g/{game.code}/")
    scorer.sees_totals("25", "95", "47", "42")
    type_instead(scorer, "beto", 45)
    return scorer


def type_instead(scorer, player, points):
    """Correct this player's second round, up to its consequences."""
    scorer.opens_cell(player, SECOND_ROUND)
    scorer.hold(ERASE)
    scorer.counted(points)
    scorer.sees_what_changes()


def test_the_re_entry_of_a_player_no_longer_bust_is_cancelled_and_refunded(scorer, owner, game):
    play(
        game,
        owner,
        "round ana out beto=60 caro=40 dani=12",
        "round caro out ana=20 beto=45 dani=30",
        "reenter beto",
        "round dani out ana=5 beto=10 caro=7",
    )
    scorer.page.goto(f"/g/{game.code}/")
    scorer.sees_totals("25", "52", "47", "42")
    assert "$ 500" == scorer.pot

    type_instead(scorer, "beto", 30)
    question = scorer.page.locator("fieldset.stack")
    expect(question.locator("legend")).to_have_text(
        "Ahora Beto no se pasa en la mano 2, pero se había reenganchado"
    )
    expect(question.locator("p")).to_have_text("Anular ese reenganche y devolverle $\u00a0100 a Beto")
    expect(question.locator("input[type=radio]")).to_have_count(0)
    changes = scorer.changes()
    assert "52 → 100" == changes["Beto"]
    assert "$ 500 → $ 400" == changes["Pozo"]
    assert "−$ 200 → −$ 100" == next(changes[what] for what in changes if what == "Plata de Beto")
    assert 5 == game.records.count()

    scorer.confirms()
    scorer.sees_totals("25", "100", "47", "42")
    assert "$ 400" == scorer.pot
    expect(scorer.page.locator(NOTED)).to_have_count(0)


def test_a_newly_bust_player_who_played_on_re_enters_before_the_next_round(played_on, game):
    scorer = played_on
    question = scorer.page.locator("fieldset.stack")
    expect(question.locator("legend")).to_contain_text("Beto")
    expect(question.locator("input")).to_have_count(2)
    expect(question.locator("input[value=reenter]")).to_be_checked()
    expect(question.locator("label").first).to_contain_text("42")
    changes = scorer.changes()
    assert "95 → 47" == changes["Beto"]
    assert "$ 400 → $ 500" == changes["Pozo"]
    assert 4 == game.records.count()

    scorer.confirms()
    scorer.sees_totals("25", "47", "47", "42")
    assert "$ 500" == scorer.pot
    expect(scorer.page.locator(NOTED)).to_have_text(["45vuelve: 42"])


def test_a_newly_bust_player_can_be_declared_out_and_loses_later_hands(played_on, game):
    scorer = played_on
    assert "95 → 47" == scorer.changes()["Beto"]
    scorer.tap("label:has(input[value=stay_out])")
    expect(scorer.page.locator("#what-changes")).to_contain_text("95 → 105")
    expect(scorer.page.locator("input[value=stay_out]")).to_be_checked()
    changes = scorer.changes()
    assert "95 → 105" == changes["Beto"]
    assert "Pozo" not in changes
    assert 4 == game.records.count()

    scorer.tap("label:has(input[value=reenter])")
    expect(scorer.page.locator("#what-changes")).to_contain_text("95 → 47")
    scorer.tap("label:has(input[value=stay_out])")
    expect(scorer.page.locator("#what-changes")).to_contain_text("95 → 105")

    scorer.confirms()
    scorer.sees_totals("25", "105", "47", "42")
    assert "$ 400" == scorer.pot
    last_hand = scorer.page.locator("tbody tr").last.locator("td").nth(1)
    expect(last_hand.locator(".cell")).to_have_text("afuera")


def test_a_correction_with_its_remedies_is_undone_in_one_step(played_on):
    scorer = played_on
    scorer.confirms()
    scorer.sees_totals("25", "47", "47", "42")
    scorer.tap(".undo button")
    scorer.sees_totals("25", "95", "47", "42")
    assert "$ 400" == scorer.pot


def test_leaving_the_conflict_page_records_nothing(played_on, game):
    scorer = played_on
    scorer.tap(".dock a.btn")
    scorer.sees_totals("25", "95", "47", "42")
    assert 4 == game.records.count()
