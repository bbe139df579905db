"""The rules open over the page, and that page loses nothing."""

from __future__ import annotations

from playwright.sync_api import expect

RULES, DIALOG = "a[data-rules]", "dialog.over"


def test_the_rules_open_in_one_tap_and_close_in_one_or_by_the_back_button(start):
    page = start().page
    page.locator(RULES).tap()
    expect(page.locator(f"{DIALOG} article")).to_contain_text("101")
    expect(page.locator(DIALOG)).to_have_attribute("aria-label", "Reglas de esta partida")
    page.locator(f"{DIALOG} .bar a").tap()
    expect(page.locator(DIALOG)).to_have_count(0)
    expect(page.locator(RULES)).to_be_focused()
    expect(page.locator(".score")).to_be_visible()

    page.locator("a[href$='/more/']").tap()
    expect(page.locator("a[href$='/adjust/']")).to_be_visible()
    page.locator(RULES).tap()
    expect(page.locator(DIALOG)).to_be_visible()
    page.go_back()
    expect(page.locator(DIALOG)).to_have_count(0)


def test_a_half_entered_round_survives_the_rules(start):
    scorer = start()
    page = scorer.page
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.holds("K 9")
    hands_before = scorer.hands()
    page.locator(RULES).tap()
    expect(page.locator(f"{DIALOG} article")).to_be_visible()
    page.keyboard.press("K")
    page.keyboard.press("Escape")
    expect(page.locator(DIALOG)).to_have_count(0)

    assert hands_before == scorer.hands()
    assert "/round/" in page.url
