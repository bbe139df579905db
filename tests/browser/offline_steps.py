"""Steps for a phone without a network: queued entries and cached pages."""

from __future__ import annotations

import re

from playwright.sync_api import Error, Page, expect

from games.models import Game
from tests.browser.network import Network
from tests.browser.scorer import GO, Scorer, plain, until

PANEL, NEXT = "#waiting:not([hidden])", "#waiting [data-next]"

CACHED = """async () => (await (await caches.open("pages")).keys())
  .map(({ url }) => new URL(url)).map(({ pathname, search }) => pathname + search)"""
IS_KEPT = """async (addresses) => {
  const pages = await caches.open("pages");
  const kept = await Promise.all(addresses.map((address) => pages.match(address)));
  return Boolean(navigator.serviceWorker.controller) && kept.every(Boolean);
}"""

# Look for a new version, and return whether one took over from the old one and is done.
IS_UPDATED = """async (old) => {
  const worker = await navigator.serviceWorker.getRegistration();
  if (!worker.installing && !worker.waiting) await worker.update();
  const isThere = (await caches.keys()).some((name) => name.startsWith("files-") && name !== old);
  return isThere && !worker.installing && !worker.waiting && worker.active.state === "activated";
}"""


def open_sheet(scorer: Scorer, game: Game) -> None:
    """Open the sheet and wait until it and the entry page are cached."""
    sheet = f"/g/{game.code}/"
    scorer.page.goto(sheet)
    until(scorer.page, lambda: scorer.page.evaluate(IS_KEPT, [sheet, f"{sheet}round/"]))


def goto_despite_navigation(page: Page, address: str) -> None:
    """Open the address, even if the page navigates by itself at the same time, on a busy machine repeatedly."""
    for is_last in (False, False, False, True):
        try:
            page.goto(address)
        except Error as crossed:
            if is_last or not re.search("ERR_ABORTED|interrupted by another navigation", str(crossed)):
                raise
            page.wait_for_load_state()  # else the page that comes now would cross the next attempt, too
        else:
            return


# People look at a page for longer than the phone needs to store its numbers; a test does not.
IS_KNOWN = """async () => {
  const here = document.getElementById("waiting")?.dataset;
  return !here?.numbers || (await self.box.numbers(here.game))?.after >= JSON.parse(here.numbers).after;
}"""


def cut(road: Network, page: Page) -> None:
    """Wait until the phone has stored the page's numbers, cut the network, and check that it is gone."""
    until(page, lambda: page.evaluate(IS_KNOWN))
    road.cut()
    assert "gone" == page.evaluate("fetch('/token/').then(() => 'there', () => 'gone')")


def enter(scorer: Scorer, closer: str, *counted: int, in_one_go: bool = False) -> None:
    """Enter a round in points on the pad and save it without a network."""
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    scorer.went_out(closer, in_one_go=in_one_go)
    for place, points in enumerate(counted):
        if place:
            scorer.goes_on()
        scorer.counted(points)
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()


def queued_texts(page: Page) -> list[str]:
    return [plain(text) for text in page.locator("#waiting [data-items] > li").all_inner_texts()]


def open_refused_entry(page: Page) -> None:
    """Open the refused entry on the pad, from the page of its game."""
    page.locator("#waiting li a").first.tap()
    expect(page.locator("#entry[data-step=hands]")).to_be_visible()


def drop_refused_entry(page: Page) -> None:
    """Drop the refused entry from its list. The second tap confirms."""
    button = page.locator(":is(#waiting, #kept) li:has(.wrong) button:visible").last
    button.tap()
    expect(button).to_contain_text("Tocá otra vez")
    button.tap()


def provisional_totals(page: Page) -> list[str]:
    return page.locator("#waiting .seat b").all_inner_texts()


WAITING = """async () => {
  const { person, seen } = document.getElementById("main").dataset;
  const mark = (seen === undefined ? person : null) ?? localStorage.getItem("person") ?? person;
  return (await self.box.unsent(mark)).map(({ shown }) => shown.title);
}"""


# A fetched file may not have run yet: on a busy phone a form sent in between cannot be queued. A finished
# import has run.
SCRIPTS_RUN = """async () => {
  const scripts = [...document.querySelectorAll("script[type=module]")].map(({ src }) => src);
  for (const script of scripts) await import(script);
}"""


def open_online(page: Page, address: str) -> None:
    """Open the page with a network, and wait until its scripts have run."""
    page.goto(address)
    expect(page.locator("h1")).to_be_visible()
    page.evaluate(SCRIPTS_RUN)
