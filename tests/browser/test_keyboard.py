"""Rounds of every kind by keyboard alone: letters and digits for cards, Enter for the next player."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def press(page: Page, *keys: str) -> None:
    """Press these keys one after the other; type anything longer than the name of a key."""
    for key in keys:
        if key in ("Enter", "Backspace", "Delete", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
            page.keyboard.press(key)
        else:
            page.keyboard.type(key)


def test_a_round_of_chinchon_can_be_typed(start, scorer):
    scorer = start("chinchon")
    scorer.begin_round("ana")
    press(scorer.page, "3")
    assert ["3", "·", "·", "·"] == scorer.hands()
    press(scorer.page, "r74", "Enter", "c2", "Enter", "05", "Backspace", "6")
    assert ["3", "23", "13", "16"] == scorer.hands()
    press(scorer.page, "Enter")
    scorer.sees_totals("3", "23", "13", "16")


def test_a_round_of_loba_de_mas_can_be_typed(start, scorer):
    scorer, page = start("loba_mas"), scorer.page
    scorer.begin_round("ana")
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


def test_arrow_keys_move_from_key_to_key(start, page):
    start("loba_menos").begin_round("ana")
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
