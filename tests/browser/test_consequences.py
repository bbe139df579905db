"""The consequences of a round, shown before it is saved, also on the smallest phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.nights import begin, play
from tests.browser.scorer import GO, Scorer
from tests.worlds import make_table

PHONES = ((390, 844), (360, 740), (360, 640), (320, 640))
WHOLE = 0.95  # of a line, of which a fraction may be cut


@pytest.fixture
def game(owner):
    """A game in which everybody except Dani is about to go bust."""
    game = begin(make_table(owner, people=("Ana", "Beto", "Caro", "Dani")), owner, stake=100)
    play(game, owner, "round dani out ana=90 beto=80 caro=88")
    return game


@pytest.fixture
def scorer(page, phone, owner, let_in):
    let_in(phone, owner)
    return Scorer(page)


def _types(scorer, *numbers):
    page = scorer.page
    for place, number in enumerate(numbers):
        if place:
            scorer.tap(GO)
        for digit in number:
            scorer.tap(f"[data-digit='{digit}']")
    expect(page.locator("#consequences li").first).to_be_visible()


def _opens(scorer, game):
    scorer.page.goto(f"/g/{game.code}/round/?closer=dani")
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    scorer.tap("[data-typed]")


def test_going_on_is_golden_once_the_open_hand_is_entered(scorer, game):
    scorer.page.emulate_media(reduced_motion="reduce")
    _opens(scorer, game)
    go = scorer.page.locator(GO)
    plain = go.evaluate("(button) => getComputedStyle(button).backgroundColor")
    scorer.counted(7)
    expect(go).not_to_have_css("background-color", plain)
    scorer.goes_on()
    expect(go).to_have_css("background-color", plain)


def test_an_impossible_hand_gets_a_warning_before_the_next_one_is_entered(scorer, game):
    _opens(scorer, game)
    _types(scorer, "999")

    expect(scorer.page.locator("#consequences")).to_contain_text("Ana tiene más de 90")


@pytest.mark.parametrize("is_late", [False, True], ids=["alone", "with news"])
def test_the_end_of_the_game_is_announced_in_view_on_every_phone(scorer, game, owner, is_late):
    _opens(scorer, game)
    _types(scorer, "95", "99", "88")
    first = scorer.page.locator("#consequences li").first
    if is_late:
        play(game, owner, "round dani out ana=1 beto=1 caro=1")
        scorer.tap(GO)
        expect(scorer.page.locator(".entry .notice")).to_be_visible()
    for width, height in PHONES:
        scorer.page.set_viewport_size({"width": width, "height": height})
        expect(first).to_contain_text("Si guardás, termina: gana Dani")
        expect(first).to_be_in_viewport(ratio=WHOLE)


def test_a_round_recorded_by_another_phone_leads_to_the_sheet_instead_of_the_next_round(scorer, game, owner):
    _opens(scorer, game)
    _types(scorer, "5", "6", "7")
    play(game, owner, "round dani out ana=5 beto=6 caro=7")
    scorer.tap(GO)
    expect(scorer.page.locator(".entry .notice")).to_contain_text("mano 2")
    scorer.tap("#entry .dock a.go")
    scorer.sees_totals("95", "86", "95", "0")
    scorer.begin_round("dani")
    assert ["·", "·", "·", "0"] == scorer.hands()
