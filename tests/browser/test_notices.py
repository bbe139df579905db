"""The one notice: a page says one thing at a time, above its foot, over nothing, and the most urgent first."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.game_setup import play
from tests.browser.network import NETWORK_ERRORS
from tests.browser.offline_steps import cut, enter, open_online, open_sheet
from tests.browser.scorer import until

SIZES = ((360, 640), (740, 360), (1280, 800))
KEPT = "Sin conexión: quedó guardado en este celular y se manda solo."
WAITS = "1 sin mandar en este celular No se pierde: se manda solo."

# Returns the texts of what speaks, and the parts of the page that it covers.
READ = """() => {
    const main = document.getElementById("main");
    const spoken = [...main.querySelectorAll("#notices > *, :scope > :is(.waits, .undo, .brief, .news)")]
        .filter((one) => one.checkVisibility() && one.innerText.trim());
    const touches = (one, other) => {
        const [a, b] = [one, other].map((element) => element.getBoundingClientRect());
        return a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    };
    const parts = [...main.querySelectorAll(":is(.bar, .body, .padbox, .dock, .tabs)")]
        .filter((part) => part.checkVisibility());
    const covered = spoken.flatMap((one) => parts.filter((part) => !part.contains(one) && touches(one, part)));
    const isIn = spoken.every((one) => one.getBoundingClientRect().bottom <= innerHeight);
    return [spoken.map((one) => one.innerText.trim()), covered.map(({ className }) => className), isIn];
}"""


def read_notice(page: Page) -> str:
    """Return the only notice; check on phones of three sizes that it covers nothing and is in sight."""
    before = page.viewport_size
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        texts, covered, is_in = page.evaluate(READ)
        assert (width, 1, [], True) == (width, len(texts), covered, is_in), texts
    assert before is not None
    page.set_viewport_size(before)
    return " ".join(texts[0].split())


@pytest.fixture
def page(offline_scorer):
    return offline_scorer.page


def test_a_payment_that_waits_says_so_once_and_then_that_it_is_safe(page, network, game, owner):
    play(game, owner, "round ana out beto=101 caro=102 dani=103")
    open_online(page, f"/t/{game.table.code}/season/")
    open_online(page, f"/t/{game.table.code}/accounts/")
    until(page, lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    cut(network, page)
    page.locator("form[data-waits=tick] button").first.tap()
    expect(page.locator("#trouble")).to_be_visible()
    assert KEPT == read_notice(page)
    page.goto(f"/t/{game.table.code}/accounts/of/beto/")
    page.go_back()
    page.goto("/")
    expect(page.locator("#kept li")).to_have_count(1)
    network.restore()
    until(page, lambda: 1 == game.table.payments.count())


def test_on_the_sheet_what_waits_takes_the_place_of_other_notices(offline_scorer, page, network, game):
    open_sheet(offline_scorer, game)
    cut(network, page)
    offline_scorer.begin_round()
    enter(offline_scorer, "ana", 45, 9, 8)
    offline_scorer.goes_back()
    expect(page.locator(".waits")).to_be_visible()
    assert read_notice(page).startswith("1 sin mandar")
    page.locator(".tabs a, .icon[href$='/more/']").first.tap()  # this page is not stored
    expect(page.locator("#trouble")).to_be_visible()
    assert "Sin conexión: no se pudo abrir." == read_notice(page)
    network.restore()
    expect(page.locator(".waits")).to_be_hidden()


def test_on_the_pad_a_failure_stands_between_the_keys_and_the_foot(
    offline_scorer, page, network, game, forgive
):
    forgive(NETWORK_ERRORS)
    open_sheet(offline_scorer, game)
    offline_scorer.begin_round("ana")
    offline_scorer.holds("K 9")
    cut(network, page)
    page.locator(".bar a[href$='/rules/']").tap()
    page.evaluate(
        "() => import(document.getElementById('scripts').src).then(({ warn }) => warn('Algo pasó.'))"
    )

    expect(page.locator("#trouble")).to_be_visible()
    assert "Algo pasó." == read_notice(page)


def test_what_was_kept_is_no_longer_said_once_it_was_sent(page, network, game, owner):
    play(game, owner, "round ana out beto=101 caro=102 dani=103")
    open_online(page, f"/t/{game.table.code}/accounts/")
    until(page, lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    page.locator("[popovertarget=pay]").first.tap()
    page.locator("#pay label:has([name=payer][value=caro])").tap()
    page.locator("#pay label:has([name=payee][value=ana])").tap()
    page.locator("#pay [name=amount]").fill("20")
    cut(network, page)
    page.locator("#pay button.go").tap()
    expect(page.locator("#trouble")).to_have_text(KEPT)
    network.restore()

    expect(page.locator("#trouble")).to_be_hidden()
    until(page, lambda: 1 == game.table.payments.count())


def test_other_pages_say_what_waits_and_that_it_is_safe(offline_scorer, page, network, game):
    open_online(page, f"/t/{game.table.code}/accounts/")
    open_sheet(offline_scorer, game)
    cut(network, page)
    offline_scorer.begin_round()
    enter(offline_scorer, "ana", 45, 9, 8)
    page.goto(f"/g/{game.code}/rules/")
    page.goto(f"/g/{game.code}/settlement/")
    page.goto(f"/t/{game.table.code}/accounts/")
    expect(page.locator("#kept li")).to_have_count(1)
    page.goto(f"/g/{game.code}/board/")
    expect(page.locator("#unsent")).to_be_visible()
    assert WAITS == read_notice(page)
