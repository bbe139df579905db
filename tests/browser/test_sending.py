"""Sharing a result: as text, as a picture, on paper."""

from __future__ import annotations

import base64
import re
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from games.models import Game, Table
from tests.browser.gallery import LONG_PEOPLE, LONG_TABLE
from tests.browser.nights import play
from tests.browser.scorer import until
from tests.worlds import make_table, start, the_night

SEND = "[popovertarget=group]"
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
# The share of pixels in which two pictures clearly differ.
SHARE_APART = """async (pictures) => {
    const [one, other] = await Promise.all(pictures.map(async (picture) => {
        const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        canvas.drawImage(bitmap, 0, 0);
        return canvas.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }));
    if (one.length !== other.length) return 1;
    return one.filter((light, index) => Math.abs(light - other[index]) > 64).length / one.length;
}"""
NO_SHARE_SHEET = "navigator.share = undefined; navigator.canShare = undefined;"


@pytest.fixture
def table(owner) -> Table:
    return make_table(owner)


@pytest.fixture
def game(table, owner) -> Game:
    """A finished game of Loba de Más: 160, 130, 20, −20."""
    game = start(table, owner, variant="loba_mas", point_value=10)
    return play(game, owner, "round ana out ana=155 beto=130 caro=20 dani=-20")


@pytest.fixture
def page(phone, owner, let_in) -> Page:
    let_in(phone, owner)
    page: Page = phone.new_page()
    return page


def opens(page: Page, game: Game, script: str = "") -> Page:
    """Open the choice of how to send a result, on a phone where this script runs before any page's own."""
    if script:
        page.add_init_script(script)
    page.goto(f"/g/{game.code}/settlement/")
    page.locator(SEND).tap()
    return page


def loaded(page: Page) -> list[str]:
    """Return the files that this page has fetched."""
    names: list[str] = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    return names


