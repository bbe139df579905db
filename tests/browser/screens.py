"""A screen of the app at one stage, as a person reaches it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.test import override_settings
from playwright.sync_api import Page, expect

from tests.browser.scorer import Scorer

TOTALS, MAIN, FACES = ".score .total", ".dock .go", ".dock [data-closer]"

Act = Callable[[Page], None]


@dataclass(frozen=True)
class Screen:
    """One screen: its path, the acts that lead to its stage, or what `Scorer.does`, and selectors in reach without scrolling.

    `upright` are selectors in reach where the phone is upright; `status` is that of the page, and `settings` are those
    of a site that has this screen.
    """

    name: str
    path: str
    acts: tuple[Act | Sequence[Any], ...] = ()
    reachable: tuple[str, ...] = ()
    upright: tuple[str, ...] = ()
    is_strangers: bool = False
    status: int = 200
    settings: Mapping[str, object] = field(default_factory=dict)

    def show(self, page: Page) -> None:
        """Open the page and bring it to this stage."""
        with override_settings(**self.settings):
            self._reach(page)

    def _reach(self, page: Page) -> None:
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear()")  # drafts of the previous stage
        answer = page.goto(self.path)
        assert answer is not None
        assert self.status == answer.status, f"{self.name}: another page stands in its place"
        if page.locator("#entry").count():
            expect(page.locator("#entry[data-ready]")).to_be_visible()
        for act in self.acts:
            if callable(act):
                act(page)
            else:
                Scorer(page).does((act,))
