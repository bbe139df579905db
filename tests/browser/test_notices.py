"""The one notice: a page says one thing at a time, above its foot, over nothing, and the most urgent first."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.game_setup import begin, play
from tests.browser.offline_steps import IS_KEPT, NEXT, cut, enter, open_online, open_sheet
from tests.browser.scorer import until
from tests.factories import make_table

SIZES = ((360, 640), (390, 664), (740, 360), (1280, 800))
KEPT = "Sin conexión: quedó guardado en este celular y se manda solo."
EIGHT = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede", "Gus", "Hernán")
PADS: tuple[tuple[str, int, dict[str, int]], ...] = (
    ("loba_menos", 8, {"packs": 3}),
    ("loba_mas", 4, {}),
    ("chinchon", 6, {}),
)
WARNING = "No llegó respuesta: quizás no se anotó. Mirá antes de repetirlo."
WARN = f"""() => {{
    const notice = document.getElementById("trouble");
    notice.textContent = "{WARNING}";
    notice.hidden = false;
}}"""
WARN_OF_NETWORK = "() => void dispatchEvent(new Event('site:foreign'))"
WAITS = "1 sin mandar en este celular No se pierde: se manda solo."

# Returns the texts of what speaks, the parts of the page that it covers, those that it cuts off, and whether
# it is in sight.
READ = """() => {
    const main = document.getElementById("main");
    const visible = (selector) => [...main.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const box = (element) => element.getBoundingClientRect();
    const spoken = visible("#notices > *, :scope > :is(.waits, .undo, .brief, .news)")
        .filter((one) => one.innerText.trim());
    const touches = (one, other) => {
        const [a, b] = [one, other].map(box);
        return a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    };
    const parts = visible(":is(.bar, .body, .padbox, .dock, .tabs)");
    const covered = parts.filter((part) => spoken.some((one) => !part.contains(one) && touches(one, part)));
    const cut = [
        ...visible(".fit .body > *").filter((part) => part.innerText.trim())
            .filter((part) => box(part).bottom > box(part.parentElement).bottom + 1),
        ...visible(".whose").filter((part) => part.scrollHeight > part.clientHeight + 1),
    ];
    const isIn = spoken.every((one) => box(one).bottom <= innerHeight);
    return [spoken.map((one) => one.innerText.trim()), [...covered, ...cut].map((one) => one.className), isIn];
}"""


def read_notice(page: Page) -> str:
    """Return the only notice; check on phones of four sizes that it covers nothing and is in sight."""
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


def test_a_payment_that_waits_says_so_once_and_that_it_is_safe_until_it_was_sent(page, network, game, owner):
    play(game, owner, "round ana out beto=101 caro=102 dani=103")
    accounts = f"/t/{game.table.code}/accounts/"
    open_online(page, f"/t/{game.table.code}/season/")
    open_online(page, accounts)
    until(page, lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    cut(network, page)
    page.locator("form[data-waits=tick] button").first.tap()
    expect(page.locator("#trouble")).to_be_visible()
    assert KEPT == read_notice(page)
    page.goto(f"{accounts}of/beto/")
    page.go_back()
    page.goto("/")
    expect(page.locator("#kept li")).to_have_count(1)
    network.restore()
    until(page, lambda: 1 == game.table.payments.count())

    open_online(page, accounts)
    page.locator("[popovertarget=pay]").first.tap()
    page.locator("#pay label:has([name=payer][value=caro])").tap()
    page.locator("#pay label:has([name=payee][value=ana])").tap()
    page.locator("#pay [name=amount]").fill("20")
    cut(network, page)
    page.locator("#pay button.go").tap()
    expect(page.locator("#trouble")).to_have_text(KEPT)
    network.restore()
    expect(page.locator("#trouble")).to_be_hidden()
    until(page, lambda: 2 == game.table.payments.count())


def test_on_the_next_pad_a_failure_is_seen_and_on_the_sheet_what_waits_takes_the_place_of_other_notices(
    offline_scorer, page, network, game
):
    open_sheet(offline_scorer, game)
    cut(network, page)
    offline_scorer.begin_round()
    enter(offline_scorer, "ana", 45, 9, 8)
    page.locator(NEXT).tap()
    offline_scorer.went_out("beto")
    page.evaluate(WARN)
    assert WARNING == read_notice(page)

    offline_scorer.goes_back()
    expect(page.locator(".waits")).to_be_visible()
    assert read_notice(page).startswith("1 sin mandar")
    page.locator(".waits summary").tap()
    read_notice(page)
    expect(page.locator(".waits a")).to_be_in_viewport()
    page.locator(".waits summary").tap()
    page.locator(".tabs a, .icon[href$='/more/']").first.tap()  # this page is not stored
    expect(page.locator("#trouble")).to_be_visible()
    assert "Sin conexión: no se pudo abrir." == read_notice(page)
    network.restore()
    expect(page.locator(".waits")).to_be_hidden()


@pytest.mark.long
def test_other_pages_say_what_waits_and_that_it_is_safe_or_list_it(offline_scorer, page, network, game):
    """The pages without the list are those of one game. Each is opened once with a network, to be stored."""
    code, table = game.code, game.table.code
    telling, listing = [f"/g/{code}/rules/", f"/g/{code}/board/"], ["/", f"/t/{table}/accounts/"]
    open_sheet(offline_scorer, game)
    for address in telling + listing:
        open_online(page, address)
    until(page, lambda: page.evaluate(IS_KEPT, telling + listing))
    open_sheet(offline_scorer, game)
    cut(network, page)
    offline_scorer.begin_round()
    enter(offline_scorer, "ana", 45, 9, 8)
    for address in telling:
        page.goto(address)
        expect(page.locator("#unsent")).to_be_visible()
        assert WAITS == read_notice(page)
    for address in listing:
        page.goto(address)
        expect(page.locator("#kept li")).to_have_count(1)
        expect(page.locator("#unsent")).to_be_hidden()


@pytest.mark.long
def test_on_every_pad_a_failure_stands_between_the_keys_and_the_foot_and_cuts_off_nothing(
    offline_scorer, page, network, owner, subtests
):
    table = make_table(owner, people=EIGHT)
    for variant, seats, options in PADS:
        with subtests.test(variant):
            network.restore()
            open_sheet(offline_scorer, begin(table, owner, seats, variant=variant, **options))
            offline_scorer.begin_round("ana")
            cut(network, page)
            page.evaluate(WARN)

            expect(page.locator("#trouble")).to_be_visible()
            assert WARNING == read_notice(page)
            page.evaluate(WARN_OF_NETWORK)
            assert "Esta red pide algo antes de seguir. Abrir" == read_notice(page)
