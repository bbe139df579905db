"""The consequences of a round are shown before it is saved, on the smallest phone too."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.nights import begin, play
from tests.browser.scorer import GO, Scorer
from tests.tables import make_table

PHONES = ((390, 844), (360, 740), (360, 640), (320, 640))
WHOLE = 0.95  # of a line, whose last hair may be cut


@pytest.fixture
def game(owner):
    """A game in which everybody but Dani is about to go bust."""
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


def test_a_hand_that_cannot_be_is_doubted_before_the_next_one_is_entered(scorer, game):
    _opens(scorer, game)
    _types(scorer, "999")

    expect(scorer.page.locator("#consequences")).to_contain_text("Ana tiene más de 90")


@pytest.mark.slow
@pytest.mark.parametrize("is_late", [False, True], ids=["alone", "with news"])
def test_the_end_of_the_game_is_seen_on_every_phone(scorer, game, owner, is_late):
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


@pytest.mark.slow
def test_hands_another_phone_has_recorded_lead_to_the_sheet_and_not_into_the_next_round(scorer, game, owner):
    _opens(scorer, game)
    _types(scorer, "5", "6", "7")
    play(game, owner, "round dani out ana=5 beto=6 caro=7")
    scorer.tap(GO)
    expect(scorer.page.locator(".entry .notice")).to_contain_text("mano 2")
    scorer.tap("#entry .dock a.go")
    scorer.sees_totals("95", "86", "95", "0")
    scorer.begin_round("dani")
    assert ["·", "·", "·", "0"] == scorer.hands()
