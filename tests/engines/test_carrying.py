"""Carrying the app on a phone of each engine: it opens a page while the site is down."""

from __future__ import annotations

import pytest

from tests.browser.network import Road
from tests.browser.nights import begin, play
from tests.engines.phones import until
from tests.pocket.bundles import served_from
from tests.tables import make_table

pytestmark = pytest.mark.slow

TAKEN = "[data-pocket] [data-drop]"
SEEN = "h1 .seen"  # from the phone, with its time
BOOT = 180.0  # seconds: a busy machine is slow, not wrong


@pytest.fixture
def road(live_server, carried):
    """The network between the phone and the site, which offers the bundle."""
    with served_from(carried):
        laid = Road(live_server.url)
        yield laid
        laid.close()


def comes(page, selector):
    """Wait until this element is to be seen."""
    until(lambda: page.texts(selector), lambda: page.texts("main")[0], patience=BOOT)


def test_a_phone_that_carries_the_app_opens_its_tables_without_the_site(kept_page, road, owner):
    table = make_table(owner)
    game = play(begin(table, owner, stake=10), owner, "round ana out beto=45 caro=40 dani=12")
    page = kept_page
    page.goto("/")
    page.tap("[data-take]")
    comes(page, TAKEN)

    road.cut()
    for place in ("accounts", "season"):  # The second page uses the engine of the first page, which was left.
        page.goto(f"/t/{table.code}/{place}/")
        comes(page, SEEN)
    page.goto(f"/g/{game.code}/")
    comes(page, SEEN)
    assert "45" in " ".join(page.texts("main"))
