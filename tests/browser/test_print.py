"""Pages on paper, where browsers leave out the grounds of letters."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.gallery import select_screens

# The texts that are pale on white, and whose ground is not printed.
PALE = """() => {
    const light = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const contrast = (color) => {
        const [red, green, blue] = color.match(/[\\d.]+/g).map((part) => light(part / 255));
        return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
    };
    const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return [...document.querySelectorAll("main *")]
        .filter((one) => one.checkVisibility() && hasText(one) && !one.closest(".vh, .name[aria-hidden]"))
        .filter((one) => contrast(getComputedStyle(one).color) < 4.5)
        .filter((one) => getComputedStyle(one).printColorAdjust !== "exact")
        .map((one) => `${one.className}: ${one.textContent.trim().slice(0, 40)}`);
}"""
SCREENS = (
    *(
        "home-stranger",
        "example",
        "privacy",
        "new-game",
        "sheet-empty",
        "entry-pad",
        "home",
        "sheet",
        "rules",
    ),
    *("seats", "more", "event", "event-round", "sheet-over", "settlement", "settlement-chinchon", "yours"),
    *("table-settings", "lobby", "board-eight", "season", "player", "duel", "accounts", "accounts-open"),
    *("night", "account", "movements", "payment", "cost", "old-night"),
)
PAPER = "getComputedStyle(document.documentElement).getPropertyValue('--paper')"


@pytest.mark.parametrize("theme", ["dark", pytest.param("day", marks=pytest.mark.long)])
def test_nothing_is_pale_on_white_whatever_theme_is_chosen(open_phone, owner, let_in, theme, subtests):
    phone = open_phone(color_scheme="dark" if theme == "dark" else "light")
    let_in(phone, owner)
    page = phone.new_page()
    for screen in select_screens(owner, *SCREENS):
        with subtests.test(screen.name):
            screen.show(page)
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            page.emulate_media(media="print")
            assert "#faf6ec" == page.evaluate(PAPER)
            expect(page.locator("main")).to_be_visible()
            assert [] == page.evaluate(PALE)
            page.emulate_media(media="screen")
