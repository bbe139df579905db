"""A screen of the app at one stage, as a person reaches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.scorer import Scorer

TOTALS, MAIN, FACES = ".score .total", ".dock .go", ".dock [data-closer]"
LETTERS = 16  # px; a browser's default font size

Act = Callable[[Page], None]


def taps(key: str, *, sees: str = "") -> Act:
    """Return an act that taps the first of these elements, and waits for `sees` if given."""

    def act(page: Page) -> None:
        page.locator(key).first.tap()
        if sees:
            waits_for(sees)(page)

    return act


def waits_for(element: str) -> Act:
    """Return an act that waits until the first of these elements is visible."""
    return lambda page: expect(page.locator(element).first).to_be_visible()


def fills(field: str, text: str) -> Act:
    return lambda page: page.locator(field).fill(text)


def opens_sheet(name: str) -> Act:
    """Return an act that opens the sheet (popover) of this name."""
    return taps(f"[popovertarget={name}]:not(.close)", sees=f"#{name}")


def picks_game(variant: str) -> Act:
    """Return an act that chooses this variant for a new game; the sheet stays open."""

    def act(page: Page) -> None:
        page.locator("#says").tap()
        chip = page.locator(f".games .chip:has([value={variant}])")
        if not chip.is_visible():  # it is among the further games
            page.locator("details:has(.games) > summary").tap()
        chip.tap()
        expect(page.locator(f"[name=shown][value={variant}]")).to_be_attached()
        expect(page.locator(".games").first).to_have_css("display", "grid")  # its style sheet is loaded

    return act


def opens_folds(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")


def resize(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})


@contextmanager
def font_size(page: Page, size: int) -> Iterator[None]:
    """Set the font size of the browser, in px, during the `with` block."""
    browser = page.context.new_cdp_session(page)
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": size}})
    yield
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": LETTERS}})
    browser.detach()


STYLED = """() => [...document.querySelectorAll("link[rel=stylesheet]")].every((link) =>
  link.sheet && [...link.sheet.cssRules].every((rule) => !rule.href || rule.styleSheet))"""


@dataclass(frozen=True)
class Screen:
    """One screen: its path, the acts that lead to its stage (a function, or a call for `Scorer.does`), and
    its status.

    `reachable` are selectors that are in reach without scrolling, `upright` those only in portrait
    orientation.
    """

    name: str
    path: str
    acts: tuple[Act | Sequence[Any], ...] = ()
    reachable: tuple[str, ...] = ()
    upright: tuple[str, ...] = ()
    is_strangers: bool = False
    status: int = 200

    def show(self, page: Page) -> None:
        """Open the page and bring it to this stage."""
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear()")  # drafts of the previous stage
        answer = page.goto(self.path)
        assert answer is not None
        assert self.status == answer.status, f"{self.name}: another page stands in its place"
        if page.locator("#entry").count():
            expect(page.locator("#entry[data-ready]")).to_be_visible()
        if page.locator("[data-roster]").count():
            expect(page.locator("[data-plain][hidden]")).to_have_count(1)  # the seats are in place
        for act in self.acts:
            if callable(act):
                act(page)
            else:
                Scorer(page).does((act,))
        page.wait_for_load_state()
        page.wait_for_function(STYLED)  # the parts that htmx swaps in bring their own styles
        expect(page.locator(".rests")).to_have_count(0)  # inactive keys are faint on purpose
