"""Something on the way answers in the site's place: that is like no network, and nothing entered is lost.

The eight ways of answering are in `foreign_network.py`.
"""

from __future__ import annotations

from functools import partial

import pytest
from django.conf import settings
from playwright.sync_api import Error, Page, expect

from games.models import Game
from tests.browser.foreign_network import CUT, PAGE, PROGRAM, STRIPPED, WAYS, ForeignNetwork
from tests.browser.game_setup import begin, play
from tests.browser.network import NETWORK_ERRORS
from tests.browser.offline_steps import (
    CACHED,
    IS_KEPT,
    IS_UPDATED,
    PANEL,
    WAITING,
    goto_despite_navigation,
    open_online,
    open_sheet,
)
from tests.browser.scorer import GO, Scorer, until
from tests.factories import confirm_as_member, make_user
from tests.server_processes import NEXT_STYLES

CONSOLE = (
    rf"{NETWORK_ERRORS}|status of (403|511)|Content Security Policy|portal.example|Failed to load module script"
    r"|CORS policy|bad-precaching|worker script"
)
NOTICE = "Esta red pide algo antes de seguir"
SILENT = ("redirect", CUT, STRIPPED)  # nothing shows that the network answered
# Each act in each of the eight ways takes minutes: every run has one to three of them, one after the other, and the
# others by name. A page that met STRIPPED takes every later answer for the site's.
OFTEN = ("page", STRIPPED)
SELDOM = [way for way in WAYS if way not in OFTEN]
in_turn = pytest.mark.parametrize(
    "ways", [OFTEN, *(pytest.param((way,), marks=pytest.mark.long) for way in SELDOM)], ids=" ".join
)
POLLS = 7000  # milliseconds in which a page polls three times
COPIES = """async () => {
  const pages = await caches.open("pages");
  return Promise.all((await pages.keys()).map(async (copy) => (await pages.match(copy)).text()));
}"""


@pytest.fixture
def network(live_server):
    network = ForeignNetwork(live_server.url)
    yield network
    network.close()


@pytest.fixture
def phone(cuttable_phone, forgive):
    forgive(CONSOLE)
    return cuttable_phone


@pytest.fixture
def scorer(phone, owner, let_in):
    let_in(phone, owner)
    return Scorer(phone.new_page())


@pytest.fixture
def finished_game(table, owner):
    """A finished game: Beto, Caro and Dani owe Ana $10 each."""
    new_game = begin(table, owner, stake=10)
    return play(new_game, owner, "round ana out beto=60 caro=40 dani=12", "stop lowest_wins")


def sees_notice(page: Page, way: str) -> None:
    """Check that the page says what the network does, with a key; in silent ways it cannot know."""
    if way in SILENT:
        return
    expect(page.locator("#trouble")).to_contain_text(NOTICE)
    expect(page.locator("#trouble a[href='/network/'][target=_blank]")).to_be_visible()


def totals_after(rounds: int) -> list[str]:
    """Return the totals after so many rounds that Caro closed, as all rounds of these tests."""
    return [str(5 * rounds), str(23 + 9 * rounds), "29", str(8 + 8 * rounds)]


def has_only_our_copies(page: Page) -> None:
    assert [] == [text for text in page.evaluate(COPIES) if "<main " not in text or PAGE.decode() in text]


def has_sent_all(page: Page) -> None:
    until(page, lambda: [] == page.evaluate(WAITING))
    expect(page.locator("#trouble")).not_to_contain_text(NOTICE)


# --- what is entered --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ways", [("page", CUT, STRIPPED), pytest.param(WAYS, marks=pytest.mark.long)], ids=" ".join
)
def test_a_round_saved_while_the_network_answers_waits_and_is_recorded_once(
    scorer, network, game, subtests, ways
):
    """The wifi asks to sign in between two rounds (with 200), or a check of browsers refuses (with 403)."""
    open_sheet(scorer, game)
    for number, way in enumerate(ways, start=1):
        with subtests.test(way):
            scorer.begin_round()
            scorer.went_out("caro")
            scorer.enters(5, 9, 8)
            network.answer(way)
            scorer.tap(GO)
            if way != STRIPPED:
                expect(scorer.page.locator(PANEL)).to_be_visible()
                sees_notice(scorer.page, way)
                # A cut answer loses the answer, not the round.
                assert number + 1 + (way == CUT) == game.records.count()
                has_only_our_copies(scorer.page)
                network.restore()
            scorer.sees_totals(*totals_after(number))
            has_sent_all(scorer.page)
            assert number + 2 == game.records.count()


