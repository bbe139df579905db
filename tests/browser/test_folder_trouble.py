"""Troubles of a folder without a server: windows, kills, full disks, releases, other apps of the origin."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.network import NETWORK_ERRORS
from tests.browser.scorer import GO, Scorer
from tests.serverless_app import BOOT, POST, StaticHost, copy_app, start_first_game, write_app

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("patience_to_boot")]

UNANSWERED = r"status of (502|504|507)|status of 404"
HANDS = {"closer": "ana", "closing": "out"}
TWICE = """async (path) => {
  const page = await (await fetch(path)).text();
  const form = new DOMParser().parseFromString(page, "text/html").querySelector("form:has([name=key])");
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of [["closer", "ana"], ["closing", "out"], ["hand-beto", "5"], ["hand-caro", "8"]])
    body.set(name, value);
  const post = () => fetch(path, { method: "POST", body, redirect: "manual" });
  return (await Promise.all([post(), post()])).map(({ type }) => type);
}"""
SLEEP = "(time) => { setTimeout(() => { const end = Date.now() + time; while (Date.now() < end); }); }"
FULL = "(isFull) => new BroadcastChannel('disk').postMessage(isFull)"
DISK = """
const { abort, commit } = IDBTransaction.prototype;
new BroadcastChannel("disk").onmessage = ({ data: isFull }) => {
  IDBTransaction.prototype.commit = isFull ? abort : commit;
};
"""
LONG_AGO = 1_700_000_000
RELEASE = "() => caches.keys()"
ONE_RELEASE = "async () => (await caches.keys()).length === 1"
# Returns whether the later release was installed. It waits for the windows of the older one.
UPDATE = """async () => {
  const known = await navigator.serviceWorker.getRegistration();
  await known.update();
  const { installing } = known;
  const end = (resolve) => ["installed", "redundant"].includes(installing.state) && resolve();
  if (installing) await new Promise((resolve) => (installing.onstatechange = () => end(resolve)));
  return Boolean(known.waiting);
}"""


@pytest.fixture
def host(folder_app, tmp_path) -> Iterator[StaticHost]:
    """The file server, whose files the test may change."""
    host = StaticHost(copy_app(folder_app, tmp_path / "host", "cards"))
    yield host
    host.stop()


@pytest.fixture
def phone(open_phone, host, forgive):
    """A phone with a service worker."""
    forgive(NETWORK_ERRORS)
    return open_phone(base_url=host.address(), service_workers="allow")


def record(page: Page, game: str, beto: int) -> str:
    """Record a round in which Caro was left with 8 points."""
    answer: str = page.evaluate(POST, [f"{game}round/", {**HANDS, "hand-beto": str(beto), "hand-caro": "8"}])
    return answer


def test_two_windows_record_in_turn_and_the_second_continues_alone(phone, host, forgive):
    forgive(UNANSWERED)
    first = phone.new_page()
    game = start_first_game(first, host.address(), "Ana\nBeto\nCaro")
    second = phone.new_page()
    second.goto(game)

    assert ["recorded", "recorded"] == [record(second, game, 5), record(first, game, 6)]
    first.close()
    assert "recorded" == record(second, game, 7)  # the first window starts the engine
    assert ["opaqueredirect"] * 2 == second.evaluate(TWICE, f"{game}round/")
    second.reload()
    expect(second.locator("main")).to_contain_text("32")  # four rounds of 8


def test_a_full_disk_is_reported_and_loses_nothing(phone, host, forgive):
    forgive(r"status of 507|Error Code 507")
    (script,) = (host.above / "cards").glob("engine-*.js")
    script.write_text(script.read_text() + DISK)
    page = phone.new_page()
    game = start_first_game(page, host.address(), "Ana\nBeto\nCaro")
    page.evaluate(FULL, True)
    scorer = Scorer(page)
    scorer.begin_round("ana")
    scorer.enters(27, 8)
    scorer.tap(GO)
    expect(page.locator("#trouble")).to_contain_text("lleno")
    page.evaluate(FULL, False)
    scorer.saves()
    scorer.sees_totals("0", "27", "8")
    page.goto(game)
    scorer.sees_totals("0", "27", "8")


def test_a_later_release_takes_over_after_the_older_windows_are_closed(phone, host, forgive):
    forgive(UNANSWERED)
    first_page = host.above / "cards" / "index.html"
    older = first_page.read_bytes()
    os.utime(first_page, (LONG_AGO, LONG_AGO))  # browsers may keep an old file for days without asking
    page = phone.new_page()
    game = start_first_game(page, host.address(), "Ana\nBeto\nCaro")
    before = page.evaluate(RELEASE)
    write_app(host.above / "cards", later=True)
    later = first_page.read_bytes()
    first_page.write_bytes(older)  # some hosts replace one file after the other
    os.utime(first_page, (LONG_AGO, LONG_AGO))
    assert not page.evaluate(UPDATE)
    first_page.write_bytes(later)
    assert page.evaluate(UPDATE)
    assert "recorded" == record(page, game, 5)  # the older release's files are gone from the host
    page.reload()
    assert "recorded" == record(page, game, 6)
    assert before == page.evaluate(RELEASE)[:1]

    page.close()
    outside = phone.new_page()
    outside.goto("/")
    outside.wait_for_function(ONE_RELEASE)
    page = phone.new_page()
    page.goto(game)
    expect(page.locator("main")).to_contain_text("11")
    assert before != page.evaluate(RELEASE)
    host.stop()
    page.reload()
    expect(page.locator("main")).to_contain_text("11")


def test_a_sleeping_window_gives_up_the_lead_and_overwrites_nothing(phone, host, forgive):
    forgive(UNANSWERED)
    first = phone.new_page()
    game = start_first_game(first, host.address(), "Ana\nBeto\nCaro")
    assert "recorded" == record(first, game, 5)
    first.evaluate(SLEEP, 30_000)
    second = phone.new_page()
    second.goto(game)
    second.locator("[data-take]:visible").tap(timeout=BOOT)
    expect(second.locator("main")).to_contain_text("5")
    assert "recorded" == record(second, game, 6)
    assert "recorded" == record(first, game, 7)  # once the first window is awake: the second one answers
    second.reload()
    expect(second.locator("main")).to_contain_text("18")


def test_two_folders_on_one_origin_are_independent(open_phone, folder_app, tmp_path, forgive):
    forgive(NETWORK_ERRORS)
    host = StaticHost(copy_app(folder_app, tmp_path / "host", "cards", "mis juegos"))
    phone = open_phone(base_url=host.address(), service_workers="allow")
    page = phone.new_page()
    for name, people in (("cards", "Ana\nBeto"), ("mis juegos", "Caro\nDani")):
        start_first_game(page, host.address(name), people)
        Scorer(page).begin_round(people.partition("\n")[0].lower())
    for name, people in (("cards", "Ana, Beto"), ("mis juegos", "Caro, Dani")):
        page.goto(host.address(name))
        expect(page.locator("h1")).to_contain_text(people)
    keys = page.evaluate("() => Object.keys(localStorage)")
    assert {"cards", "mis%20juegos"} == {key.partition("/")[0] for key in keys if ":" in key}
    host.stop()
