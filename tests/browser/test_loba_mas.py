"""A whole game of Loba de Más by taps, from melds laid, changed, taken back and reloaded to the payments."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.nights import begin, play
from tests.browser.scorer import Scorer, plain, seat
from tests.browser.settled import pages_match_their_text
from tests.worlds import make_table

LAID = ".meld, .turns:not([hidden])"  # on the table, the open run last


@pytest.fixture
def game(owner):
    """A game of four, ten pesos a point."""
    return begin(make_table(owner), owner, variant="loba_mas", point_value=10)


@pytest.fixture
def scorer(scorer, game):
    """The owner at the sheet."""
    scorer.page.goto(f"/g/{game.code}/")
    return scorer


def laid(scorer: Scorer) -> list[str]:
    """Return the melds on the table of the open hand, each with its price last, then the cards in hand."""
    return [plain(text) for text in scorer.page.locator(LAID).all_inner_texts()]


def beside_the_thumb(page: Page) -> bool:
    """Return whether the cards of the open run are right above the keys and large enough to tap."""
    boxes = "all => all.map(one => one.getBoundingClientRect().toJSON())"
    *cards, keys = page.locator("[data-turn], .padbox > .keys").evaluate_all(boxes)
    return bool(cards) and all(
        card["width"] >= 48 and card["height"] >= 60 and 0 <= keys["top"] - card["bottom"] < 16
        for card in cards
    )


def sees_laid(scorer: Scorer, *melds: str) -> None:
    """Wait for these melds, priced by the server."""
    expect(scorer.page.locator(LAID)).to_have_count(len(melds))
    expect(scorer.page.locator(".worth b:visible").filter(has_text="…")).to_have_count(0)
    assert list(melds) == laid(scorer)


def test_a_game_of_loba_de_mas_is_played_to_its_end(scorer, tmp_path):
    page = scorer.page
    scorer.begin_round("ana")
    scorer.lays_set("9")
    scorer.lays_run("10", "A", J="2", K="*")
    sees_laid(scorer, "9 9 9 6 pierna", "10 2 =J Q =K A 13 escalera")
    assert "24" == scorer.hands()[0]
    scorer.goes_on()
    scorer.lays_set("K", 4)
    scorer.lays_run("3", "7")
    scorer.keeps("4 A *")
    sees_laid(scorer, "K K K K 8 pierna", "3 4 5 6 7 5 escalera", "4 A −7 en mano")
    scorer.goes_on()
    scorer.keeps("K K 9 5 *")
    scorer.goes_on()
    scorer.counted(12)
    scorer.tap("[data-minus]")
    assert ["24", "6", "−10", "−12"] == scorer.hands()
    scorer.saves()
    scorer.sees_totals("24", "6", "−10", "−12")

    scorer.begin_round("beto")
    scorer.tap("[data-closing=in_one_go]")
    scorer.lays_run("A", "K")
    scorer.lays_set("8", 6)
    expect(page.locator(seat("beto")).locator(".state")).to_have_text("de una +20")
    scorer.goes_on()
    scorer.lays_run("A", "3", r2="*")
    scorer.keeps("Q")
    scorer.goes_on()
    scorer.keeps("2 2")
    scorer.goes_on()
    scorer.counted(31)
    expect(page.locator(seat("beto")).locator("b")).to_have_text("53")
    assert ["1", "53", "−6", "31"] == scorer.hands()
    scorer.saves()
    scorer.sees_totals("25", "59", "−16", "19")

    scorer.begin_round()
    scorer.went_out("nobody")
    scorer.enters(40, 45, 0, 60)
    scorer.saves()
    scorer.sees_totals("65", "104", "−16", "79")

    scorer.begin_round("dani")
    scorer.counted(70)
    scorer.goes_on()
    scorer.enters(20, 46, 9)
    expect(page.locator("#consequences")).to_contain_text("Dani")
    scorer.saves()
    expect(page.locator("h1")).to_contain_text("Dani")
    seen = pages_match_their_text(scorer, tmp_path)
    assert {"Ana": 85, "Beto": 150, "Caro": -7, "Dani": 154} == seen.totals
    assert {"Ana": -420, "Beto": 2180, "Caro": -4100, "Dani": 2340} == seen.nets


def test_a_half_laid_run_with_its_wilds_survives_a_reload(scorer):
    page = scorer.page
    scorer.begin_round("caro")
    scorer.lays_run("4", "7", r5="2")
    sees_laid(scorer, "4 2 =5 6 7 4 escalera")
    scorer.tap("[data-place='8']")
    page.reload()
    sees_laid(scorer, "4 2 =5 6 7 4 escalera")
    expect(page.locator("[data-place='8']")).to_have_attribute("aria-pressed", "true")
    scorer.tap("[data-place='10']")
    sees_laid(scorer, "4 2 =5 6 7 4 escalera", "9 10 J 6 escalera")


def test_the_figure_under_a_name_is_labelled_as_the_total(scorer):
    scorer.begin_round("caro")

    expect(scorer.page.locator(".whose .to")).to_have_text("lleva 0")


def test_a_wild_on_the_table_is_distinct_and_shows_the_rank_that_it_stands_for(scorer):
    page = scorer.page
    scorer.begin_round("caro")
    scorer.lays_run("4", "7", r5="2")
    scorer.lays_set("9")
    four, wild = page.locator(".meld .c").nth(0), page.locator(".meld .c.wild")

    expect(wild).to_have_text("2=5")
    colour = "one => getComputedStyle(one).backgroundColor"
    assert four.evaluate(colour) != wild.evaluate(colour)


def test_every_tap_can_be_taken_back(scorer):
    page = scorer.page
    scorer.begin_round("ana")
    expect(page.locator(".body [data-closing]:visible")).to_have_text(["Salió", "De una"])
    scorer.goes_on()
    expect(page.locator("[data-closing]:visible")).to_have_count(0)
    scorer.lays_set("7", 4)
    scorer.lays_run("9", "Q")
    assert beside_the_thumb(page)
    scorer.keeps("4 A")
    sees_laid(scorer, "7 7 7 7 4 pierna", "9 10 J Q 8 escalera", "4 A −4 en mano")
    scorer.takes_back()
    sees_laid(scorer, "7 7 7 7 4 pierna", "9 10 J Q 8 escalera", "4 −1 en mano")
    scorer.tap("[data-mode=run]")
    scorer.takes_back()
    expect(page.locator("[data-place='8']")).to_have_attribute("aria-pressed", "true")
    scorer.tap("[data-place='12']")
    sees_laid(scorer, "7 7 7 7 4 pierna", "4 −1 en mano", "9 10 J Q K 10 escalera")
    scorer.takes_back()
    scorer.takes_back()
    sees_laid(scorer, "7 7 7 7 4 pierna", "4 −1 en mano")
    scorer.tap("[data-meld='0']")
    scorer.takes_back()
    sees_laid(scorer, "7 7 7 3 pierna", "4 −1 en mano")
    scorer.takes_back()
    sees_laid(scorer, "4 −1 en mano")
    assert "−1" == scorer.hands()[1]


def test_an_illegal_meld_is_refused_at_once_with_a_reason(scorer):
    page = scorer.page
    hint = page.locator("[data-wrong]")
    scorer.begin_round("ana")
    scorer.lays_set("9", 6)
    scorer.holds("9")
    expect(hint).to_have_text("Una pierna tiene 6 cartas como mucho")
    scorer.tap("[data-mode=run]")
    scorer.tap("[data-place='4']")
    page.locator("[data-place='5']").tap(force=True)  # a key that is struck out gives its reason
    expect(hint).to_have_text("Una escalera tiene de tres a trece cartas")
    scorer.tap("[data-place='7']")
    expect(hint).to_be_hidden()
    sees_laid(scorer, "9 9 9 9 9 9 12 pierna", "5 6 7 8 5 escalera")
    scorer.goes_on()
    page.locator("[data-card='9']").tap(force=True)
    expect(hint).to_have_text("No quedan tantas cartas 9")
    assert [] == laid(scorer)


def test_three_packs_allow_sets_of_up_to_nine_cards(scorer, owner):
    people = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede")
    scorer.page.goto(
        f"/g/{begin(make_table(owner, people=people), owner, variant='loba_mas', packs=3).code}/"
    )
    scorer.begin_round("ana")
    scorer.lays_set("9", 9)
    sees_laid(scorer, "9 9 9 9 9 9 9 9 9 18 pierna")
    scorer.holds("9")
    expect(scorer.page.locator("[data-wrong]")).to_have_text("Una pierna tiene 9 cartas como mucho")


def test_typed_melds_are_laid_out_and_their_wilds_can_be_changed(scorer, owner, game):
    play(game, owner, "round ana out ana={A 2 Q}{9H 9D 9S} beto={4S * 6S}[K] caro=5 dani=-3")
    scorer.page.reload()
    scorer.opens_cell("ana", 2)
    sees_laid(scorer, "Q 2 =K A 8 escalera", "9 9 9 6 pierna")
    scorer.tap("[data-meld='0']")
    scorer.tap("[data-turn='1']")
    sees_laid(scorer, "9 9 9 6 pierna", "Q =K A 8 escalera")
    scorer.opens("beto")
    sees_laid(scorer, "4 =5 6 3 escalera", "K −2 en mano")


def test_the_value_of_a_meld_is_open_offline_and_filled_in_online(scorer, forgive):
    forgive("ERR_INTERNET_DISCONNECTED|htmx:sendError|htmx:afterRequest")
    page = scorer.page
    scorer.begin_round("ana")
    scorer.lays_set("9")
    sees_laid(scorer, "9 9 9 6 pierna")
    page.context.set_offline(True)
    scorer.lays_run("10", "K")
    expect(page.locator(".whose .to")).to_have_text("se cuenta después")
    assert "…" == scorer.hands()[0]
    page.context.set_offline(False)
    expect(page.locator(LAID).last).to_contain_text("8")
