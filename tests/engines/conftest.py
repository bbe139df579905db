"""Phones of three engines for the stories of this folder.

Each engine is installed apart (`.ci/run` does it), and skipped by name where it is not.
"""

from __future__ import annotations

import os
import re

import pytest
from django.conf import settings
from django.test import Client

from tests.browser.network import UNREACHED, Road
from tests.engines.phones import Engine, Page, Phone
from tests.tables import make_user

ENGINES = ("chromium", "firefox", "webkit")
STARTS = 4
# What each engine says about a request that found no network, or was given up by a page that was left.
GIVEN_UP = (
    rf"{UNREACHED}|htmx:sendAbort|NetworkError|Load failed|Loading failed|error loading|not loaded|can't establish"
    "|status of 404"
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
    return open_as(owner, phone, road)


@pytest.fixture
def kept_page(phone, road, owner) -> Page:
    """A window of the owner on the first page, under the service worker.

    A new WebKitGTK sometimes leaves the worker at its installation for good; started again, it does not.
    """
    for _start in range(STARTS):
        page = open_as(owner, phone, road)
        if page.goto_kept("/"):
            return page
        phone.begin()
    pytest.fail("no service worker took over")


def open_as(user, phone: Phone, road: Road) -> Page:
    """Open a window of somebody who is signed in."""
    client = Client()
    client.force_login(user)
    page = phone.open(road.url)
    name = settings.SESSION_COOKIE_NAME
    phone.call("sign_in", f"{road.url}/robots.txt", name, client.cookies[name].value)
    return page