@pytest.mark.long
@in_turn
def test_a_settled_debt_waits_while_the_network_answers_and_is_paid_once(
    scorer, network, table, finished_game, ways
):
    page, ticks = scorer.page, scorer.page.locator("form[data-waits] button.tick")
    open_online(page, f"/g/{finished_game.code}/settlement/")
    for paid, way in enumerate(ways):
        network.answer(way)
        ticks.first.tap()
        if way != STRIPPED:
            expect(ticks.first).to_be_disabled()
            sees_notice(page, way)
            assert paid + (way == CUT) == table.payments.count()
            network.restore()
        has_sent_all(page)
        expect(ticks).to_have_count(2 - paid)
        assert paid + 1 == table.payments.count()


def has_arrived(page: Page, game: Game, hand: str) -> None:
    until(page, lambda: [hand] == [offer.hand for offer in game.offers.all()])


@pytest.mark.long
@in_turn
def test_an_own_hand_waits_while_the_network_answers_and_arrives(phone, network, game, table, let_in, ways):
    user = make_user("phone-beto")
    confirm_as_member(user, table.members.get(slug="beto"))
    let_in(phone, user)
    beto = Scorer(phone.new_page())
    for way, card in zip(ways, ("K", "9"), strict=False):
        open_online(beto.page, f"/g/{game.code}/hand/")
        expect(beto.page.locator("form[data-own][data-ready]")).to_be_visible()
        beto.holds(card)
        hand = beto.page.locator("[name='hand-beto']").input_value()
        assert card in hand
        network.answer(way)
        beto.tap("[data-go]")
        if way != STRIPPED:
            until(beto.page, lambda: 1 == len(beto.page.evaluate(WAITING)))
            sees_notice(beto.page, way)
            expect(beto.page.locator("form[data-own]")).to_be_visible()
            network.restore()
        has_arrived(beto.page, game, hand)
        until(beto.page, lambda: [] == beto.page.evaluate(WAITING))


# --- what is shown ----------------------------------------------------------------------------------------------------


def texts(page: Page) -> list[str]:
    """Return the texts of the sheet, without the message about news and the time of a copy."""
    return page.locator("main .score, main .dock, main h1 [data-now]").all_inner_texts()


@pytest.mark.long
@in_turn
def test_an_open_sheet_stays_as_it_is_while_the_network_answers_its_polls(scorer, network, game, owner, ways):
    page = scorer.page
    open_sheet(scorer, game)
    for number, way in enumerate(ways, start=1):
        before = texts(page)
        network.answer(way)
        play(game, owner, "round caro out ana=5 beto=9 dani=8")
        if way != STRIPPED:
            sees_notice(page, way)
            page.wait_for_timeout(POLLS)
            assert before == texts(page)
            network.restore()
        scorer.sees_totals(*totals_after(number))
        expect(page.locator("#trouble")).to_be_hidden()
        has_only_our_copies(page)


@pytest.mark.long
@in_turn
def test_a_page_opens_from_its_copy_while_the_network_answers(scorer, network, game, ways):
    page, sheet = scorer.page, f"/g/{game.code}/"
    open_sheet(scorer, game)
    for way in ways:
        network.restore()
        goto_despite_navigation(page, "/")
        until(page, lambda: page.evaluate(IS_KEPT, ["/"]))
        before = {*page.evaluate(CACHED)}
        network.answer(way)
        page.locator(f"a[href='{sheet}']").first.tap()
        expect(page.locator(".score")).to_be_visible()
        expect(page.locator("h1 .seen")).to_have_count(int(way != STRIPPED))
        sees_notice(page, way)
        page.locator(".score .cell[href*='/correct/2/']").first.tap()  # there is no copy of this page
        if way != STRIPPED:
            page.wait_for_timeout(1000)
            expect(page.locator(".score")).to_be_visible()
        if way != "redirect":  # the browser follows it
            page.goto(sheet)
            expect(page.locator(".score")).to_be_visible()
            sees_notice(page, way)
        assert before <= {*page.evaluate(CACHED)}
        has_only_our_copies(page)


