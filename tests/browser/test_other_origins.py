"""The screen on the wall, a page of another origin: in a real browser it reads."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from playwright.sync_api import expect

from games.models import Role
from games.tables.services import guests, tokens
from tests.browser.game_setup import play
from tests.factories import grant_access, start

EXAMPLES = Path(settings.BASE_DIR, "docs", "examples")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments):
        pass


@pytest.fixture
def other_origin():
    """The address of another site, which has the guide's examples: the same host with another port."""
    with ThreadingHTTPServer(("localhost", 0), partial(Quiet, directory=EXAMPLES)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def test_a_screen_on_the_wall_of_another_site_shows_the_score_as_the_game_goes_on(
    page, live_server, other_origin, game, owner
):
    table, guest = game.table, guests.create()
    grant_access(guest, table, Role.WITNESS)
    _token, secret = tokens.create(guest, "pantalla", table=table, reads_only=True)
    place = urlencode({"site": live_server.url, "table": table.code, "token": secret})
    page.goto(f"{other_origin}/wall.html#{place}")

    expect(page.locator("tr")).to_have_text(["Ana0", "Beto23", "Caro29", "Dani8"])
    expect(page.locator("section p")).to_have_text("Ana salió: Beto 23, Caro 29, Dani 8")
    other = start(table, owner)  # and a game that ends later than the newest event of the first
    play(other, owner, "round caro out ana=101 beto=101 dani=101")
    expect(page.locator("section p")).to_have_text(["Ana salió: Beto 23, Caro 29, Dani 8"])
    another = start(table, owner)
    expect(page.locator("section")).to_have_count(2)
    play(another, owner, "round dani out ana=1 beto=2 caro=3")
    expect(page.locator("section").filter(has_text="Dani salió")).to_contain_text("Beto2")
    expect(page.locator("section").filter(has_text="Ana salió")).to_contain_text("Beto23")
    play(another, owner, "stop lowest_wins")
    play(game, owner, "round beto out ana=10 caro=1 dani=2")
    expect(page.locator("tr")).to_have_text(["Ana10", "Beto23", "Caro30", "Dani10"])
