"""A round by keyboard alone: letters and digits for cards, Enter for the next player."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def press(page: Page, *keys: str) -> None:
    """Press these keys one after the other; type anything that is not the name of a key."""
    for key in keys:
        if key in ("Enter", "Backspace"):
            page.keyboard.press(key)
        else:
            page.keyboard.type(key)


def test_a_round_of_chinchon_can_be_typed(start):
    scorer = start("chinchon")
    scorer.begin_round("ana")
    press(scorer.page, "3")
    assert ["3", "·", "·", "·"] == scorer.hands()
    press(scorer.page, "r74", "Enter", "c2", "Enter", "05", "Backspace", "6")
    assert ["3", "23", "13", "16"] == scorer.hands()
    press(scorer.page, "Enter")
    scorer.sees_totals("3", "23", "13", "16")


def test_melds_can_be_typed(start):
    scorer = start("loba_mas")
    scorer.begin_round("ana")
    press(scorer.page, "9", "Enter")
    scorer.tap("[data-mode=hand]")
    press(scorer.page, "4a*")
    scorer.goes_on()
    scorer.tap("[data-mode=run]")
    press(scorer.page, "a3")
    expect(scorer.page.locator(".seat b").filter(has_text="…")).to_have_count(0)
    assert ["11", "−7", "3", "·"] == scorer.hands()
