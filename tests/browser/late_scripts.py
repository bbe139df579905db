"""Scripts that come late: a page is used as it was printed before they take over its forms.

held = hold_back(page)
page.goto(address, wait_until="commit")
page.locator("[name=amount]").fill("1")
let_come(page, held)
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from playwright.sync_api import Locator, Page, Route

# All scripts except `head.js`, which is loaded with the styles: no page is drawn without it.
ALL = re.compile(r"(?<!/head)\.js$")
TAKEN_OVER = 100  # milliseconds

Posted = list[tuple[str, str]]


class HeldScripts(list[Route]):
    """The requests for scripts that wait, as they come."""

    is_over = False

    def hold(self, route: Route) -> None:
        if self.is_over:
            route.fallback()
        else:
            self.append(route)

    def let_go(self) -> None:
        """Answer the requests that wait, and all later ones."""
        self.is_over = True
        for route in self:
            route.fallback()


def hold_back(page: Page, scripts: str | re.Pattern[str] = ALL) -> HeldScripts:
    """Let the requests for these scripts wait."""
    held = HeldScripts()
    page.route(scripts, held.hold)
    return held


def let_come(page: Page, held: HeldScripts) -> None:
    """Answer the requests for scripts, and wait until the scripts have run."""
    held.let_go()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(TAKEN_OVER)


def use_plain_form(page: Page) -> None:
    """Tap the button that offers the plain form, which is on the page before it is visible."""
    page.locator("[data-late]").dispatch_event("click")


def posted_by(form: Locator, *, but: Iterable[str] = ()) -> Posted:
    """Return what the form would post, without the fields in `but`."""
    left_out = {"csrfmiddlewaretoken", *but}
    fields = form.evaluate("form => [...new FormData(form)].map(([name, value]) => [name, String(value)])")
    return [(name, value) for name, value in fields if name not in left_out]
