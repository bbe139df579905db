"""Accessibility: axe, the keyboard, the focus, and reduced motion."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import font_size

RUN_AXE = """async () => {
    const { violations, incomplete } = await axe.run(document, {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    // Of what axe leaves open only contrast is judged: a text nobody could measure may be one nobody can read. To axe the
    // two lines of a text in a dialog have two grounds, as soon as not the same things lie under the dialog there.
    const isAboveTheRest = node => node.any[0]?.data?.messageKey === "elmPartiallyObscuring"
        && document.querySelector(node.target[0])?.closest("dialog:modal, :popover-open");
    // It cannot measure what stands in an element without a box, and takes the short name that lies below the whole one
    // for covered by it (test_contrast.py measures both).
    const isBoxless = ({ target }) => {
        const element = document.querySelector(target[0]);
        return element?.parentElement && getComputedStyle(element.parentElement).display === "contents";
    };
    const isShortened = node => node.any[0]?.data?.messageKey === "bgOverlap"
        && document.querySelector(node.target[0])?.closest(".fitted > .name");
    // What is scrolled half out of sight has no ground to it either.
    const isHalfSeen = node => {
        const element = document.querySelector(node.target[0]), text = element?.getBoundingClientRect();
        let around = element?.parentElement;
        while (around && getComputedStyle(around).overflowY !== "auto") around = around.parentElement;
        const seen = around?.getBoundingClientRect();
        return seen && (text.bottom > seen.bottom || text.top < seen.top);
    };
    // Nor does it see the shape that a letter of a drawing, or the figure of a tab, lies on.
    const isDrawn = node => node.any[0]?.data?.messageKey === "shortTextContent"
        && document.querySelector(node.target[0])?.closest("svg, .dot");
    // To axe a name that is cut off goes on, over what stands beside it.
    const isBesideCut = node => {
        const row = document.querySelector(node.target[0])?.closest("summary, li, tr, .leads");
        const isCut = name => name.getBoundingClientRect().right > name.parentElement.getBoundingClientRect().right;
        return ["bgOverlap", "shortTextContent"].includes(node.any[0]?.data?.messageKey) && row && [...row.querySelectorAll(".name > bdi")].some(isCut);
    };
    // It does not read the arrow between two names, whose color is theirs.
    const isArrow = node => node.any[0]?.data?.messageKey === "nonBmp"
        && document.querySelector(node.target[0])?.querySelector(":scope > bdi");
    // Nor what an open choice covers in part: it is measured on the screen where the choice is closed.
    const isCovered = node => {
        const open = document.querySelector("dialog[open], :popover-open");
        return node.any[0]?.data?.messageKey === "elmPartiallyObscured" && open
            && !open.contains(document.querySelector(node.target[0]));
    };
    // A target that is scrolled half under the key of a sheet is whole once it is scrolled on.
    const isUnderTheKey = node => {
        const element = document.querySelector(node.target[0]), key = element?.closest(".sheetover")?.querySelector(".go");
        return key && !key.contains(element) && element.getBoundingClientRect().bottom > key.getBoundingClientRect().top;
    };
    return [...violations, ...incomplete.filter(rule => rule.id === "color-contrast")]
        .flatMap(rule => rule.nodes.filter(node => !(rule.id === "target-size" && isUnderTheKey(node))).filter(node => rule.id !== "color-contrast" || ![isAboveTheRest, isBoxless, isCovered, isShortened, isHalfSeen, isDrawn, isArrow, isBesideCut].some(is => is(node))).map(node => `${rule.id}: ${node.target} ${(node.any[0] ?? node.none[0])?.message ?? rule.help}`));
}"""
STUMBLED = ("Axe encountered an error", "Element content is too short to determine")
AXE_CELL = 200
LOOK = "[popovertarget=look]:not(.close)"
TOKENS = """() => {
    const style = getComputedStyle(document.documentElement);
    return Object.fromEntries([...style].filter(name => name.startsWith("--")).map(name => [name, style.getPropertyValue(name)]));
}"""


def axe_problems(page: Page) -> list[str]:
    problems: list[str] = page.evaluate(RUN_AXE)
    size = page.viewport_size
    if size and any(sentence in complaint for complaint in problems for sentence in STUMBLED):
        # Axe divides a page into cells, and misses texts at some heights: retry with one more row. Texts out
        # of sight, at the edge of a scrolled sheet, have no background for it.
        page.set_viewport_size({"width": size["width"], "height": size["height"] + AXE_CELL})
        problems = page.evaluate(RUN_AXE)
        page.set_viewport_size(size)
    return problems


DEFECTS = {
    "color-contrast": "one('.margin').style.color = '#ccc'",
    "link-name": "one('.bar .icon').removeAttribute('aria-label')",
    "aria-roles": "one('.who').setAttribute('role', 'nonsense')",
}


def test_axe_reports_each_deliberate_defect(start, axe_source):
    page = start().page
    page.evaluate(axe_source)
    assert [] == axe_problems(page)
    for defect in DEFECTS.values():
        page.evaluate(f"() => {{ const one = (selector) => document.querySelector(selector); {defect}; }}")
    assert {*DEFECTS} <= {complaint.partition(":")[0] for complaint in axe_problems(page)}


@pytest.mark.long
def test_a_chosen_theme_has_the_same_colours_as_the_systems(open_phone, live_server):
    page = open_phone(color_scheme="light").new_page()
    page.goto("/")
    light = page.evaluate(TOKENS)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(TOKENS)
    assert light != dark
    for other, theme, tokens in (("dark", "day", light), ("light", "dark", dark)):
        page.emulate_media(color_scheme=other)
        page.locator(LOOK).tap()
        page.locator(f"button[name=theme][value={theme}]").tap()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        page.wait_for_load_state()  # the page is a new one, which may still wait for its styles
        assert tokens == page.evaluate(TOKENS)


def test_the_focus_is_on_the_heading_after_a_page_swap(start):
    scorer = start()
    scorer.tap("a.icon[href$='/more/']")
    expect(scorer.page.locator("a[href$='/adjust/']")).to_be_visible()
    expect(scorer.page.locator("h1")).to_be_focused()
    expect(scorer.page).to_have_title("¿Qué más pasó?")
    scorer.goes_back()
    expect(scorer.page.locator(".score")).to_be_visible()
    expect(scorer.page.locator("h1")).to_be_focused()


@pytest.mark.long
def test_a_refusal_far_down_a_page_is_in_view(page, signed_in, game):
    page.goto("/you/")
    page.locator("#programs summary").tap()
    page.locator("#programs [name=name]").fill("reloj")
    page.locator("#programs form.stack .btn").tap()
    expect(page.locator("#table_error")).to_be_in_viewport(ratio=1)
    expect(page.locator("#programs [name=table]").first).to_be_focused()

    page.set_viewport_size({"width": 390, "height": 500})
    with font_size(page, 24):
        page.goto(f"/t/{game.table.code}/people/")
        page.locator("button[name=add]").tap()
        expect(page.locator("#name-error")).to_be_in_viewport(ratio=1)
        expect(page.locator("#name")).to_be_focused()


def test_a_round_can_be_entered_by_keyboard_alone(start):
    scorer = start()
    page = scorer.page
    tab_to(page, "[data-closer=ana]")
    page.keyboard.press("Enter")
    expect(page.locator("#entry[data-ready]")).to_be_visible()
    page.keyboard.type("K94")
    expect(page.locator("[data-sum] b")).to_have_text("23")
    tab_to(page, "[data-go]")
    scorer.types("Enter qj702 Backspace Backspace 2 Enter 53")
    assert ["0", "23", "29", "8"] == scorer.hands()
    page.keyboard.press("Enter")
    scorer.sees_totals("0", "23", "29", "8")
    assert 0 == scorer.taps


@pytest.mark.long
def test_the_skip_link_jumps_to_the_main_content(start):
    page = start().page
    page.evaluate("document.activeElement.blur()")
    skip = page.locator(".skip[href='#main']")
    skip.focus()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")


def tab_to(page: Page, selector: str) -> None:
    target = page.locator(selector)
    for _step in range(60):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {selector}")