@pytest.mark.long
def test_the_key_of_the_notice_opens_what_the_network_asks_for_and_a_page_without_a_copy_shows_it_too(
    scorer, network, game
):
    page = scorer.page
    open_sheet(scorer, game)
    network.answer("page")
    expect(page.locator("#trouble")).to_contain_text(NOTICE)
    with page.expect_popup() as opened:
        page.locator("#trouble a").tap()
    expect(opened.value.locator("main")).to_have_text("Welcome to the hotel. Sign in.")
    expect(page.locator("#trouble")).to_be_hidden()  # it was read
    page.wait_for_timeout(POLLS)
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator(".score")).to_be_visible()
    for address in ("/network/", f"/t/{game.table.code}/people/"):
        page.goto(address)
        expect(page.locator("main")).to_have_text("Welcome to the hotel. Sign in.")
    network.restore()
    page.goto("/network/")
    expect(page).to_have_url(f"{network.url}/")


@pytest.mark.long
def test_a_copy_goes_when_the_site_itself_redirects_and_stays_when_the_network_does(
    scorer, network, game, owner
):
    page, entry = scorer.page, f"/g/{game.code}/round/"
    open_sheet(scorer, game)
    network.answer("redirect")
    with pytest.raises(Error):
        page.goto(entry)
    network.restore()
    goto_despite_navigation(page, "/")
    assert entry in page.evaluate(CACHED)
    play(game, owner, "stop lowest_wins")
    page.goto(entry)
    until(page, lambda: entry not in page.evaluate(CACHED))


# --- an update of the program -----------------------------------------------------------------------------------------

FILES = "async () => (await caches.keys()).filter((name) => name.startsWith('files-'))"
HAS_FILE = "async (path) => Boolean(await caches.match(path))"
COPY_OF = "async (path) => (await (await caches.open('pages')).match(path)).text()"


def has_next_copy(page: Page, address: str) -> bool:
    return NEXT_STYLES in page.evaluate(COPY_OF, address)


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_an_update_that_the_network_answers_takes_no_copy_away(
    open_phone, site, site_network, tmp_path, forgive, way
):
    """A new release comes while a sheet is open, and the network answers first for its files, then for pages."""
    forgive(CONSOLE)
    network, (seat,) = site_network, site.create_phones(1)
    phone = open_phone(base_url=network.url, service_workers="allow")
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": seat.session, "url": network.url}
    phone.add_cookies([cookie])
    page, sheet = phone.new_page(), f"/g/{seat.games[0]}/"
    page.goto(sheet)
    until(page, lambda: page.evaluate(IS_KEPT, ["/", sheet, f"{sheet}round/"]))
    (old,) = page.evaluate(FILES)
    (styles,) = page.locator("head link[href*='/app.']").evaluate_all(
        "links => links.map(link => new URL(link.href).pathname)"
    )
    site.stop()
    site.install_next_version(tmp_path / "next")
    site.start()

    network.answer(way, but=("/sw.js",))
    if way != STRIPPED:
        page.evaluate(
            "async () => { await (await navigator.serviceWorker.getRegistration()).update().catch(() => {}); }"
        )
        page.wait_for_timeout(2000)
        assert page.evaluate(IS_KEPT, ["/", sheet, f"{sheet}round/"])
        has_only_our_copies(page)
    network.answer(way, but=PROGRAM)
    until(page, lambda: page.evaluate(IS_UPDATED, old))
    assert page.evaluate(IS_KEPT, ["/", sheet, f"{sheet}round/"])
    has_only_our_copies(page)
    if way not in ("redirect", STRIPPED):
        assert page.evaluate(HAS_FILE, styles)
        page.goto(sheet)
        expect(page.locator(".score")).to_be_visible()
        expect(page.locator("h1 .seen")).to_be_visible()

    network.restore()
    for address in ("/", sheet, f"{sheet}round/"):
        page.goto(address)
        until(page, partial(has_next_copy, page, address))
    until(page, lambda: old not in page.evaluate(FILES))
