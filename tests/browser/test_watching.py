"""Two phones and a tablet: the others see what one records."""

from __future__ import annotations

import re

import pytest
from django.utils.timezone import now
from playwright.sync_api import Error, Page, Response, expect

from games.common import locks
from games.play.services import hand_offers, recording
from games.play.services.hand_offers import SubmittedHand
from games.tables.services import membership, setup
from tests.browser.game_setup import begin, play
from tests.browser.scorer import Scorer, until
from tests.browser.test_accessibility import axe_problems
from tests.browser.test_layout import measure
from tests.factories import confirm_as_member, grant_access, make_user, new_key

SETTLED = 1000  # milliseconds after which every script has initialized its page
# Makes the page believe that the last tap was long ago, as if its user only watched.
LATER = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 20_000; }"
LIVE = re.compile(r"/(sheet|board|next|reentry/\d+)/\d+-\d+/$")
# Counts all changes of the page.
COUNT = """() => {
    window.changes = [];
    new MutationObserver(records => window.changes.push(...records.map(one => `${one.type} ${one.target.nodeName} ${one.attributeName}`)))
        .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}"""

# The page's texts and links, without the message about the news.
READ_TEXTS = """() => {
    const main = document.getElementById("main");
    const isSeen = (element) => element.checkVisibility();
    const leads = [...main.querySelectorAll("a, form, button")].filter(isSeen).map((one) =>
        ["href", "action", "popovertarget", "aria-label"].map((name) => one.getAttribute(name)).join(" "));
    const lines = [...main.children].filter(({ id }) => id !== "news").map(({ innerText }) => innerText.trim());
    return [document.title, ...lines, ...leads];
}"""


@pytest.fixture
def watcher(open_phone, table, let_in):
    waldo = make_user("waldo")
    grant_access(waldo, table)
    phone = open_phone()
    let_in(phone, waldo)
    return phone.new_page()


def collect_poll_statuses(page: Page) -> list[int]:
    statuses: list[int] = []

    def note(response: Response) -> None:
        if LIVE.search(response.url):
            statuses.append(response.status)

    page.on("response", note)
    return statuses


def test_the_end_leads_whoever_watches_to_the_result_but_not_from_what_lies_over_the_sheet(
    watcher, game, owner
):
    sheet, busy = f"/g/{game.code}/", watcher.context.new_page()
    for page in (watcher, busy):
        page.goto(sheet)
    busy.locator(".who").first.tap()
    play(game, owner, "stop lowest_wins")

    expect(watcher).to_have_url(re.compile("/settlement/"))
    watcher.go_back()
    expect(busy.locator(".dock .go")).to_have_text("Resultado")
    busy.wait_for_timeout(2 * SETTLED)
    assert [sheet, sheet] == [page.evaluate("location.pathname") for page in (watcher, busy)]


@pytest.mark.long
def test_the_rematch_leads_all_phones_of_the_table_but_nobody_who_is_at_work(
    watcher, game, table, owner, let_in
):
    """A phone at the result, a board, and a phone with an open sheet. Afterwards, back leads to no loop."""
    board, busy = (watcher.context.new_page() for _phone in range(2))
    play(game, owner, "stop lowest_wins")
    watcher.goto(f"/g/{game.code}/")
    for page in (watcher, busy):
        page.goto(f"/g/{game.code}/settlement/")
    board.goto(f"/g/{game.code}/board/")
    busy.locator(".dock [popovertarget=group]").tap()
    for page in (watcher, board, busy):
        page.evaluate(LATER)

    rematch = begin(table, owner)
    expect(watcher).to_have_url(re.compile(f"/g/{rematch.code}/$"))
    expect(board).to_have_url(re.compile(f"/g/{rematch.code}/board/$"))
    expect(busy.locator("#news a")).to_have_text("Empezó la partida que sigue")
    assert f"/g/{game.code}/settlement/" == busy.evaluate("location.pathname")
    busy.locator("#group .close").tap()
    busy.evaluate(LATER)
    expect(busy).to_have_url(re.compile(f"/g/{rematch.code}/$"))

    watcher.go_back()
    watcher.evaluate(LATER)
    watcher.wait_for_timeout(2 * SETTLED)
    assert f"/g/{game.code}/" == watcher.evaluate("location.pathname")


