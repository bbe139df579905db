"""A night of three games in a folder without a server, by taps; the browser is killed, its profile wiped."""

from __future__ import annotations

import contextlib
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Error, expect

from games.files.services import audit, file_reader, table_import
from tests.browser.chromium import kill
from tests.browser.conftest import PHONE
from tests.browser.scorer import Scorer
from tests.factories import make_user
from tests.serverless_app import BOOT, StaticHost, start_first_game

pytestmark = [pytest.mark.long, pytest.mark.django_db, pytest.mark.usefixtures("patience_to_boot")]

OPTIONS = {**PHONE, "service_workers": "allow"}


def test_a_night_survives_killed_browsers_and_is_restored_from_its_file(chromium, folder_app, tmp_path):
    profile, host = tmp_path / "phone", StaticHost(folder_app)
    requests: list[str] = []
    reopen = partial(reopen_browser, chromium, profile, host, requests)
    phone = open_browser(chromium, profile, requests)
    scorer = Scorer(phone.pages[0])
    start_first_game(scorer.page, host.address(), "Ana\nBeto\nCaro")
    expect(scorer.page.get_by_text("Invitar")).to_have_count(0)  # no other phone joins a folder
    play_with_reentry_and_correction(scorer)
    start_rematch(scorer)

    scorer = reopen(phone)
    play_one_round(scorer, "beto")
    start_rematch(scorer)
    scorer = reopen(scorer.page.context)
    play_one_round(scorer, "caro")
    settle_night(scorer, host)

    host.stop()
    scorer = reopen(scorer.page.context)
    file = save_file(scorer, tmp_path / "table.json")
    scorer.page.context.close()
    assert set() == {url for url in requests if not url.startswith((host.address(), "blob:", "data:"))}
    table = table_import.create_table(
        file_reader.read_table(file.read_bytes()), key="brought", by=make_user("ana")
    )
    assert (3, 1, []) == (table.games.count(), table.payments.count(), audit.check_table(table).differences)

    host = StaticHost(folder_app)
    phone = open_browser(chromium, tmp_path / "wiped", requests)
    scorer = Scorer(phone.pages[0])
    import_file(scorer, host, file)
    again = save_file(scorer, tmp_path / "again.json")
    phone.close()
    host.stop()
    assert file.read_bytes() == again.read_bytes()


def open_browser(chromium, profile: Path, requests: list[str]) -> BrowserContext:
    """Open a browser with this profile, and collect its requests."""
    phone: BrowserContext = chromium.open_at(profile, **OPTIONS)
    phone.on("request", lambda request: requests.append(request.url))
    phone.set_default_timeout(BOOT)
    return phone


def reopen_browser(
    chromium, profile: Path, host: StaticHost, requests: list[str], phone: BrowserContext
) -> Scorer:
    """Kill the browser, open it again on the first page, and go to the running game if there is one."""
    kill(profile)
    with contextlib.suppress(Error):  # the browser has been killed
        phone.close()
    scorer = Scorer(open_browser(chromium, profile, requests).pages[0])
    scorer.page.goto(host.address())
    expect(scorer.page.locator("[data-saving]")).to_be_visible()
    running = scorer.page.locator("a.tile.live")
    if running.count():
        scorer.tap(running)
        expect(scorer.page.locator(".score")).to_be_visible()
    return scorer


def play_with_reentry_and_correction(scorer: Scorer) -> None:
    """Play a game in which Beto re-enters and Caro's hand is corrected, until Ana has won."""
    scorer.begin_round("ana")
    scorer.enters(105, "K 9")
    scorer.saves()
    scorer.answers("reenter")
    scorer.sees_totals("0", "19", "19")
    scorer.opens_cell("caro", 2)
    scorer.tap("[data-held='0']")
    scorer.sees_what_changes()
    scorer.confirms()
    scorer.sees_totals("0", "9", "9")
    scorer.begin_round("ana")
    scorer.enters(95, 96)
    scorer.saves()
    expect(scorer.page.locator("h1")).to_contain_text("Ana")


def start_rematch(scorer: Scorer) -> None:
    scorer.tap("form[action$='/rematch/'] button")
    expect(scorer.page.locator(".closers")).to_be_visible()


def play_one_round(scorer: Scorer, winner: str) -> None:
    """Play a game in which all others go bust in the first round."""
    scorer.begin_round(winner)
    scorer.enters(101, 105)
    scorer.saves()
    expect(scorer.page.locator("h1")).to_contain_text(winner.capitalize())


def settle_night(scorer: Scorer, host: StaticHost) -> None:
    """Settle the first payment of the night."""
    scorer.page.goto(host.address())
    scorer.tap(scorer.page.locator("#tonight a[href*='/accounts/nights/']").first)
    scorer.page.wait_for_url("**/accounts/nights/*/")
    scorer.tap(scorer.page.locator("form[action$='/tick/'] button").first)
    expect(scorer.page.locator("button.tick[aria-pressed=true]").first).to_be_visible()


def save_file(scorer: Scorer, file: Path) -> Path:
    """Save the table's file from the first page."""
    with scorer.page.expect_download() as download:
        scorer.tap("[data-saving] button")
    download.value.save_as(file)
    return file


def import_file(scorer: Scorer, host: StaticHost, file: Path) -> None:
    """Import the file on an empty phone, and go to the first page."""
    page = scorer.page
    page.goto(host.address())
    scorer.tap("form:not([hidden]) button.go")  # without names
    scorer.tap("a[href$='/bring/']")
    scorer.tap("a[href$='/import/']")
    page.locator("[type=file]").set_input_files(file)
    scorer.tap(".dock .go")
    expect(page.locator(".body .notice")).to_contain_text("3")
    page.goto(host.address())
    expect(page.locator("[data-saving]")).to_be_visible()
