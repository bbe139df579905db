"""A folder of static files, served by Python's http.server under a path: a night without a site.

`engines/test_folder.py` has the folder in Firefox and WebKit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.network import NETWORK_ERRORS
from tests.serverless_app import POST, PROJECT, StaticHost, deal

pytestmark = pytest.mark.usefixtures("patience_to_boot")

IPHONE = "() => Object.defineProperty(navigator, 'standalone', { value: false })"
OFFERS_HOME_SCREEN = """() => {
  const event = new Event("beforeinstallprompt");
  event.prompt = () => { self.isAsked = true; };
  dispatchEvent(event);
}"""
SHARES_TEXT = """() => {
  navigator.canShare = ({ files: [file] }) => file.type === "text/plain";
  navigator.share = async ({ files: [file] }) => { self.shared = file.name; };
}"""


@pytest.fixture
def host(folder_app) -> Iterator[StaticHost]:
    host = StaticHost(folder_app)
    yield host
    host.stop()


@pytest.fixture
def address(host: StaticHost) -> str:
    return host.address()


def test_the_first_page_starts_the_app_and_home_asks_for_a_file_once_a_game_is_over(
    open_phone, address, forgive
):
    """A deep link leads a new phone to the first page, too. On a French phone it is in English."""
    forgive(NETWORK_ERRORS)
    forgive("404")
    stranger = open_phone(base_url=address).new_page()
    stranger.goto(f"{address}g/abc/correct/3/")
    stranger.wait_for_url(f"{address}#/g/abc/correct/3/")
    expect(stranger.locator("form:not([hidden]) [name=people]")).to_be_visible()
    stranger.close()
    phone = open_phone(base_url=address, locale="fr-FR", service_workers="allow")
    phone.add_init_script(f"({IPHONE})()")
    page = phone.new_page()
    page.goto(address)
    form = page.locator("form:not([hidden])")  # there is one for each language
    expect(form.locator("[data-iphone]")).to_contain_text("add this page to the home screen")
    expect(page.locator(".too-old:visible")).to_have_count(0)
    form.get_by_text("What this is").tap()
    about = form.locator("details")
    for sentence in ("nothing is sent anywhere.", "Move the table there with its file."):
        expect(about.get_by_text(sentence)).to_be_visible()
    expect(about.get_by_role("link")).to_have_attribute("href", PROJECT)
    install = form.locator("[data-install]")
    expect(install).to_be_hidden()
    page.evaluate(OFFERS_HOME_SCREEN)
    install.tap()
    assert page.evaluate("self.isAsked")
    form.locator("[name=people]").fill("Ana\nBeto\nCaro")
    form.locator("button.go").tap()
    expect(form.locator("button.go")).to_have_text("Opening it on this phone…")
    page.wait_for_function("() => document.querySelector('form:not([hidden]) progress').value > 0.4")
    game = deal(page)

    asks, save = page.locator("[data-due]"), page.locator("[data-saving] button")
    page.goto(address)
    expect(save).to_be_visible()
    expect(asks).to_be_hidden()
    hands = {"closer": "ana", "closing": "out", "hand-beto": "105", "hand-caro": "108"}
    assert "recorded" == page.evaluate(POST, [f"{game}round/", hands])
    page.reload()
    expect(asks).to_be_visible()
    with page.expect_download() as download:
        save.tap()
    assert download.value.suggested_filename.endswith(".json")
    expect(asks).to_be_hidden()
    page.reload()
    expect(page.locator("[data-last]")).to_have_text(re.compile(r"^Last file: \w+ \w+ \w+\.$"))
    page.evaluate(SHARES_TEXT)
    save.tap()
    page.wait_for_function("() => self.shared?.endsWith('.txt')")
