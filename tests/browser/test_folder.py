"""A folder of static files, served by Python's http.server under a path: a night without a site."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from games.notebook.books.audit import check_table
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from tests.browser.network import UNREACHED
from tests.folders import BOOT, POST, Host, begin
from tests.tables import make_user

PATIENCE = 10_000
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
def host(folder_app) -> Iterator[Host]:
    """The file server, which the test may stop."""
    host = Host(folder_app)
    yield host
    host.stop()


@pytest.fixture
def address(host: Host) -> str:
    return host.address()


def test_the_first_page_has_a_description_for_search_engines(folder_app):
    page = (folder_app / "cards" / "index.html").read_text(encoding="utf-8")

    assert 'content="Lleva los puntos cuando se juega a las cartas entre amigos' in page


def test_the_app_and_the_library_are_byte_code_alone(folder_app):
    def unpacked(name: str) -> io.BytesIO:
        (stored,) = (folder_app / "cards" / "engine").glob(f"*/{name}.gz")
        return io.BytesIO(gzip.decompress(stored.read_bytes()))

    with (
        tarfile.open(fileobj=unpacked("app.tar")) as app,
        zipfile.ZipFile(unpacked("library.zip")) as library,
    ):
        names = {*app.getnames(), *library.namelist()}
    assert {"games/urls.pyc", "django/urls/base.pyc", "json/decoder.pyc"} <= names
    assert set() == {name for name in names if name.endswith(".py")}


@pytest.mark.django_db
def test_a_night_recorded_in_the_folder_app_can_be_imported_at_a_site(
    open_phone, host, address, forgive, tmp_path
):
    forgive(UNREACHED)
    phone = open_phone(base_url=address, service_workers="allow")
    requests: list[str] = []
    phone.on("request", lambda request: requests.append(request.url))
    page = phone.new_page()
    expect.set_options(timeout=BOOT)
    game = begin(page, address, "Ana\nBeto\nCaro")
    hands = {"closer": "ana", "closing": "out"}
    recorded = [
        page.evaluate(POST, [path, fields])
        for path, fields in (
            (f"{game}round/", {**hands, "hand-beto": "105", "hand-caro": "8"}),
            (f"{game}reentry/", {"answer": "reenter"}),
            (f"{game}round/", {**hands, "hand-beto": "4", "hand-caro": "9"}),
            (f"{game}correct/2/", {**hands, "hand-beto": "105", "hand-caro": "7"}),
        )
    ]
    assert ["recorded"] * 4 == recorded

    host.stop()
    page.close()
    page = phone.new_page()
    page.goto(game)  # like a bookmark: the first page opens it
    expect(page.locator("main")).to_contain_text("105")
    page.locator("header a[href]").first.tap()
    page.goto(address)
    page.locator("[data-saving]").wait_for(timeout=BOOT)
    with page.expect_download() as download:
        page.locator("[data-saving] button").tap()
    file = tmp_path / "table.json"
    download.value.save_as(file)
    assert set() == {url for url in requests if not url.startswith((address, "blob:", "data:"))}

    contents = read_table(file.read_bytes())
    table = restore_table(contents, key="from-a-folder", by=make_user("ana"), again=False)
    assert [] == check_table(table).differences
    expect.set_options(timeout=PATIENCE)


def test_a_table_is_restored_from_its_file_after_the_phone_lost_it(open_phone, address, forgive, tmp_path):
    forgive(UNREACHED)
    expect.set_options(timeout=BOOT)
    file, lost = tmp_path / "table.json", open_phone(base_url=address, service_workers="allow")
    page = lost.new_page()
    begin(page, address, "Ana\nBeto")
    page.goto(address)
    page.locator("[data-saving] button").wait_for(timeout=BOOT)
    with page.expect_download() as download:
        page.locator("[data-saving] button").tap()
    download.value.save_as(file)
    lost.close()

    page = open_phone(base_url=address, service_workers="allow").new_page()
    page.goto(address)
    form = page.locator("form:not([hidden])")
    form.locator("button.go").tap()  # without names, to the home page
    page.locator("a[href$='/bring/']").wait_for(timeout=BOOT)
    page.goto(f"{address}import/")
    page.locator("[type=file]").wait_for(timeout=BOOT)
    page.locator("[type=file]").set_input_files(file)
    page.locator(".dock .go").tap()
    expect(page.locator(".notice")).to_contain_text("1")
    page.goto(address)
    expect(page.locator("h1")).to_contain_text("Ana, Beto")
    expect.set_options(timeout=PATIENCE)


def test_home_asks_for_a_file_once_a_game_is_over(open_phone, address, forgive):
    forgive(UNREACHED)
    expect.set_options(timeout=BOOT)
    page = open_phone(base_url=address, service_workers="allow").new_page()
    game = begin(page, address, "Ana\nBeto\nCaro")
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
    expect(page.locator("[data-last]")).to_be_visible()
    page.evaluate(SHARES_TEXT)
    save.tap()
    page.wait_for_function("() => self.shared?.endsWith('.txt')")
    expect.set_options(timeout=PATIENCE)


def test_the_first_page_is_in_english_for_others_and_answers_the_tap(open_phone, address, forgive):
    forgive(UNREACHED)
    phone = open_phone(base_url=address, locale="fr-FR", service_workers="allow")
    phone.add_init_script(f"({IPHONE})()")
    page = phone.new_page()
    page.goto(address)
    form = page.locator("form:not([hidden])")
    expect(form.locator("[data-iphone]")).to_contain_text("add this page to the home screen")
    expect(page.locator(".too-old:visible")).to_have_count(0)
    install = form.locator("[data-install]")
    expect(install).to_be_hidden()
    page.evaluate(OFFERS_HOME_SCREEN)
    install.tap()
    assert page.evaluate("self.isAsked")
    form.locator("[name=people]").fill("Ana\nBeto")
    form.locator("button.go").tap()
    expect(form.locator("button.go")).to_have_text("Opening it on this phone…")
    page.wait_for_function("() => document.querySelector('form:not([hidden]) progress').value > 0.4")
    page.wait_for_url("**/new/", timeout=BOOT)


def test_a_deep_link_leads_a_new_phone_to_the_first_page(open_phone, address, forgive):
    forgive(UNREACHED)
    forgive("404")
    page = open_phone(base_url=address).new_page()
    page.goto(f"{address}g/abc/correct/3/")
    page.wait_for_url(f"{address}#/g/abc/correct/3/")
    expect(page.locator("form:not([hidden]) [name=people]")).to_be_visible()
