"""Phones of two engines for the stories in this folder; `browser/` has those of Chromium.

Each engine is installed separately (`.ci/run` does it); a missing one is skipped by name.
"""

from __future__ import annotations

import os
import re

import pytest
from django.conf import settings
from django.test import Client

from tests.browser.network import NETWORK_ERRORS
from tests.engines.phones import Engine, Page, Phone
from tests.factories import make_user

ENGINES = ("firefox", "webkit")
STARTS = 4
# The messages of each engine about a request that found no network or was aborted when its page was left.
# WebKit then mistakes a script that is being imported for an empty one.
GIVEN_UP = (
    rf"{NETWORK_ERRORS}|htmx:sendAbort|status of 403|NetworkError|Load failed|Loading failed|error loading|not loaded|can't establish"
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
    """A phone without cookies. Its consoles must have no errors at the end."""
    browser.begin()
    yield browser
    assert [] == [text for text in browser.complaints() if not re.search(GIVEN_UP, text)]


@pytest.fixture
def page(phone, network):
    """A stranger's window, whose network is `network`."""
    return phone.open(network.url)


@pytest.fixture
def owner(live_server):
    """The owner of a table, who keeps the score without being a member."""
    return make_user()


@pytest.fixture
def owners_page(phone, network, owner) -> Page:
    """The owner's window, whose network is `network`."""
    client = Client()
    client.force_login(owner)
    return open_with(phone, network.url, client.cookies[settings.SESSION_COOKIE_NAME].value)


def open_with(phone: Phone, site: str, session: str) -> Page:
    """Open a window with this session."""
    page = phone.open(site)
    phone.call("sign_in", f"{site}/robots.txt", settings.SESSION_COOKIE_NAME, session)
    return page


def open_under_worker(phone: Phone, site: str, session: str) -> Page:
    """Open the first page in a window with this session, controlled by the service worker.

    Recent versions of WebKitGTK sometimes never finish installing the worker; a restart helps.
    """
    for _start in range(STARTS):
        page = open_with(phone, site, session)
        if page.goto_under_worker("/"):
            return page
        phone.begin()
    pytest.fail("no service worker took over")
