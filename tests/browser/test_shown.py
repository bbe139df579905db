"""A game as a link: one phone makes it, and a browser without an account reads it."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64encode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.nights import begin, play

ROUNDS = ["round ana out beto=1 caro=2 dani=0", "round caro out ana=1 beto=0 dani=2"] * 20
LINK, WRONG, TOTALS, SHEET = "#link", "#shown [data-wrong]", "#shown [data-totals]", "#shown .paper"


@pytest.fixture
def stranger(open_phone) -> Page:
    """A browser without any account."""
    page: Page = open_phone().new_page()
    return page


def test_a_game_of_forty_rounds_is_readable_from_its_link(scorer, page, owner, table, stranger):
    game = play(begin(table, owner), owner, *ROUNDS)
    page.goto(f"/g/{game.code}/more/")
    page.locator(f"a[href='/g/{game.code}/link/']").click()
    expect(page.locator(".qr svg")).to_be_visible()
    link = page.locator(LINK).input_value()
    sent: list[str] = []
    stranger.on("request", lambda request: sent.append(request.url))

    stranger.goto(link)

    expect(stranger.locator(f"{TOTALS} dt")).to_have_text(["Ana", "Beto", "Caro", "Dani"])
    expect(stranger.locator(f"{TOTALS} dd")).to_have_text(["20", "20", "40", "40"])
    expect(stranger.locator(f"{SHEET} tbody tr").nth(39)).to_contain_text("40")
    assert 1000 > len(link)
    assert not [address for address in sent if link.partition("#")[2] in address]


def test_truncated_and_inflating_links_are_refused(scorer, page, owner, table, stranger, forgive):
    forgive("422")
    game = play(begin(table, owner), owner, *ROUNDS)
    page.goto(f"/g/{game.code}/link/")
    link = page.locator(LINK).input_value()
    bomb = "1" + urlsafe_b64encode(zlib.compress(b"a" * 10_000_000, 9, wbits=-15)).decode().rstrip("=")

    stranger.goto(link[:-40])
    expect(stranger.locator(WRONG)).to_have_text(re.compile("Este enlace"))
    expect(stranger.locator(TOTALS)).to_be_hidden()
    stranger.goto(f"/shown/#{bomb}")
    expect(stranger.locator(WRONG)).to_have_text("Este enlace es demasiado grande para ser una partida.")
    expect(stranger.locator(SHEET)).to_have_count(0)
