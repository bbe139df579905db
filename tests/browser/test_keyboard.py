"""Rounds of every kind by keyboard alone: letters and digits for cards, Enter for the next player."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.nights import begin
from tests.browser.scorer import Scorer
from tests.worlds import make_table


@pytest.fixture
def start(page, phone, owner, let_in):
    """`start("chinchon", closer="ana")` opens the entry of the first round, without a tap."""
    let_in(phone, owner)

    def begin_game(variant, closer, **options):
        game = begin(make_table(owner), owner, variant=variant, **options)
        page.goto(f"/g/{game.code}/round/?closer={closer}")
        expect(page.locator("#entry[data-ready]")).to_be_visible()
        return Scorer(page)

    return begin_game


def press(page: Page, *keys: str) -> None:
    """Press these keys one after the other; type anything longer than the name of a key."""
    for key in keys:
        if key in ("Enter", "Backspace", "Delete", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
            page.keyboard.press(key)
        else:
            page.keyboard.type(key)


def test_a_round_of_chinchon_can_be_typed(start):
    scorer = start("chinchon", "ana")
    press(scorer.page, "3")
    assert ["3", "·", "·", "·"] == scorer.hands()
    press(scorer.page, "r74", "Enter", "c2", "Enter", "05", "Backspace", "6")
    assert ["3", "23", "13", "16"] == scorer.hands()
    press(scorer.page, "Enter")
    scorer.sees_totals("3", "23", "13", "16")


def test_seven_cards_of_chinchon_can_be_typed_suit_by_suit(start):
    scorer = start("chinchon", "ana")
    press(scorer.page, "5")
    scorer.page.locator("[data-way=seven]").press("Enter")
    scorer.page.evaluate("document.activeElement.blur()")
    press(scorer.page, "567b40c1e3")
    expect(scorer.page.locator("[data-sum] b")).to_have_text("hasta 18")
    press(scorer.page, "Backspace", "ArrowLeft")
    expect(scorer.page.locator("[data-suit=c]")).to_have_attribute("aria-pressed", "true")


def test_a_round_of_loba_de_mas_can_be_typed(start):
    scorer = start("loba_mas", "ana")
    page = scorer.page
    press(page, "9", "ArrowRight", "0a")
    expect(page.locator(".meld, .turns:not([hidden])")).to_have_count(2)
    page.locator("[data-turn='1']").press("Enter")
    expect(page.locator("[data-turn='1']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-turn='1']")).to_contain_text("J")
    page.evaluate("document.activeElement.blur()")
    press(page, "Enter", "kk", "ArrowLeft", "4a*", "Enter")
    press(page, "ArrowRight", "a3", "Enter", "ArrowLeft", "q")
    expect(page.locator(".seat b").filter(has_text="…")).to_have_count(0)
    assert ["23", "1", "3", "−2"] == scorer.hands()
    press(page, "Enter")
    scorer.sees_totals("23", "1", "3", "−2")


def test_negative_points_can_be_typed(start):
    scorer = start("loba_mas", "ana")
    press(scorer.page, "k", "Enter")
    scorer.page.locator("[data-typed]").press("Enter")
    scorer.page.evaluate("document.activeElement.blur()")
    press(scorer.page, "-12")
    assert "−12" == scorer.hands()[1]
    press(scorer.page, "-", "Backspace")
    assert "1" == scorer.hands()[1]


def test_a_round_of_a_contract_game_can_be_typed(start):
    scorer = start("carioca_ar", "dani", buy_points=5)
    page = scorer.page
    page.locator("[data-buy='1']").press("Enter")
    page.evaluate("document.activeElement.blur()")
    press(page, "Enter", "k*", "Enter", "a", "Enter", "2", "Delete", "3")
    assert ["60", "20", "3", "5"] == scorer.hands()
    press(page, "Enter")
    scorer.sees_totals("60", "20", "3", "5")


def test_arrow_keys_move_from_key_to_key(start):
    page = start("loba_menos", "ana").page
    page.locator("[data-card='7']").focus()
    for arrow, text in (
        ("ArrowRight", "8 8"),
        ("ArrowDown", "K 10"),
        ("ArrowLeft", "Q 10"),
        ("ArrowUp", "7 7"),
    ):
        page.keyboard.press(arrow)
        expect(page.locator(":focus")).to_have_text(text)
    page.keyboard.press("Enter")
    expect(page.locator("[data-sum] b")).to_have_text("7")


def test_every_key_and_card_has_an_accessible_name(start):
    page = start("loba_mas", "ana").page
    press(page, "ArrowRight", "0a")
    for _turn in ("a two", "a joker"):
        page.locator("[data-turn='3']").press("Enter")
    labels = page.locator("#entry button:visible").evaluate_all(
        "buttons => buttons.map(button => (button.getAttribute('aria-label') || button.textContent).trim())"
    )
    assert "" not in labels
    assert "comodín en lugar de rey: cambiar por un comodín o volver" in labels
