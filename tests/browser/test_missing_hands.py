"""A wrong answer put right on a phone: the pad asks for the hands that are missing, round by round.

`api/test_missing_hands.py` has the refusals of the API; `play/views/test_missing_hands.py` has the pages without
scripts.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.scoring.ledger import nets
from tests.browser.game_setup import begin, play
from tests.browser.scorer import GO, Scorer, seat

LINES = (
    "round ana cut ana=1 beto=10 caro=101 dani=20",
    "stay_out caro",
    "round beto cut ana=10 beto=2 dani=30",
    "round ana cut ana=3 beto=20 dani=12",
)


@pytest.fixture
def chinchon(table, owner):
    return play(begin(table, owner, variant="chinchon", packs=2, stake=1000), owner, *LINES)


@pytest.fixture
def corrector(scorer, chinchon):
    """The scorer on the page of Caro's wrong answer."""
    scorer.page.goto(f"/g/{chinchon.code}/correct/3/")
    return scorer


def comes_back_after_all(scorer: Scorer) -> None:
    scorer.tap("button[value=reenter]")
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()


def asks_for(scorer: Scorer, number: int) -> None:
    """Wait for the pad of this round, on which only Caro's hand can be entered."""
    expect(scorer.page.locator("h1")).to_contain_text(f"Mano {number}")
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    expect(scorer.page.locator(seat("caro"))).to_have_attribute("aria-current", "true")
    for player in ("ana", "beto", "dani"):
        expect(scorer.page.locator(seat(player))).to_be_disabled()


def test_the_missing_hands_are_entered_on_the_pad_and_saved_at_once(corrector, chinchon):
    comes_back_after_all(corrector)
    asks_for(corrector, 2)
    assert ["10", "2", "·", "30"] == corrector.hands()
    corrector.counted(90)
    assert ["10", "2", "90", "30"] == corrector.hands()
    expect(corrector.page.locator("#consequences")).to_contain_text("Caro")
    corrector.tap(GO)

    expect(corrector.page.locator(".deskpage .ask")).to_contain_text("Caro")
    corrector.tap("form.dock button[value=reenter]")
    asks_for(corrector, 3)
    corrector.counted(4)
    corrector.tap(GO)

    expect(corrector.page.locator("#changes")).to_be_visible()
    assert 5 == chinchon.records.count()
    corrector.confirms()
    corrector.sees_totals("14", "32", "54", "62")
    right = play(
        begin(chinchon.table, chinchon.records.first().recorded_by, variant="chinchon", packs=2, stake=1000),
        chinchon.records.first().recorded_by,
        LINES[0],
        "reenter caro",
        f"{LINES[2]} caro=90",
        "reenter caro",
        f"{LINES[3]} caro=4",
    )
    assert (right.state().players, nets(right.state())) == (chinchon.state().players, nets(chinchon.state()))


@pytest.mark.long
def test_a_reload_halfway_changes_nothing_and_what_was_typed_is_found_again(corrector, chinchon):
    comes_back_after_all(corrector)
    asks_for(corrector, 2)
    corrector.counted(15)
    corrector.tap(GO)
    asks_for(corrector, 3)
    corrector.counted(4)
    corrector.page.reload()
    corrector.sees_totals("14", "32", "101", "62")
    corrector.page.goto(f"/g/{chinchon.code}/correct/3/")
    comes_back_after_all(corrector)
    asks_for(corrector, 2)
    assert ["10", "2", "15", "30"] == corrector.hands()
    corrector.tap(GO)
    asks_for(corrector, 3)
    assert ["3", "20", "4", "12"] == corrector.hands()
    corrector.goes_back()
    corrector.sees_totals("14", "32", "101", "62")
    assert 5 == chinchon.records.count()


def test_a_second_phone_that_records_meanwhile_costs_no_hand(corrector, chinchon, owner):
    comes_back_after_all(corrector)
    asks_for(corrector, 2)
    corrector.counted(15)
    play(chinchon, owner, "round dani cut ana=5 beto=6 dani=1")
    corrector.tap(GO)
    asks_for(corrector, 3)
    expect(corrector.page.locator(".notice:visible")).to_contain_text("Mano 4")
    corrector.counted(4)
    corrector.tap(GO)
    asks_for(corrector, 4)
    corrector.counted(7)
    corrector.tap(GO)
    corrector.confirms()
    corrector.sees_totals("19", "38", "46", "63")


@pytest.mark.long
def test_who_went_home_has_no_hand_to_enter(corrector, chinchon):
    comes_back_after_all(corrector)
    corrector.tap("button.instead")
    expect(corrector.page.locator("#changes")).to_be_visible()
    corrector.confirms()
    assert "left" == chinchon.state().player("caro").seat
