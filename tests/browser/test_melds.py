"""Melds of Loba de Más by taps: priced by the site, changed, removed, refused, and read from typed text.

`scoring/test_melds.py` has the points of melds.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.game_setup import begin, play
from tests.browser.scorer import Scorer, plain

MELDS = ".meld, .turns:not([hidden])"  # on the table, the open run last


@pytest.fixture
def game(table, owner):
    """A game of four at ten pesos a point."""
    return begin(table, owner, variant="loba_mas", point_value=10)


@pytest.fixture
def scorer(scorer, game):
    """The owner at the sheet."""
    scorer.page.goto(f"/g/{game.code}/")
    return scorer


def meld_texts(scorer: Scorer) -> list[str]:
    """Return the melds of the open hand, each with its price last, then the cards in hand."""
    return [plain(text) for text in scorer.page.locator(MELDS).all_inner_texts()]


def is_in_reach(page: Page) -> bool:
    """Return whether the cards of the open run are right above the keys and large enough to tap.

    Waits for the script that draws them, which comes after the pad.
    """
    expect(page.locator("[data-turn]").first).to_be_visible()
    boxes = "all => all.map(one => one.getBoundingClientRect().toJSON())"
    *cards, keys = page.locator("[data-turn], .padbox > .keys").evaluate_all(boxes)
    return all(
        card["width"] >= 48 and card["height"] >= 60 and 0 <= keys["top"] - card["bottom"] < 16
        for card in cards
    )


def expect_melds(scorer: Scorer, *melds: str) -> None:
    """Wait for these melds, priced by the server."""
    expect(scorer.page.locator(MELDS)).to_have_count(len(melds))
    expect(scorer.page.locator(".worth b:visible").filter(has_text="…")).to_have_count(0)
    assert list(melds) == meld_texts(scorer)


def test_every_tap_can_be_taken_back(scorer):
    page = scorer.page
    scorer.begin_round("ana")
    expect(page.locator(".body [data-closing]:visible")).to_have_text(["Salió", "De una"])
    scorer.goes_on()
    expect(page.locator("[data-closing]:visible")).to_have_count(0)
    scorer.lays_set("7", 4)
    scorer.lays_run("9", "Q")
    assert is_in_reach(page)
    scorer.keeps("4 A")
    expect_melds(scorer, "7 7 7 7 4 pierna", "9 10 J Q 8 escalera", "4 A −4 en mano")
    scorer.takes_back()
    expect_melds(scorer, "7 7 7 7 4 pierna", "9 10 J Q 8 escalera", "4 −1 en mano")
    scorer.tap("[data-way=run]")
    scorer.takes_back()
    expect(page.locator("[data-place='8']")).to_have_attribute("aria-pressed", "true")
    scorer.tap("[data-place='12']")
    expect_melds(scorer, "7 7 7 7 4 pierna", "4 −1 en mano", "9 10 J Q K 10 escalera")
    scorer.takes_back()
    scorer.takes_back()
    expect_melds(scorer, "7 7 7 7 4 pierna", "4 −1 en mano")
    scorer.tap("[data-meld='0']")
    scorer.takes_back()
    expect_melds(scorer, "7 7 7 3 pierna", "4 −1 en mano")
    scorer.takes_back()
    expect_melds(scorer, "4 −1 en mano")
    assert "−1" == scorer.hands()[1]


@pytest.mark.long
def test_an_illegal_meld_is_refused_at_once_with_a_reason(scorer):
    page = scorer.page
    hint = page.locator("[data-wrong]")
    scorer.begin_round("ana")
    scorer.lays_set("9", 6)
    scorer.holds("9")
    expect(hint).to_have_text("Una pierna tiene 6 cartas como mucho")
    scorer.tap("[data-way=run]")
    scorer.tap("[data-place='4']")
    page.locator("[data-place='5']").tap(force=True)  # a key that is struck out gives its reason
    expect(hint).to_have_text("Una escalera tiene de tres a trece cartas")
    scorer.tap("[data-place='7']")
    expect(hint).to_be_hidden()
    expect_melds(scorer, "9 9 9 9 9 9 12 pierna", "5 6 7 8 5 escalera")
    scorer.goes_on()
    page.locator("[data-card='9']").tap(force=True)
    expect(hint).to_have_text("No quedan tantas cartas 9")
    assert [] == meld_texts(scorer)


@pytest.mark.long
def test_typed_melds_are_laid_out_and_their_wilds_can_be_changed(scorer, owner, game):
    play(game, owner, "round ana out ana={A 2 Q}{9H 9D 9S} beto={4S * 6S}[K] caro=5 dani=-3")
    scorer.page.reload()
    scorer.opens_cell("ana", 2)
    expect_melds(scorer, "Q 2 =K A 8 escalera", "9 9 9 6 pierna")
    ace, wild = (scorer.page.locator(f".meld .c{which}").last for which in (":not(.wild)", ".wild"))
    colour = "one => getComputedStyle(one).backgroundColor"
    assert ace.evaluate(colour) != wild.evaluate(colour)
    scorer.tap("[data-meld='0']")
    scorer.tap("[data-turn='1']")
    expect_melds(scorer, "9 9 9 6 pierna", "Q =K A 8 escalera")
    scorer.opens("beto")
    expect_melds(scorer, "4 =5 6 3 escalera", "K −2 en mano")
