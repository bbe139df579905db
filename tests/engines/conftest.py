"""Phones of two engines for the stories of this folder; `browser/` has those of Chromium.

Each engine is installed separately (`.ci/run` does it); a missing one is skipped by name.
"""

from __future__ import annotations

import os
import re
import shutil

import pytest
from django.conf import settings
from django.test import Client

from tests.browser.network import UNREACHED
from tests.engines.phones import Engine, Page, Phone
from tests.outside import Site
from tests.worlds import make_user

ENGINES = ("firefox", "webkit")
STARTS = 4
# The messages of each engine about a request that found no network or was aborted when its page was left. WebKit then
# takes a script that is being imported for an empty one.
GIVEN_UP = (
    rf"{UNREACHED}|htmx:sendAbort|NetworkError|Load failed|Loading failed|error loading|not loaded|can't establish"
    r"|status of 404|ServiceWorker intercepted|Importing binding name 'isAway' is not found"
    r"|'(leaving|list)\?\.\w+' is undefined"
)


@pytest.fixture(scope="session", params=ENGINES)
def browser(request):
    """A browser of one engine, for all stories."""
    engine = Engine(request.param)
    if missing := engine.missing:
        if os.environ.get("REQUIRE_ENGINES") == "1":
            pytest.fail(f"not installed: {missing}")
        pytest.skip(f"not installed: {missing}")
    phone = Phone(engine)
    yield phone
    phone.quit()


@pytest.fixture
def phone(browser):
    """A phone without cookies, whose consoles must be without complaint in the end."""
    browser.begin()
    yield browser
    assert [] == [text for text in browser.complaints() if not re.search(GIVEN_UP, text)]


@pytest.fixture
def page(phone, road):
    """A window of a stranger, whose network is `road`."""
    return phone.open(road.url)


@pytest.fixture
def owner(live_server):
    """The owner of a table, who keeps the score. They need no name to play."""
    return make_user()


@pytest.fixture
def owners_page(phone, road, owner) -> Page:
    """A window of the owner, whose network is `road`."""
    client = Client()
    client.force_login(owner)
    return open_with(phone, road.url, client.cookies[settings.SESSION_COOKIE_NAME].value)


def open_with(phone: Phone, site: str, session: str) -> Page:
    """Open a window with this session."""
    page = phone.open(site)
    phone.call("sign_in", f"{site}/robots.txt", settings.SESSION_COOKIE_NAME, session)
    return page


def open_kept(phone: Phone, site: str, session: str) -> Page:
    """Open a window with this session on the first page, under the service worker.

    A new WebKitGTK sometimes leaves the worker at its installation for good; started again, it does not.
    """
    for _start in range(STARTS):
        page = open_with(phone, site, session)
        if page.goto_kept("/"):
            return page
        phone.begin()
    pytest.fail("no service worker took over")


@pytest.fixture
def site(set_up, tmp_path):
    """A server process of its own, with a table and a game, which a test can stop."""
    site = Site(shutil.copytree(set_up / "data", tmp_path / "data"), set_up / "static")
    site.start()
    yield site
    site.stop()
