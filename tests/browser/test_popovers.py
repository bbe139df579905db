"""Sheets that slide over a page: each is closed by its button or by a tap beside it, which does nothing else."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from games.models import Table
from tests.browser.game_setup import begin, play
from tests.browser.scorer import until
from tests.browser.screens import font_size, resize

SMALL = {"width": 360, "height": 640}
OPENERS = "[popovertarget]:visible:not([popovertargetaction])"


@pytest.fixture
def table(owner: User, table: Table) -> Table:
    """A table with a finished game."""
    play(begin(table, owner, stake=500), owner, "round ana out beto=23 caro=29 dani=8", "stop lowest_wins")
    return table


def sheet_ids(page: Page) -> list[str]:
    """Return the ids of the sheets that a visible button of the page opens."""
    openers = page.locator(OPENERS)
    expect(openers.first).to_be_visible()
    ids = [str(opener.get_attribute("popovertarget")) for opener in openers.all()]
    return list(dict.fromkeys(ids))


@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=pytest.mark.long)])
def test_every_sheet_is_closed_by_the_button_at_its_top(open_phone, let_in, owner, table, scripts):
    finished_game = table.games.get()
    game = play(begin(table, owner, stake=500), owner, "round ana out beto=23 caro=29 dani=8")
    home, sheet = f"/t/{table.code}/", f"/g/{game.code}/"
    pages = ("/", f"{home}accounts/", f"{home}season/", f"{home}new/", sheet, f"{sheet}correct/2/")
    phone = open_phone(viewport=SMALL, java_script_enabled=scripts)
    let_in(phone, owner)
    page, closed = phone.new_page(), set()
    for address in (*pages, f"/g/{finished_game.code}/settlement/"):
        page.goto(address)
        for sheet in sheet_ids(page):
            page.locator(f"[popovertarget={sheet}]:not(.close):visible").first.tap()
            button = page.locator(f"#{sheet} .close")
            expect(button).to_be_in_viewport(ratio=1)
            button.tap()
            expect(page.locator(f"#{sheet}")).to_be_hidden()
            closed.add(sheet)
    expected = {"tables", "pay", "expense", "group", "seasons", "game", "money", "of-ana", "other"}
    assert expected <= closed


def test_a_tap_beside_a_sheet_focuses_no_field(scorer, table):
    page = scorer.page
    page.set_viewport_size(SMALL)
    page.goto(f"/t/{table.code}/new/")
    page.locator("#says").tap()
    expect(page.locator("#game")).to_be_visible()
    page.evaluate("document.querySelector('#game').style.maxHeight = '6rem'")
    page.locator("[data-add] input").tap()
    expect(page.locator("#game")).to_be_hidden()
    expect(page.locator("[data-add] input")).not_to_be_focused()


@pytest.mark.long
def test_no_key_of_the_sheet_moves_when_the_picture_comes_late(scorer, table):
    page = scorer.page
    page.set_viewport_size(SMALL)
    address = f"/g/{table.games.get().code}/settlement/"
    page.goto(address)
    late: list[Route] = []
    page.route(f"**{address}", lambda route: late.append(route))
    page.locator("[popovertarget=group]:not(.close)").tap()
    until(page, lambda: bool(late))
    before = [key.bounding_box() for key in page.locator("#group :is(button, a)").all()]
    late[0].continue_()
    expect(page.locator("[data-preview][src]")).to_be_visible()
    assert before == [key.bounding_box() for key in page.locator("#group :is(button, a)").all()]


@pytest.mark.long
def test_where_copying_is_refused_the_text_and_the_way_to_the_group_are_in_sight(scorer, table):
    page = scorer.page
    page.set_viewport_size(SMALL)
    page.add_init_script("navigator.clipboard.writeText = async () => { throw new Error(); }")
    page.goto(f"/g/{table.games.get().code}/settlement/")
    page.locator("[popovertarget=group]:not(.close)").tap()
    expect(page.locator("[data-preview]")).to_be_visible()
    page.locator("[data-share=message]").tap()
    expect(page.locator("#message")).to_be_focused()
    for part in ("#message", "#group > .close", "[data-send]"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.locator("#group").evaluate("sheet => sheet.scrollHeight === sheet.clientHeight")


# Returns whether the shade at the end of the sheet is visible.
SHADE = """(selector) => {
    const sheet = document.querySelector(selector);
    const shades = [sheet, sheet.querySelector(".body")].filter(Boolean)
        .map((element) => getComputedStyle(element, "::after"))
        .map(({ content, opacity }) => (content === "none" ? 0 : Number(opacity)));
    return Math.max(...shades) > 0;
}"""
SCROLL = """(selector) => {
    const sheet = document.querySelector(selector);
    for (const element of [sheet, ...sheet.querySelectorAll("*")]) element.scrollTop = 1e6;
}"""


def is_shaded(page: Page, sheet: str, *, expected: bool) -> None:
    """Check whether the sheet shows that it goes on."""
    until(page, lambda: expected == page.evaluate(SHADE, f"#{sheet}"))


@pytest.mark.long
def test_with_large_text_a_sheet_shows_that_it_goes_on_and_its_closer_stays_in_sight(scorer, table):
    page = scorer.page
    for size, high, sheet in ((24, 640, "pay"), (24, 640, "expense"), (32, 400, "seasons")):
        resize(page, 360, high)
        with font_size(page, size):
            page.goto(f"/t/{table.code}/{'season' if sheet == 'seasons' else 'accounts'}/")
            page.locator(f"[popovertarget={sheet}]:not(.close):visible").first.tap()
            closer = page.locator(f"#{sheet} .go")
            for moment in ("opened", "scrolled"):
                if sheet != "seasons":
                    expect(closer).to_be_in_viewport(ratio=1)
                is_shaded(page, sheet, expected=moment == "opened")
                page.evaluate(SCROLL, f"#{sheet}")


@pytest.mark.long
def test_a_sheet_that_fits_shows_no_shade_and_the_amount_keeps_away_from_the_choices(scorer, table):
    page = scorer.page
    page.goto(f"/t/{table.code}/accounts/")
    for sheet in ("expense", "group"):
        page.locator(f"[popovertarget={sheet}]:not(.close):visible").first.tap()
        expect(page.locator(f"#{sheet}")).to_be_visible()
        assert page.evaluate(SHADE, f"#{sheet}") is False
        if sheet == "expense":
            expect(page.locator("#expense .picks").first).to_be_visible()
            line, choices = (
                page.locator(f"#expense {part}").bounding_box() for part in (".amount", ".picks")
            )
            assert 8 <= choices["y"] - line["y"] - line["height"]
        page.locator(f"#{sheet} .close").tap()