def size_of(picture: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG."""
    assert b"\x89PNG\r\n\x1a\n" == picture[:8]
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def is_handed_over(page: Page, count: int = 1) -> None:
    """Wait until the share sheet was opened this many times."""
    for _attempt in range(100):
        if count == page.evaluate("window.shared.length"):
            return
        page.wait_for_timeout(50)
    raise AssertionError("nothing reached the share sheet")


# --- by the share sheet -----------------------------------------------------------------------------------------------


def test_the_sheet_shows_what_the_group_gets_and_closes_by_a_key(page, game):
    opens(page, game)

    expect(page.locator("[data-preview]")).to_be_visible()
    expect(page.locator(BOTH)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(BOTH)).to_be_hidden()


def test_one_tap_gives_the_text_and_the_picture_to_the_share_sheet(page, game):
    opens(page, game, SHARE_SHEET).locator(BOTH).tap()

    is_handed_over(page)
    [shared] = page.evaluate("window.shared.map(({ text, files }) => ({ text, files: files.length }))")
    assert 1 == shared["files"]
    assert "Dani → Ana: $\u00a03.500" in shared["text"]
    assert page.locator("#message").input_value() == shared["text"]
    expect(page.locator(BOTH)).to_be_hidden()  # after sharing, the sheet is closed


def test_a_phone_that_cannot_share_files_sends_the_text(page, game):
    page.add_init_script(f"{SHARE_SHEET} navigator.canShare = ({{ files }}) => !files;")
    opens(page, game).locator(BOTH).tap()

    is_handed_over(page)
    assert [["text"]] == page.evaluate("window.shared.map(Object.keys)")


def test_one_tap_gives_the_picture_as_a_file_without_text(page, game):
    opens(page, game, SHARE_SHEET).locator(PICTURE).tap()

    is_handed_over(page)
    shared = page.evaluate(SHARED_PICTURE)
    assert ("image/png", WIDE, []) == (shared["type"], shared["width"], shared["others"])
    assert re.fullmatch(r"loba_mas-\d{4}-\d\d-\d\d\.png", shared["name"])
    assert 900 < shared["height"] < 1800
    expect(page.locator(PICTURE)).to_be_hidden()  # after sharing, the menu is closed


def test_a_picture_grows_with_people_and_payments(page, owner):
    table = make_table(owner, people=(*LONG_PEOPLE, "Fito", "Gabriela", "Hugo"), name=LONG_TABLE)
    game = start(table, owner, variant="chinchon", packs=2, stake=10**9)
    ids = [member.slug for member in table.members.all()]
    hands = " ".join(f"{player}={101 + place}" for place, player in enumerate(ids[1:]))
    play(game, owner, f"round {ids[0]} cut {ids[0]}=0 {hands}")
    opens(page, game, SHARE_SHEET).locator(PICTURE).tap()

    is_handed_over(page)
    shared = page.evaluate(SHARED_PICTURE)
    assert (WIDE, True) == (shared["width"], 2800 < shared["height"] < 3600)


def test_the_script_that_draws_is_loaded_on_demand(page, game):
    page.goto(f"/g/{game.code}/settlement/")
    page.wait_for_load_state("networkidle")
    assert [] == [name for name in loaded(page) if "picture" in name]

    page.locator(SEND).tap()
    expect(page.locator("[data-preview]")).to_be_visible()
    assert 1 == len([name for name in loaded(page) if "picture" in name])


def test_the_picture_is_the_same_in_both_themes(open_phone, owner, let_in, game):
    drawn = []
    for theme in ("light", "dark"):
        phone = open_phone(color_scheme=theme)
        let_in(phone, owner)
        page = opens(phone.new_page(), game, NO_SHARE_SHEET)
        with page.expect_download() as saved:
            page.locator(PICTURE).tap()
        drawn.append(base64.b64encode(Path(saved.value.path()).read_bytes()).decode())

    # The edges of letters may differ by a shade; paper, ink and figures must not.
    assert page.evaluate(SHARE_APART, drawn) < 0.001


def test_cancelling_the_share_sheet_shows_no_message_and_saves_nothing(page, game):
    opens(page, game, SHARE_SHEET)
    saved = []
    page.on("download", lambda download: saved.append(download))
    page.evaluate("window.refusals = ['AbortError', 'AbortError']")
    page.locator(PICTURE).tap()
    expect(page.locator(PICTURE)).to_be_hidden()
    page.locator(SEND).tap()
    page.locator(TEXT).tap()
    page.wait_for_timeout(500)

    assert ([], []) == (page.evaluate("window.shared"), saved)
    expect(page.locator(PICTURE)).to_contain_text(re.compile("imagen|picture"))


def test_a_picture_that_took_too_long_for_one_tap_is_shared_by_the_next(page, game):
    opens(page, game, SHARE_SHEET)
    page.evaluate("window.refusals = ['NotAllowedError']")
    words = page.locator(PICTURE).get_attribute("data-again")
    page.locator(PICTURE).tap()
    expect(page.locator(PICTURE)).to_have_text(words or "")
    page.locator(PICTURE).tap()

    is_handed_over(page)
    assert WIDE == page.evaluate(SHARED_PICTURE)["width"]


def test_the_picture_button_reports_a_missing_network_and_works_again_online(page, phone, game, forgive):
    forgive("Failed to load resource|Failed to fetch|ERR_INTERNET_DISCONNECTED")
    opens(page, game, SHARE_SHEET)
    phone.set_offline(True)
    words = page.locator(PICTURE).get_attribute("data-failed")
    page.locator(PICTURE).tap()
    expect(page.locator(PICTURE)).to_have_text(words or "")
    phone.set_offline(False)
    page.reload()
    page.locator(SEND).tap()
    page.locator(PICTURE).tap()

    is_handed_over(page)


# --- without one ------------------------------------------------------------------------------------------------------


def test_a_phone_that_cannot_share_files_saves_the_picture(page, game):
    opens(page, game, NO_SHARE_SHEET)
    with page.expect_download() as saved:
        page.locator(PICTURE).tap()

    assert re.fullmatch(r"loba_mas-\d{4}-\d\d-\d\d\.png", saved.value.suggested_filename)
    assert WIDE == size_of(Path(saved.value.path()).read_bytes())[0]
    expect(page.locator(PICTURE)).to_have_text(page.locator(PICTURE).get_attribute("data-saved") or "")


def test_a_phone_that_can_share_only_text_saves_the_picture(page, game):
    opens(page, game, f"{SHARE_SHEET} navigator.canShare = () => false;")
    with page.expect_download() as saved:
        page.locator(PICTURE).tap()

    assert WIDE == size_of(Path(saved.value.path()).read_bytes())[0]


def test_without_a_share_sheet_the_text_is_copied(page, phone, game):
    phone.grant_permissions(["clipboard-read", "clipboard-write"])
    opens(page, game, NO_SHARE_SHEET).locator(TEXT).tap()

    expect(page.locator(TEXT)).to_have_text(page.locator(TEXT).get_attribute("data-done") or "")
    assert page.locator("#message").input_value() == page.evaluate("navigator.clipboard.readText()")


@pytest.fixture
def script(page) -> list[Route]:
    """The requests for the script of the buttons, which waits until the test lets one continue."""
    waiting: list[Route] = []
    page.route("**/base/share*.js", lambda route: waiting.append(route))
    return waiting


def test_a_text_is_copied_although_its_button_was_tapped_before_its_script_came(page, phone, game, script):
    phone.grant_permissions(["clipboard-read", "clipboard-write"])
    text = opens(page, game, NO_SHARE_SHEET).locator(TEXT)
    text.tap()
    until(page, lambda: bool(script))

    script[0].continue_()
    expect(text).to_have_text(text.get_attribute("data-done") or "")


def test_a_picture_is_saved_although_its_button_was_tapped_before_its_script_came(page, game, script):
    opens(page, game, NO_SHARE_SHEET).locator(PICTURE).tap()
    until(page, lambda: bool(script))

    with page.expect_download():
        script[0].continue_()


@pytest.fixture
def plain_page(open_phone, live_server, settings, phone, page):
    """A page on a phone that reaches the site over plain http, as in a house: no secure context."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "mesa.casa"]
    house = open_phone(base_url=re.sub(r"//[^:/]+", "//mesa.casa", live_server.url))
    (session,) = [one for one in phone.cookies() if one["name"] == settings.SESSION_COOKIE_NAME]
    house.add_cookies(
        [{"name": session["name"], "value": session["value"], "domain": "mesa.casa", "path": "/"}]
    )
    return house.new_page()


def test_over_plain_http_the_text_is_selected_and_the_picture_saved(plain_page, game):
    page = opens(plain_page, game)
    assert (False, "undefined", "undefined") == tuple(
        page.evaluate("[isSecureContext, typeof navigator.share, typeof navigator.clipboard]")
    )
    page.locator(TEXT).tap()
    expect(page.locator(TEXT)).to_have_text(page.locator(TEXT).get_attribute("data-select") or "")
    selected = "document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"
    assert page.locator("#message").input_value() == page.evaluate(selected)
    assert page.locator("a[href^='https://wa.me/']").is_visible()

    with page.expect_download() as saved:
        page.locator(PICTURE).tap()
    assert WIDE == size_of(Path(saved.value.path()).read_bytes())[0]


# --- the moment ------------------------------------------------------------------------------------------------------

MOVING = "document.getAnimations().map(animation => animation.animationName)"


def test_the_winner_is_celebrated_with_an_animation(page, game):
    opens(page, game)

    assert {"burst", "cheer"} == set(page.evaluate(MOVING))


def test_reduced_motion_shows_the_winner_without_an_animation(open_phone, owner, let_in, game):
    phone = open_phone(reduced_motion="reduce")
    let_in(phone, owner)
    page = opens(phone.new_page(), game)

    expect(page.locator(".cheered .av")).to_be_visible()
    assert [] == page.evaluate(MOVING)


# --- on paper ---------------------------------------------------------------------------------------------------------


def pages_of(page: Page) -> int:
    """Return the number of A4 sheets of the printed page."""
    printed = page.pdf(prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page\b", printed))


def test_a_night_prints_completely_and_without_controls(page, table, owner):
    for _count in range(40):
        play(
            start(table, owner, variant="points", ending="rounds", rounds=1),
            owner,
            "round nobody played ana=3 beto=2 caro=1 dani=0",
        )
    night = the_night(table)
    page.emulate_media(color_scheme="dark")
    page.goto(f"/t/{table.code}/accounts/nights/{night.isoformat()}/")

    assert pages_of(page) > 1
    page.emulate_media(media="print", color_scheme="dark")
    assert "rgb(28, 39, 51)" == page.locator("h1").evaluate("title => getComputedStyle(title).color")
    assert 0 == page.locator(".dock, .tabs, .bar .icon").filter(visible=True).count()
