"""A screen of the app at a stage a person meets it in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

TOTALS, MAIN, FACES = ".score .total", ".dock .go", ".dock [data-closer]"

Act = Callable[[Page], None]


@dataclass(frozen=True)
class Screen:
    """One screen: its address, the taps that lead to its stage, and what must be in reach there without scrolling."""

    name: str
    path: str
    acts: tuple[Act, ...] = ()
    reachable: tuple[str, ...] = ()
    is_strangers: bool = False

    def show(self, page: Page) -> None:
        """The page, at this stage."""
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear()")  # the drafts of the stage before
        page.goto(self.path)
        if page.locator("#entry").count():
            expect(page.locator("#entry[data-ready]")).to_be_visible()
        for act in self.acts:
            act(page)
