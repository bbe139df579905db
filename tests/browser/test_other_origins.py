"""Pages of another origin in a real browser: the screen on the wall reads, and nothing is recorded by a full token."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from playwright.sync_api import expect

from games.models import Payment, Record, Role
from games.tables.guests import make_guest
from games.tables.tokens import make_token
from tests.browser.nights import play
from tests.worlds import let_in_as

EXAMPLES = Path(settings.BASE_DIR, "docs", "examples")


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that logs nothing."""

    def log_message(self, *_arguments):
        pass


@pytest.fixture
def elsewhere():
    """The address of another site, which has the guide's examples: the same host with another port."""
    with ThreadingHTTPServer(("localhost", 0), partial(Quiet, directory=EXAMPLES)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def test_a_screen_on_the_wall_of_another_site_shows_the_score_as_the_game_goes_on(
    page, live_server, elsewhere, game, owner
):
    table, guest = game.table, make_guest()
    let_in_as(guest, table, Role.WITNESS)
    _token, secret = make_token(guest, "pantalla", table=table, reads_only=True)
    place = urlencode({"site": live_server.url, "table": table.code, "token": secret})
    page.goto(f"{elsewhere}/wall.html#{place}")

    expect(page.locator("tr")).to_have_text(["Ana0", "Beto23", "Caro29", "Dani8"])
    expect(page.locator("p")).to_have_text("Ana salió: Beto 23, Caro 29, Dani 8")
    play(game, owner, "round beto out ana=10 caro=1 dani=2")
    expect(page.locator("tr")).to_have_text(["Ana10", "Beto23", "Caro30", "Dani10"])


SEND = """async ({ url, body, token, kind, credentials }) => {
    const headers = { "Content-Type": kind, ...(token && { Authorization: `Bearer ${token}` }) }
    try {
        const answer = await fetch(url, { method: "POST", headers, credentials, body: JSON.stringify(body) })
        return answer.status
    } catch (error) {
        return "blocked"
    }
}"""


def test_a_page_of_another_site_records_undoes_and_pays_nothing_but_may_score(
    page, phone, live_server, elsewhere, game, owner, let_in, forgive
):
    """With a full token of the owner, and with the session of the owner who is signed in in this browser."""
    forgive("blocked by CORS policy|net::ERR_FAILED|status of 40[0-9]")
    let_in(phone, owner)
    _token, full = make_token(owner, "bot")
    here, code = f"{live_server.url}/api/v1", game.code
    paid = {"payer": "beto", "payee": "ana", "amount": 1, "method": "cash", "sure": True}
    writes = {
        f"{here}/games/{code}/events/": {"after": 2, "events": [{"line": "deal beto"}]},
        f"{here}/games/{code}/undo/": {"after": 2},
        f"{here}/tables/{game.table.code}/payments/": paid,
    }
    page.goto(f"{elsewhere}/wall.html")

    def send(url, body, token="", kind="application/json", credentials="omit"):
        parts = {"url": url, "body": body, "token": token, "kind": kind, "credentials": credentials}
        return page.evaluate(SEND, parts)

    for url, body in writes.items():
        assert "blocked" == send(url, body, full)
        assert "blocked" == send(url, body, credentials="include")
        assert "blocked" == send(url, body, kind="text/plain", credentials="include")
    assert (2, 0) == (Record.objects.count(), Payment.objects.count())

    assert 200 == send(f"{here}/hand/", {"variant": "loba_menos", "hand": "[K 7]"}, full)
    assert 200 == send(f"{here}/games/{code}/preview/", {"events": [{"line": "deal beto"}]}, full)
