"""Sharing a result as text and as a picture, with or without a share sheet.

`money/views/test_sending.py` has the line of house rules in texts.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from tests.browser.game_setup import play
from tests.browser.late_scripts import hold_back, let_come
from tests.browser.scorer import until
from tests.concurrency import two_at_work
from tests.factories import start

SEND = "[popovertarget=group]:not(.close)"
TEXT, PICTURE, BOTH = "button[data-share=message]", "button[data-picture]", "[data-send]"
WIDE = 1080

# A phone with a share sheet; `window.shared` has what was shared.
SHARE_SHEET = """
    window.shared = [];
    window.refusals = [];
    navigator.canShare = () => true;
    navigator.share = async (what) => {
        if (window.refusals.length) throw new DOMException("", window.refusals.shift());
        window.shared.push(what);
    };
"""
SHARED_PICTURE = """async () => {
    const [{ files: [file], ...others }] = window.shared;
    const { width, height } = await createImageBitmap(file);
    return { name: file.name, type: file.type, width, height, others: Object.keys(others) };
}"""
NO_SHARE_SHEET = "navigator.share = undefined; navigator.canShare = undefined;"


@pytest.fixture
def game(table, owner) -> Game:
    """A finished game of Loba de Más: 160, 130, 20, −20."""
    game = start(table, owner, variant="loba_mas", point_value=10)
    return play(game, owner, "round ana out ana=155 beto=130 caro=20 dani=-20")


@pytest.fixture
def send_page(open_phone, owner, let_in, game):
    """`send_page(script, **options)` opens the choice of how to send the result, after running this script."""

    def open_one(script: str, **options) -> Page:
        phone = open_phone(**options)
        phone.grant_permissions(["clipboard-read", "clipboard-write"])
        let_in(phone, owner)
        page: Page = phone.new_page()
        page.add_init_script(script)
        return open_sheet(page, game)

    return open_one


def open_sheet(page: Page, game: Game) -> Page:
    page.goto(f"/g/{game.code}/settlement/")
    page.locator(SEND).tap()
    return page


def save_picture(page: Page) -> tuple[str, bytes]:
    """Tap for the picture. Return the name and the bytes of the saved file."""
    with page.expect_download() as saved:
        page.locator(PICTURE).tap()
    return saved.value.suggested_filename, Path(saved.value.path()).read_bytes()


def wait_for_sentence(page: Page, button: str, data: str) -> None:
    """Wait until the button shows the sentence in this attribute."""
    expect(page.locator(button)).to_have_text(page.locator(button).get_attribute(data) or "")


def wait_for_share(page: Page) -> None:
    until(page, lambda: 1 == page.evaluate("window.shared.length"))


def test_one_tap_gives_the_text_and_the_picture_to_the_share_sheet(send_page):
    page = send_page(SHARE_SHEET)
    page.locator(BOTH).tap()
    wait_for_share(page)
    [shared] = page.evaluate("window.shared.map(({ text, files }) => ({ text, files: files.length }))")
    assert (1, page.locator("#message").input_value()) == (shared["files"], shared["text"])
    assert "Dani → Ana: $\u00a03.500" in shared["text"]
    expect(page.locator(BOTH)).to_be_hidden()  # after sharing, the sheet is closed

    page = send_page(f"{SHARE_SHEET} navigator.canShare = ({{ files }}) => !files;")
    page.locator(BOTH).tap()
    wait_for_share(page)
    assert [["text"]] == page.evaluate("window.shared.map(Object.keys)")


@pytest.mark.long
def test_a_picture_that_took_too_long_for_one_tap_is_shared_by_the_next_as_a_file_alone(send_page):
    page = send_page(SHARE_SHEET)
    page.evaluate("window.refusals = ['NotAllowedError']")
    page.locator(PICTURE).tap()
    wait_for_sentence(page, PICTURE, "data-again")
    page.locator(PICTURE).tap()
    wait_for_share(page)
    shared = page.evaluate(SHARED_PICTURE)
    assert ("image/png", WIDE, []) == (shared["type"], shared["width"], shared["others"])
    assert re.fullmatch(r"loba_mas-\d{4}-\d\d-\d\d\.png", shared["name"])
    assert 900 < shared["height"] < 1800


def test_without_a_share_sheet_the_picture_is_saved_and_the_text_copied(send_page):
    page = send_page(NO_SHARE_SHEET)
    name, picture = save_picture(page)
    assert (True, WIDE) == (name.endswith(".png"), struct.unpack(">I", picture[16:20])[0])
    wait_for_sentence(page, PICTURE, "data-saved")

    page.locator(TEXT).tap()
    wait_for_sentence(page, TEXT, "data-done")
    assert page.locator("#message").input_value() == page.evaluate("navigator.clipboard.readText()")


@pytest.mark.long
def test_over_plain_http_the_text_is_selected_and_the_picture_saved(open_house_phone, live_server, game):
    page = open_sheet(open_house_phone(live_server.thread.port).new_page(), game)
    assert [False, "undefined", "undefined"] == page.evaluate(
        "[isSecureContext, typeof navigator.share, typeof navigator.clipboard]"
    )
    page.locator(TEXT).tap()
    wait_for_sentence(page, TEXT, "data-select")
    selected = "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)"
    assert page.locator("#message").input_value() == page.evaluate(selected)
    assert page.locator("a[href^='https://wa.me/']").is_visible()
    assert b"PNG" == save_picture(page)[1][1:4]


REASON = re.compile("Loba de Menos que ganó")


@pytest.fixture
def accounts(scorer, owner, table):
    """The address of the accounts after a game."""
    play(start(table, owner, stake=100), owner, "round ana out beto=101 caro=102 dani=103")
    return f"/t/{table.code}/accounts/"


@pytest.mark.long
def test_the_sheet_of_the_accounts_has_their_reasons_at_each_opening(scorer, accounts):
    page = scorer.page
    page.goto(accounts)
    assert "Loba" not in page.locator("#message").input_value()
    for _opening in range(2):
        with page.expect_response("**?send") as answer:
            page.locator(SEND).tap()
        answer.value.finished()
        expect(page.locator("#message")).to_have_value(REASON)
        expect(page.locator(PICTURE)).to_be_visible()
        assert "Loba" in (page.locator(BOTH).get_attribute("href") or "")
        page.keyboard.press("Escape")
        expect(page.locator("#message")).to_be_hidden()
    assert REASON.search(page.locator("#message").input_value())


@pytest.mark.long
def test_a_sheet_that_is_opened_before_the_scripts_came_loads_the_reasons_with_them(scorer, accounts):
    page = scorer.page
    held = hold_back(page)
    page.goto(accounts, wait_until="commit")
    page.locator(SEND).tap()
    expect(page.locator("#message")).to_be_visible()
    let_come(page, held)
    expect(page.locator("#message")).to_have_value(REASON)


@pytest.mark.long
def test_while_others_have_theirs_made_the_page_says_so_and_the_next_tap_opens_it(scorer, accounts, forgive):
    forgive("status of 429")
    page = scorer.page
    page.goto(accounts)
    with two_at_work():
        page.locator(SEND).tap()
        expect(page.locator("#trouble")).to_have_text(
            "El anotador está preparando esto para otros. Tocá otra vez en unos segundos."
        )
    expect(page.locator("#message")).to_be_hidden()

    page.locator(SEND).tap()
    expect(page.locator("#message")).to_have_value(REASON)
    expect(page.locator("#trouble")).to_be_hidden()
