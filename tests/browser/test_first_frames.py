"""Pages that follow one another, none of them ever without its styles."""

from __future__ import annotations

import re
from functools import partial
from time import sleep

import pytest
from playwright.sync_api import Route, expect

from tests.browser.game_setup import play

pytestmark = pytest.mark.long

WATCH = """() => {
  window.frames = [];
  const look = () => {
    const [heading, body] = [document.querySelector("h1"), document.querySelector("main > .body")];
    window.frames.push(`${heading.textContent.trim().split("\\n")[0]} ${body.scrollHeight}`);
    requestAnimationFrame(look);
  };
  look();
}"""

# When the page, parsed and drawn, stood without its scripts.
STANDS = """() => new Promise((resolve) => {
  const look = () => {
    if (document.readyState === "loading") requestAnimationFrame(look);
    else requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
  };
  look();
})"""

# The share of the screen that has moved since then.
MOVED = """(since) => new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => {
    const later = list.getEntries().filter((entry) => entry.startTime > since);
    resolve(later.reduce((sum, entry) => sum + entry.value, 0));
  });
  observer.observe({ type: "layout-shift", buffered: true });
  setTimeout(resolve, 300, 0); // it calls nobody where nothing moved
})"""


def _delay(seconds: float, route: Route) -> None:
    sleep(seconds)
    route.continue_()


def test_a_page_opened_by_a_tap_is_laid_out_from_its_first_frame(page, signed_in, game, owner):
    """Styles arrive half a second late, as on a bad network without a service worker."""
    play(game, owner, "stop split_pot")
    page.goto("/")
    page.route("**/*.css", partial(_delay, 0.5))
    for place in (1, 2, 3, 0):
        page.evaluate(WATCH)
        before = page.evaluate("window.frames[0]")
        tab = page.locator(".tabs a").nth(place)
        tab.tap()
        expect(tab).to_have_attribute("aria-current", "page")
        page.wait_for_timeout(800)

        assert 2 == len(frames := {before, *page.evaluate("window.frames")}), frames


def test_a_page_is_shown_although_its_styles_never_come(page, signed_in, game):
    page.goto("/")
    page.route("**/*.css", lambda _route: None)
    accounts = page.locator(".tabs a").nth(1)
    accounts.tap()
    expect(accounts).to_have_attribute("aria-current", "page", timeout=15_000)


def test_nothing_on_a_page_moves_when_its_scripts_come(page, signed_in, game):
    """Otherwise a tap could hit the wrong thing."""
    held = []
    # The page waits for the one script that stands beside its styles, and is drawn before all others.
    page.route(re.compile(r"(?<!/head)\.js$"), lambda route: held.append(route))
    table = game.table.code
    for place in (
        "/",
        f"/g/{game.code}/",
        f"/g/{game.code}/round/",
        f"/t/{table}/new/",
        f"/t/{table}/people/",
    ):
        page.goto(place, wait_until="commit")
        since = page.evaluate(STANDS)
        while held or page.evaluate("document.readyState") != "complete":
            if held:
                held.pop(0).continue_()
            page.wait_for_timeout(50)
        page.wait_for_timeout(1000)

        assert 0 == page.evaluate(MOVED, since), place


def test_the_ring_closes_around_the_winner_once_on_a_phone(page, signed_in, game, owner):
    play(game, owner, "stop lowest_wins")
    page.goto(f"/g/{game.code}/settlement/")
    ring = "getComputedStyle(document.querySelector('.leads .av'), '::after').animationName"
    assert "close" == page.evaluate(ring)
    page.wait_for_timeout(1000)
    assert "close" == page.evaluate(ring), "it was stopped"
    page.reload()
    assert "none" == page.evaluate(ring)


# The sheets in force; one of the page's own may stand in the head too.
STYLES = """() => [...new Set([...document.querySelectorAll("link[rel=stylesheet]")]
  .filter(({ sheet }) => matchMedia(sheet.media.mediaText || "all").matches)
  .map(({ href }) => new URL(href).pathname))].sort()"""


def test_a_page_opened_by_a_tap_has_its_own_styles_and_none_of_the_page_before(page, signed_in, game):
    sheet, more, board = (f"/g/{game.code}/{path}" for path in ("", "more/", "board/"))
    expected = {}
    for path in (sheet, more, board):
        page.goto(path)
        expected[path] = page.evaluate(STYLES)

    page.goto(more)
    for path, link in ((board, f"a[href='{board}']"), (sheet, ".bar a.icon")):
        page.locator(link).first.tap()
        page.wait_for_url(f"**{path}")
        expect(page.locator(".spots" if path == board else ".score")).to_be_visible()
        assert (path, expected[path]) == (path, page.evaluate(STYLES))
    assert 1 == page.locator("head link[href='/static/app.css']").count()