def changes(game, owner):
    """Yield the name of each change that a sheet shows, after making it."""
    table = game.table
    play(game, owner, "round ana out beto=80 caro=9 dani=1")
    yield "a player is bust"
    play(game, owner, "reenter beto", "deal caro")
    yield "a player re-entered, and another one deals"
    membership.update(table.members.get(slug="caro"), name="Carola", colour=1)
    setup.change_settings(table, name="Los martes")
    yield "other names of the dealer and the table"
    recording.undo(game, after=game.records.count(), key=new_key(), by=owner)
    yield "an undo"
    play(game, owner, "stop lowest_wins")
    yield "the game is over"
    recording.start_game(table, recording.build_rematch(game), key=new_key(), by=owner)
    yield "a rematch"


def test_watched_pages_show_all_that_fresh_ones_show(scorer, watcher, table, owner):
    game = begin(table, owner, stake=500)
    play(game, owner, "round ana out beto=23 caro=29 dani=8")
    sheet = f"/g/{game.code}/"
    watched_pages = [(watcher, sheet), (scorer.page, sheet), (watcher.context.new_page(), f"{sheet}board/")]
    phones = [(live, live.context.new_page(), path) for live, path in watched_pages]
    for live, _fresh, path in phones:
        live.goto(path)
    watcher.wait_for_timeout(SETTLED)
    for change in changes(game, owner):
        if change == "the game is over":
            for live in (watcher, scorer.page):
                expect(live).to_have_url(re.compile("/settlement/"))
                live.go_back()
        if change == "a rematch":
            phones = phones[:2]  # the board goes on to its board
        for _live, fresh, path in phones:
            fresh.goto(path)
        watcher.wait_for_timeout(SETTLED)
        for live, fresh, path in phones:
            expected = fresh.evaluate(READ_TEXTS)
            for _poll in range(50):
                if expected == page_texts(live):
                    break
                live.wait_for_timeout(100)
            assert (change, path, expected) == (change, path, page_texts(live))


def page_texts(page: Page) -> list[str]:
    """Return the page's texts or, if it is just being left, the next page's."""
    try:
        texts: list[str] = page.evaluate(READ_TEXTS)
    except Error:
        page.wait_for_load_state()
        texts = page.evaluate(READ_TEXTS)
    return texts


def test_a_round_of_another_phone_and_any_other_change_of_the_sheet_are_announced_and_nothing_else(
    scorer, watcher, table, game, owner
):
    play(game, owner, "round ana out beto=2 caro=1 dani=1")
    beto = make_user("beto's phone")
    for page in (scorer.page, watcher):
        page.goto(f"/g/{game.code}/")
        page.wait_for_timeout(SETTLED)
    confirm_as_member(beto, table.members.get(slug="beto"))
    hand_offers.submit(game, SubmittedHand("12", after=game.records.count()), by=beto)
    expect(scorer.page.locator(".closers")).to_contain_text("Ana, Caro y Dani")
    expect(scorer.page.locator("#news")).to_be_empty()
    expect(watcher.locator("#news")).to_be_empty()
    membership.update(table.members.get(slug="caro"), name="Carola", colour=1)
    for page in (scorer.page, watcher):
        expect(page.locator("#news")).to_have_text("La planilla cambió.")
    play(game, owner, "round beto out ana=7 caro=12 dani=40")
    for page in (scorer.page, watcher):
        expect(page.locator("#news")).to_have_text("Mano 3: Beto salió")


@pytest.mark.long
@pytest.mark.parametrize("path", ["", pytest.param("board/", marks=pytest.mark.long)])
def test_a_poll_without_news_changes_nothing(watcher, game, path):
    watcher.goto(f"/g/{game.code}/{path}")
    watcher.wait_for_timeout(SETTLED)
    statuses = collect_poll_statuses(watcher)
    watcher.evaluate(COUNT)
    until(watcher, lambda: len(statuses) >= 2)

    assert {204} == set(statuses)
    assert [] == watcher.evaluate("window.changes")


