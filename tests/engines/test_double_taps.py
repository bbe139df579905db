"""No control of a night acts twice when it is tapped twice, in three engines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from tests.browser.doubled import EMPTY, SCREENS, walk
from tests.engines.conftest import session_of
from tests.engines.phones import Page

pytestmark = [pytest.mark.django_db(transaction=True)]
SHORTLY = ("accounts", "sheet")  # screens with the cases that were reported


@dataclass(frozen=True)
class EngineWindow:
    """A window of any engine, as the walk over all controls needs it."""

    page: Page

    def goto(self, path: str) -> None:
        """Open a path of the site."""
        self.page.goto(path)

    def run(self, script: str, given: Any = None) -> Any:
        """Return what this JavaScript function answers."""
        return self.page.run(script, given)

    def tap(self, selector: str) -> None:
        """Tap the first visible element, once it is there."""
        self.page.tap(selector)

    def tap_twice(self, x: int, y: int, gap: int) -> None:
        """Tap this place, and again after `gap` milliseconds."""
        self.page.tap_twice(x, y, gap)

    def sign_in(self, user: User) -> None:
        """Become this user."""
        name, site = settings.SESSION_COOKIE_NAME, self.page.site
        self.page.phone.call("sign_in", site + EMPTY, name, session_of(user))


@pytest.mark.slow
def test_no_control_of_the_sheet_and_the_accounts_acts_twice(page):
    screens = tuple(screen for screen in SCREENS if screen.name in SHORTLY)

    assert [] == walk(EngineWindow(page), gaps=(300,), screens=screens).wrong
