"""The folder that a site serves at /solo/: downloaded while the site is there, and used once it is gone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from scorekeeper.middleware import POLICY
from tests.browser.network import UNREACHED
from tests.folders import BOOT

OF_THE_FOLDER = "anotador /solo/ "


@pytest.mark.long
def test_a_new_game_begins_in_the_downloaded_folder_once_the_site_is_gone(
    site_with_folder, open_phone, forgive
):
    forgive(UNREACHED)
    site = site_with_folder
    phone = open_phone(base_url=f"http://localhost:{site.port}", service_workers="allow")
    assert POLICY == phone.request.get("/solo/").headers["content-security-policy"]
    page = phone.new_page()
    page.goto("/new/?shown=&variant=chinchon&new-1=Ana&new-2=Beto&table-name=Los+martes")
    page.locator(".dock .go").tap()
    page.wait_for_url("**/g/*/")
    game = page.url
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.locator("[data-download] button").tap()
    expect(page.locator("[data-download] button")).to_be_hidden(timeout=BOOT)

    site.kill()
    page.locator("a[href$='/new/']").first.tap()
    expect(page.locator("#solo")).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()
    page.goto("/t/unknown/settings/")  # a page that was never here
    page.locator("#solo").tap()
    page.wait_for_url("**/solo/new/?*", timeout=BOOT)
    expect(page.locator("[name=table-name]")).to_have_value("Los martes")
    assert "chinchon" == page.locator("[name=variant]:checked").input_value()
    page.locator(".dock .go").tap()
    page.wait_for_url("**/solo/g/*/", timeout=BOOT)
    expect(page.locator("main")).to_contain_text("Beto")

    site.start()
    page.goto(game)
    expect(page.locator("main")).to_contain_text("Ana")
    names = page.evaluate("caches.keys()")
    assert {"pages", "files-", OF_THE_FOLDER} == {
        name if name == "pages" else name.rstrip("0123456789abcdef") for name in names
    }
    page.goto("/solo/")
    expect(page.locator("h1")).to_contain_text("Los martes", timeout=BOOT)
    assert "/solo/" == page.evaluate(
        "new URL(navigator.serviceWorker.controller.scriptURL).pathname.replace('sw.js', '')"
    )