def test_a_watcher_scrolls_the_rounds_by_keyboard_and_news_keep_the_focus(watcher, game, owner, axe_source):
    play(game, owner, *["round ana out beto=1 caro=1 dani=1"] * 20)
    watcher.goto(f"/g/{game.code}/")
    watcher.evaluate(axe_source)
    assert [] == axe_problems(watcher)
    assert [] == measure(watcher, ".score .total", ".watching")
    rounds = watcher.locator("[data-scroll-end]")
    rounds.focus()
    watcher.keyboard.press("Home")
    expect(rounds).to_have_js_property("scrollTop", 0)
    play(game, owner, "round ana out beto=2 caro=1 dani=1")

    expect(watcher.locator("tbody[data-scroll-end] tr")).to_have_count(22)
    expect(rounds).to_be_focused()
    expect(rounds).to_have_js_property("scrollTop", 0)


@pytest.mark.long
def test_a_hidden_page_polls_rarely(watcher, game, owner):
    watcher.goto(f"/g/{game.code}/")
    hide = "hidden => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden }); document.dispatchEvent(new Event('visibilitychange')); }"
    watcher.evaluate(hide, True)
    watcher.wait_for_timeout(2500)  # polls planned before are over
    statuses = collect_poll_statuses(watcher)
    watcher.wait_for_timeout(4500)
    assert [] == statuses
    play(game, owner, "round ana out beto=2 caro=1 dani=1")
    watcher.evaluate(hide, False)
    expect(watcher.locator("tbody[data-scroll-end] tr")).to_have_count(2)


@pytest.mark.long
def test_the_page_reports_a_lost_connection_and_continues_afterwards(watcher, game, owner, forgive):
    forgive("ERR_INTERNET_DISCONNECTED")
    watcher.goto(f"/g/{game.code}/")
    watcher.context.set_offline(True)
    expect(watcher.locator("#news")).not_to_be_empty()
    expect(watcher.locator("tbody[data-scroll-end] tr")).to_have_count(1)
    watcher.context.set_offline(False)
    expect(watcher.locator("#news")).to_be_empty()
    play(game, owner, "round ana out beto=2 caro=1 dani=1")
    expect(watcher.locator("tbody[data-scroll-end] tr")).to_have_count(2)


# --- the re-entry desk ------------------------------------------------------------------------------------------------


def test_an_answer_on_one_phone_moves_the_other_to_the_next_question(scorer, phone, owner, game):
    """Beto and Caro are bust."""
    play(game, owner, "round ana out beto=80 caro=90 dani=1")
    first, other = scorer, Scorer(phone.new_page())
    for finger in (first, other):
        finger.page.goto(f"/g/{game.code}/reentry/")
        expect(finger.page.locator("form.dock input[name=player]")).to_have_value("beto")
    first.answers("reenter")

    expect(other.page.locator("form.dock input[name=player]")).to_have_value("caro")
    expect(other.page.locator("div.notice[data-says]")).to_contain_text("Beto se reenganchó")
    other.answers("stay_out")
    other.sees_totals("0", "9", "119", "9")
    expect(first.page.locator(".score")).to_be_visible()
    expect(first.page.locator("div.notice[data-says]")).to_contain_text("Caro queda afuera")
    first.begin_round()
    expect(first.page.locator("#entry")).to_be_visible()


def test_an_access_that_ends_under_an_open_page_is_told_with_the_way_back(watcher, game, table, forgive):
    forgive("status of 404")
    watcher.goto(f"/t/{table.code}/")
    pages = watcher, *(watcher.context.new_page() for _window in range(2))
    for page, path in zip(pages, (f"/g/{game.code}/", "/", f"/t/{table.code}/people/"), strict=True):
        page.goto(path)
    table.accesses.filter(user__username="waldo").update(until=now())
    locks.bump_revision(table)

    for page in pages:
        expect(page.locator("main")).to_contain_text("La noche terminó")
        expect(page.locator("main")).to_contain_text("apuntá la cámara al código de esa noche")
        expect(page.locator("main")).not_to_contain_text("Acá no hay nada")
        expect(page.locator(".door")).to_have_count(0)
