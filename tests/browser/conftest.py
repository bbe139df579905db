"""Phones for the browser tests: Debian's Chromium driven by Playwright, against a live server.

    def test_the_page_greets(page):
        page.goto("/")

`page` is a page of `phone`. `open_phone(locale="en", color_scheme="dark", viewport={...})` opens others, each
with its own cookies; `let_in(phone, user)` signs a user in on one. An error on the console of any page fails
the test, including a blocked script or style.
"""

from __future__ import annotations

import os
import re
from importlib.resources import files

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect, sync_playwright

from tests.browser.chromium import Chromium, find_chromium
from tests.browser.game_setup import begin, play
from tests.browser.network import HALF_ANSWERED, NETWORK_ERRORS
from tests.browser.scorer import Scorer
from tests.factories import make_table, make_user
from tests.serverless_app import BOOT

PATIENCE = 30_000  # milliseconds; a busy machine is slow, not wrong
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
    "locale": "es-AR",
    "timezone_id": "America/Argentina/Buenos_Aires",
    "service_workers": "block",  # too slow for every phone of every test; `cuttable_phone` allows them
}

# The page shows a refusal like any other response, but Chromium logs it as an error.
REFUSALS = r"status of (409|422) "
# Leaving a page aborts its previews and scripts. That is harmless: saving asks again, and the next page loads
# its own.
GIVEN_UP = rf"^htmx:(afterRequest|sendError|sendAbort), \[object HTMLDivElement\]$|{HALF_ANSWERED}"


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(os.path.dirname(__file__)):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def chromium():
    path = find_chromium()
    if path is None:
        reason = "no Chromium found: install Debian's package chromium, or set CHROME_PATH"
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    # Playwright keeps an event loop running in this thread, where Django would then refuse to use the
    # database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = Chromium(playwright, path)
        yield browser
        browser.quit()


@pytest.fixture
def complaints() -> list[str]:
    """The console errors of this test's pages so far. The list must be empty at the end."""
    return []


@pytest.fixture
def forgive(complaints):
    """`forgive("status of 404")` ignores matching console errors, in a test that provokes them."""
    patterns = [REFUSALS, GIVEN_UP]

    def forgive_also(pattern: str) -> None:
        patterns.append(pattern)

    yield forgive_also
    unforgiven = [text for text in complaints if not any(re.search(pattern, text) for pattern in patterns)]
    assert [] == unforgiven


@pytest.fixture
def open_phone(chromium, live_server, complaints, forgive):
    """`open_phone(**options)` opens another phone: a browser context with its own cookies."""
    phones = []

    def open_one(**options):
        context = chromium.open(**{"base_url": live_server.url, **PHONE, **options})
        context.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        context.on("weberror", lambda raised: complaints.append(str(raised.error)))
        phones.append(context)
        return context

    yield open_one
    for context in phones:
        for page in context.pages:
            page.wait_for_timeout(0)  # lets pending console messages arrive
        chromium.close(context)


@pytest.fixture
def phone(open_phone):
    """A phone in Argentina: 390 × 844, touch, in Spanish."""
    return open_phone()


@pytest.fixture
def page(phone):
    return phone.new_page()


@pytest.fixture
def cuttable_phone(open_phone, network, forgive):
    """A phone with a service worker, whose network is `network`."""
    forgive(NETWORK_ERRORS)
    return open_phone(base_url=network.url, service_workers="allow")


@pytest.fixture
def offline_scorer(cuttable_phone, owner, let_in):
    """The owner as scorer on a phone with a service worker, whose network is `network`."""
    let_in(cuttable_phone, owner)
    return Scorer(cuttable_phone.new_page())


@pytest.fixture
def open_house_phone(open_phone, owner, let_in, settings):
    """`open_house_phone(port)` opens the owner's phone, which uses plain HTTP and so has no service worker."""

    def open_one(port):
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "mesa.casa"]
        phone = open_phone(base_url=f"http://mesa.casa:{port}", service_workers="allow")
        let_in(phone, owner)
        phone.add_cookies([{**cookie, "domain": "mesa.casa"} for cookie in phone.cookies()])
        return phone

    return open_one


@pytest.fixture
def patience_to_boot():
    """Let Playwright wait as long as a busy machine needs to boot the serverless app."""
    expect.set_options(timeout=BOOT)
    yield
    expect.set_options(timeout=PATIENCE)


@pytest.fixture
def started_game(table, owner):
    """A game of four before its first round."""
    return begin(table, owner)


@pytest.fixture
def game(table, owner):
    """A game of four at $100 each after its first round: 0, 23, 29, 8."""
    return play(begin(table, owner, stake=100), owner, "round ana out beto=23 caro=29 dani=8")


@pytest.fixture
def owner(live_server):
    """The owner of a table, who keeps the score without being a member."""
    return make_user()


@pytest.fixture
def let_in(live_server):
    """`let_in(phone, user)` signs the user in on the phone."""

    def give_session(context, user):
        client = Client()
        client.force_login(user)
        cookie = {
            "name": settings.SESSION_COOKIE_NAME,
            "value": client.cookies[settings.SESSION_COOKIE_NAME].value,
        }
        context.add_cookies([{**cookie, "url": live_server.url}])

    return give_session


@pytest.fixture
def signed_in(phone, owner, let_in):
    """Sign the owner in on `phone`."""
    let_in(phone, owner)


@pytest.fixture
def scorer(page, signed_in):
    """The owner as scorer on `page`."""
    return Scorer(page)


@pytest.fixture
def start(scorer, owner):
    """`start("chinchon", packs=2)` starts a game of four and returns the scorer on its sheet."""

    def begin_game(variant="loba_menos", *, people=("Ana", "Beto", "Caro", "Dani"), **options):
        game = begin(make_table(owner, people=people), owner, variant=variant, **options)
        scorer.page.goto(f"/g/{game.code}/")
        return scorer

    return begin_game


@pytest.fixture(scope="session")
def axe_source() -> str:
    """The source of axe-core; `page.evaluate(axe_source)` defines `axe.run` on the page."""
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
