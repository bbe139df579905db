"""The pace of a person: they look at a page before they tap where they tapped last.

The page ignores a tap that comes too soon there (`static/base/taps.js`), as the second one of a double tap.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Locator, Page

SOON, NEAR = 1000, 80  # milliseconds and pixels, more than in taps.js: a page may come late or still move
# Answers where the middle of an element is, whether its page is another one than at the last call, and whether a
# tap on it sends something or leads to a page.
LOOK = """(element) => {
    const main = document.getElementById("main");
    const isNew = !window.looked || window.looked !== main;
    window.looked = main;
    element.scrollIntoViewIfNeeded?.();
    const { x, y, width, height } = element.getBoundingClientRect();
    const isLeading = element.matches("a[href], a[href] *, button:not([type=button])");
    return [x + width / 2, y + height / 2, isNew, isLeading];
}"""


@dataclass
class Finger:
    """The place of the last tap, and the places of those that may have led to a page, each since when it was there."""

    last: tuple[float, float] | None = None
    has_led: bool = False  # whether the last tap may have sent something or led to a page
    leading: dict[tuple[float, float], float] = field(default_factory=dict)

    def rest(self, x: float, y: float, is_new: bool, is_leading: bool) -> float:
        """Return for how many milliseconds to look at the page, before a tap here is not the second of a double tap.

        What a tap sent may have failed, and left the page as it was: a person reads that before they try again.
        """
        if self.last and (is_new or self.has_led):
            self.leading[self.last] = time.monotonic()
        self.last, self.has_led = (x, y), is_leading
        near = [since for place, since in self.leading.items() if math.dist(place, self.last) <= NEAR]
        return max(0.0, SOON - 1000 * (time.monotonic() - max(near, default=0.0)))


_fingers: WeakKeyDictionary[Page, Finger] = WeakKeyDictionary()


def keep_a_persons_pace() -> None:
    """Let every tap and click of Playwright wait where a person would look first."""
    for name in ("tap", "click"):
        act = getattr(Locator, name)
        if not hasattr(act, "__wrapped__"):
            setattr(Locator, name, _paced(act))


def _paced(act: Callable[..., None]) -> Callable[..., None]:
    @wraps(act)
    def look_and_act(self: Locator, **options: Any) -> None:
        looked = self.evaluate(LOOK, timeout=options.get("timeout"))
        self.page.wait_for_timeout(_fingers.setdefault(self.page, Finger()).rest(*looked))
        act(self, **options)

    return look_and_act
