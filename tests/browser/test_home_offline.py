"""The home page and the sheet without a network: the phone keeps its pages and lists unsent entries."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from tests.browser.game_setup import begin_with_rising_stake, play
from tests.browser.offline_steps import CACHED, cut, enter, goto_despite_navigation, open_sheet
from tests.browser.scorer import Scorer, plain, until, write_name
from tests.factories import make_table, make_user

HOME_HOLDS = """async (address) => {
  const pages = await caches.open("pages");
  const [home, sheet, entry] = await Promise.all(["/", address, `${address}round/`].map((path) => pages.match(path)));
  return Boolean(sheet && entry && home && (await home.text()).includes(address));
}"""
HOME = "async () => (await (await caches.match('/'))?.text()) ?? ''"
NOWHERE = "/t/nowhere/"  # a page that this phone has never seen


@pytest.fixture
def scorer(cuttable_phone):
    """A new visitor as scorer, on a phone with a service worker behind a network that can be cut."""
    return Scorer(cuttable_phone.new_page())


@pytest.fixture
def game(table, owner, let_in, scorer):
    """A game of four on its scorer's phone. Beto has 60 points."""
    let_in(scorer.page.context, owner)
    return begin_with_rising_stake(table, owner)


def create_table(scorer: Scorer, *names: str) -> str:
    """Go from the first page to the sheet of a first game, and return its path."""
    scorer.page.goto("/")
    scorer.tap("main > .dock a.go")
    for name in names:
        write_name(scorer, name)
    scorer.tap("main > .sheetform > .dock .go")
    expect(scorer.page.locator(".score")).to_be_visible()
    path = re.search(r"/g/[\w-]+/", scorer.page.url)
    assert path is not None
    return path[0]


def reopen_tab(scorer: Scorer, address: str = "/") -> Scorer:
    phone = scorer.page.context
    scorer.page.close()
    again = Scorer(phone.new_page())
    again.page.goto(address)
    return again


def game_texts(page: Page) -> list[str]:
    return [plain(text) for text in page.locator("main a[href^='/g/']:visible .sub").all_inner_texts()]


def test_a_first_night_continues_from_home_offline_after_the_tab_was_closed(scorer, network):
    sheet = create_table(scorer, "Ana", "Beto", "Caro")
    until(scorer.page, lambda: scorer.page.evaluate(HOME_HOLDS, sheet))
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.enters(20, 8)
    scorer.saves()
    scorer.sees_totals("0", "20", "8")
    cut(network, scorer.page)

    scorer = reopen_tab(scorer)
    expect(scorer.page.locator("h1 .seen")).to_be_visible()
    scorer.tap("a.tile.live")
    expect(scorer.page.locator(".score")).to_be_visible()
    scorer.begin_round()
    enter(scorer, "beto", 5, 9)
    scorer.goes_back()
    scorer.sees_totals("≈5", "≈20", "≈17")

    scorer = reopen_tab(scorer, NOWHERE)
    scorer.tap("main > .dock a[href='/']")
    expect(scorer.page.locator("#kept li")).to_contain_text("Beto")
    scorer.tap("a.tile.live")
    scorer.sees_totals("≈5", "≈20", "≈17")

    scorer = reopen_tab(scorer)
    expect(scorer.page.locator("#kept li")).to_be_visible()
    network.restore()
    game = Game.objects.get()
    until(scorer.page, lambda: [5, 20, 17] == [player.total for player in game.state().players])
    expect(scorer.page.locator("a.tile.live .sub")).to_contain_text("mano 3")
    expect(scorer.page.locator("#kept")).to_be_hidden()
    expect(scorer.page.locator("h1 .seen")).to_be_hidden()


def test_another_user_of_the_phone_sees_no_cached_data_of_the_first(scorer, network, game, let_in, forgive):
    forgive("status of 404")  # the sheet that was open polls once more
    open_sheet(scorer, game)
    other = make_user("otilia")
    let_in(scorer.page.context, other)
    goto_despite_navigation(scorer.page, f"/t/{make_table(other, name='Los de Otilia').code}/")
    until(scorer.page, lambda: "Los de Otilia" in scorer.page.evaluate(HOME))
    cut(network, scorer.page)
    for address in ("/", NOWHERE, f"/g/{game.code}/"):
        scorer.page.goto(address)
        scorer.page.wait_for_timeout(300)
        assert [] == game_texts(scorer.page)
        assert game.table.name not in scorer.page.content()
    scorer.page.goto("/")
    expect(scorer.page.locator("h1")).to_contain_text("Los de Otilia")


PUT = """async (marks) => {
  const pages = await caches.open("pages");
  for (const mark of marks) await pages.put(`/g/${mark}/`, new Response(`<main data-person="${mark}">`));
  localStorage.setItem("person", "");
}"""


@pytest.mark.long
def test_a_guests_home_page_deletes_cached_pages_of_other_users(scorer, owner, let_in):
    let_in(scorer.page.context, owner)
    scorer.page.goto("/")
    until(scorer.page, lambda: scorer.page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    mark = scorer.page.locator("main").get_attribute("data-person")
    scorer.page.evaluate(PUT, [mark, "somebody"])
    scorer.page.reload()
    until(scorer.page, lambda: "/g/somebody/" not in scorer.page.evaluate(CACHED))
    assert f"/g/{mark}/" in scorer.page.evaluate(CACHED)


@pytest.mark.long
def test_the_sheet_shows_queued_entries_until_they_are_sent_or_taken_back(scorer, network, game, owner):
    open_sheet(scorer, game)
    cut(network, scorer.page)
    scorer.begin_round()
    enter(scorer, "ana", 45, 9, 8)
    scorer.tap("#waiting button[value=reenter]")
    expect(scorer.page.locator("#waiting [data-items] > li")).to_have_count(2)
    scorer.goes_back()
    scorer.sees_totals("≈0", "≈49", "≈49", "≈20")
    page = scorer.page
    expect(page.locator("#waiting summary [data-provisional]")).to_be_visible()
    assert ["a 101 de afuera", "a 52 de afuera", "a 52 de afuera", "a 81 de afuera"] == [
        plain(text) for text in page.locator(".score .margin").all_inner_texts()
    ]
    assert ("?", "?") == (scorer.pot, page.locator("[data-now=dealer]").inner_text())  # only the site knows
    assert "mano 3" in page.locator("h1").inner_text()
    rows = [plain(text) for text in page.locator(".score tbody[data-scroll-end] tr").all_inner_texts()]
    assert ["1 0 60 40 12", "≈2 0 45 9 8", "≈ Beto: se reengancha"] == rows

    play(game, owner, "round caro out ana=4 beto=4 dani=4")  # another phone recorded other hands
    network.restore()
    scorer.sees_totals("4", "64", "40", "16")
    expect(page.locator("#waiting [data-provisional]")).to_be_hidden()
