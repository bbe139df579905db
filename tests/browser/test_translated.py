"""Pages whose every text a browser has translated: what is entered there is kept, under its own title."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.game_setup import play
from tests.browser.offline_steps import PANEL, WAITING, cut, open_sheet
from tests.browser.scorer import GO, Scorer, plain, until
from tests.factories import confirm_as_member

pytestmark = pytest.mark.long

# As Google's translation of a page: each text gets two elements around it, except those kept from translators.
TRANSLATE = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const all = [];
    while (walker.nextNode()) all.push(walker.currentNode);
    const isKept = (text) => text.parentElement.closest("[translate=no], textarea, script");
    const texts = all.filter((text) => text.data.trim() && !isKept(text));
    for (const text of texts) {
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        text.replaceWith(outer);
        inner.textContent = text.data.replace(/\\p{L}+/gu, "xx");
        outer.append(inner);
    }
    return texts.length;
}"""


def translate(page: Page) -> None:
    assert page.evaluate(TRANSLATE) > 0


def queued_titles(page: Page) -> list[str]:
    return [plain(title) for title in page.evaluate(WAITING)]


@pytest.fixture
def page(offline_scorer):
    return offline_scorer.page


def test_a_round_on_a_translated_pad_is_kept_under_its_own_title(offline_scorer, page, network, game):
    open_sheet(offline_scorer, game)
    offline_scorer.begin_round("ana")
    expect(page.locator("#entry[data-ready]")).to_be_visible()
    cut(network, page)
    translate(page)
    for points in (1, 2, 3):
        offline_scorer.counted(points)
        if points < 3:
            offline_scorer.goes_on()
    offline_scorer.tap(GO)

    expect(page.locator(PANEL)).to_be_visible()
    assert ["Mano 2"] == queued_titles(page)
    expect(page.locator("#waiting [data-items] li")).to_contain_text("Ana salió · Beto 1 · Caro 2 · Dani 3")
    translate(page)
    page.locator("#waiting [data-next]").tap()
    expect(page.locator("h1")).to_contain_text("Mano 3")
    network.restore()
    until(page, lambda: 3 == game.records.count())


def test_a_payment_and_a_tick_on_a_translated_page_are_kept_under_their_own_titles(
    page, network, game, owner
):
    play(game, owner, "round ana out beto=101 caro=102 dani=103")
    page.goto(f"/t/{game.table.code}/accounts/")
    until(page, lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    cut(network, page)
    translate(page)
    page.locator("form[data-waits=tick] button").first.tap()
    page.locator("[popovertarget=pay]").first.tap()
    page.locator("#pay label:has([name=payer][value=caro])").tap()
    page.locator("#pay label:has([name=payee][value=ana])").tap()
    page.locator("#pay [name=amount]").fill("20")
    page.locator("#pay button.go").tap()

    until(page, lambda: 2 == len(queued_titles(page)))
    tick, payment = (title.split(": ")[0] for title in queued_titles(page))
    assert "Caro le pagó $ 20 a Ana" == payment
    assert re.fullmatch(r"\w+ le pagó \$ \d+ a Ana", tick)
    network.restore()
    until(page, lambda: 2 == game.table.payments.count())


def test_an_own_hand_on_a_translated_pad_is_kept_under_its_own_title(page, network, game, table, owner):
    confirm_as_member(owner, table.members.get(slug="beto"))
    page.goto(f"/g/{game.code}/hand/")
    until(page, lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    expect(page.locator("form[data-own][data-ready]")).to_be_visible()
    cut(network, page)
    translate(page)
    Scorer(page).holds("K 9")
    page.locator("[data-go]").tap()

    until(page, lambda: ["Mis cartas de la mano 2: [K 9]"] == queued_titles(page))
    network.restore()
    until(page, lambda: ["[K 9]"] == [offer.hand for offer in game.offers.all()])
