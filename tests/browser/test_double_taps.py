"""The second tap of a double tap acts on nothing, whatever page it meets."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.doubled import GAPS, walk
from tests.browser.nights import begin, play

SETTLED = 300  # milliseconds after which the page that follows is there
# Counts the taps that a page was given: one of each two. A page that is left keeps the number for the next.
COUNT = """document.addEventListener("click", ({ isTrusted, detail }) => {
    if (isTrusted && detail) sessionStorage.given = Number(sessionStorage.given ?? 0) + 1;
}, true);"""


def tap_twice(page: Page, x: float, y: float, gap: int) -> None:
    """Tap this place, and again after `gap` milliseconds."""
    began = time.monotonic()
    page.touchscreen.tap(x, y)
    page.wait_for_timeout(max(0, gap - 1000 * (time.monotonic() - began)))
    page.touchscreen.tap(x, y)


def tap_element_twice(page: Page, selector: str, gap: int, *, across: float = 0.5) -> None:
    """Tap this element, and the same place again after `gap` milliseconds. `across` is a share of its width."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    tap_twice(page, box["x"] + box["width"] * across, box["y"] + box["height"] / 2, gap)
    page.wait_for_timeout(500)


@dataclass(frozen=True)
class ChromiumWindow:
    """A page of Chromium, as the walk over all controls needs it."""

    page: Page
    let_in: Callable[[BrowserContext, User], None]

    def goto(self, path: str) -> None:
        """Open a path of the site."""
        self.page.goto(path)

    def run(self, script: str, given: Any = None) -> Any:
        """Return what this JavaScript function answers."""
        return self.page.evaluate(script, given)

    def tap(self, selector: str) -> None:
        """Tap the first visible element, once it is there."""
        self.page.locator(selector).filter(visible=True).first.tap()

    def tap_twice(self, x: int, y: int, gap: int) -> int:
        """Tap this place, and again after `gap` milliseconds. Return how many of the taps pages were given."""
        given = "Number(sessionStorage.given ?? 0)"
        before = int(self.page.evaluate(given))
        tap_twice(self.page, x, y, gap)
        self.page.wait_for_timeout(SETTLED)
        return int(self.page.evaluate(given)) - before

    def sign_in(self, user: User) -> None:
        """Become this user."""
        self.page.context.clear_cookies()
        self.let_in(self.page.context, user)


@pytest.fixture
def phone_page(page, phone, owner, let_in):
    """A page of the owner."""
    let_in(phone, owner)
    return page


@pytest.fixture
def game(owner, table):
    """A game of four after three rounds."""
    rounds = (f"round ana out beto={beto} caro=9 dani=8" for beto in (3, 4, 5))
    return play(begin(table, owner, stake=100), owner, *rounds)


@pytest.mark.parametrize("gap", GAPS)
def test_ticking_a_debt_twice_pays_that_debt_alone(phone_page, owner, table, gap):
    play(begin(table, owner, stake=1000), owner, "round ana out beto=3 caro=9 dani=8", "stop lowest_wins")
    phone_page.goto(f"/t/{table.code}/accounts/")
    tap_element_twice(phone_page, "#tick-beto-ana", gap)

    expect(phone_page.locator("#debts .pay.done")).to_have_count(1)
    assert [("beto", "ana", 1000)] == [
        (payment.payer.slug, payment.payee.slug, payment.amount) for payment in table.payments.counting()
    ]


@pytest.mark.parametrize("gap", GAPS)
def test_saving_a_round_opens_no_next_round(scorer, game, gap):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round("ana")
    for points in (7, 12):
        scorer.counted(points)
        scorer.goes_on()
    scorer.counted(40)
    tap_element_twice(scorer.page, "[data-go]", gap, across=0.4)  # where a face is on the next page

    expect(scorer.page.locator(".closers")).to_be_visible()
    assert 5 == game.records.count()


@pytest.mark.parametrize("gap", GAPS)
def test_undoing_undoes_one_round(phone_page, game, gap):
    phone_page.goto(f"/g/{game.code}/")
    tap_element_twice(phone_page, "form[action$='/undo/'] button", gap)

    assert 2 == len(game.state().rounds)


@pytest.mark.long
def test_no_control_of_a_night_acts_twice(page, let_in, forgive):
    forgive("status of 404")  # a form that names nobody
    page.add_init_script(COUNT)
    report = walk(ChromiumWindow(page, let_in))
    print(f"\nChromium: {report}")

    assert [] == report.wrong
    assert 120 <= report.tapped
