"""Two phones and a tablet: the others see what one records."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Response, expect

from games.models import Access, Role
from games.tables.links import make_personal
from games.tables.lobby import end
from tests.browser.nights import begin, play
from tests.browser.scorer import Scorer
from tests.browser.test_accessibility import complaints_of
from tests.browser.test_layout import measure
from tests.browser.watched import watched
from tests.worlds import let_in_as, make_user

AT_ONCE = 3000  # milliseconds from a record to its display on every phone
SETTLED = 1000  # milliseconds after which every script has initialised its page
LIVE = re.compile(r"/(sheet|board|reentry/\d+)/\d+/$")
COME_IN = "form:has(#name) .go"
TABLETS = ((1280, 800), (800, 1280))
# Counts all changes of the page.
COUNT = """() => {
    window.changes = [];
    new MutationObserver(records => window.changes.push(...records.map(one => `${one.type} ${one.target.nodeName} ${one.attributeName}`)))
        .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


@pytest.fixture
def game(owner, table):
    """A game of four after its first round."""
    return play(begin(table, owner, stake=100), owner, "round ana out beto=23 caro=29 dani=8")


@pytest.fixture
def watcher(open_phone, table, let_in):
    """The phone of a witness."""
    waldo = make_user("waldo")
    let_in_as(waldo, table)
    phone = open_phone()
    let_in(phone, waldo)
    return phone.new_page()


def answers(page: Page) -> list[int]:
    """Return a list that collects the statuses of live polls."""
    statuses: list[int] = []

    def note(response: Response) -> None:
        if LIVE.search(response.url):
            statuses.append(response.status)

    page.on("response", note)
    return statuses


def test_a_round_saved_on_one_phone_is_shown_live_on_another(scorer, watcher, game):
    watcher.goto(f"/g/{game.code}/")
    expect(watcher.locator("tbody tr")).to_have_count(1)
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    scorer.went_out("beto")
    for points in (7, 12, 40):
        scorer.counted(points)
        scorer.tap("[data-go]")
    scorer.sees_totals("7", "23", "41", "48")

    expect(watcher.locator("tbody tr")).to_have_count(2, timeout=AT_ONCE)
    expect(watcher.locator("#news")).to_have_text("Mano 2: Beto salió")
    expect(watcher.locator("h1")).to_contain_text("mano 3")
    expect(watcher.locator(".score .total")).to_have_text(
        [re.compile(rf"^{total}") for total in (7, 23, 41, 48)]
    )
    assert "status" == watcher.locator("#news").get_attribute("role")


def test_a_poll_without_news_changes_nothing_on_the_sheet(watcher, game):
    watcher.goto(f"/g/{game.code}/")
    watcher.wait_for_timeout(SETTLED)
    statuses = answers(watcher)
    watcher.evaluate(COUNT)
    watcher.wait_for_timeout(5000)

    assert 2 <= len(statuses)
    assert {204} == set(statuses)
    assert [] == watcher.evaluate("window.changes")


def test_a_correction_and_an_undo_are_shown_live(watcher, game, owner):
    watcher.goto(f"/g/{game.code}/")
    expect(watcher.locator("tbody .cell").nth(1)).to_have_text("23")
    play(game, owner, "correct 2 round ana out beto=24 caro=29 dani=8")
    expect(watcher.locator("tbody .cell").nth(1)).to_have_text("24", timeout=AT_ONCE)
    play(game, owner, "strike 3")
    expect(watcher.locator("tbody .cell").nth(1)).to_have_text("23", timeout=AT_ONCE)


def test_news_keep_the_scroll_position_and_the_focus(scorer, game, owner):
    play(game, owner, *["round ana out beto=1 caro=1 dani=1"] * 20)
    page = scorer.page
    page.goto(f"/g/{game.code}/")
    box = page.locator("[data-scroll-end]")
    box.evaluate("box => { box.scrollTop = 100; }")
    page.locator("tbody .cell").nth(8).focus()
    top = box.evaluate("box => box.scrollTop")
    play(game, owner, "round ana out beto=2 caro=1 dani=1")

    expect(page.locator("tbody tr")).to_have_count(22, timeout=AT_ONCE)
    expect(page.locator("tbody .cell").nth(8)).to_be_focused()
    assert top == box.evaluate("box => box.scrollTop")


def test_a_watcher_scrolls_the_rounds_by_keyboard_and_news_keep_the_focus(watcher, game, owner, axe_source):
    play(game, owner, *["round ana out beto=1 caro=1 dani=1"] * 20)
    watcher.goto(f"/g/{game.code}/")
    watcher.evaluate(axe_source)
    assert [] == complaints_of(watcher)
    rounds = watcher.locator("[data-scroll-end]")
    rounds.focus()
    watcher.keyboard.press("Home")
    expect(rounds).to_have_js_property("scrollTop", 0)
    play(game, owner, "round ana out beto=2 caro=1 dani=1")

    expect(watcher.locator("tbody tr")).to_have_count(22, timeout=AT_ONCE)
    expect(rounds).to_be_focused()
    expect(rounds).to_have_js_property("scrollTop", 0)


def test_a_sheet_scrolled_to_the_newest_round_follows_the_next_one(watcher, game, owner):
    play(game, owner, *["round ana out beto=1 caro=1 dani=1"] * 20)
    watcher.goto(f"/g/{game.code}/")
    expect(watcher.locator("tbody tr").last).to_be_in_viewport()
    play(game, owner, "round ana out beto=2 caro=1 dani=1")

    expect(watcher.locator("tbody tr")).to_have_count(22, timeout=AT_ONCE)
    expect(watcher.locator("tbody tr").last).to_be_in_viewport()


def test_a_hidden_page_polls_rarely(watcher, game, owner):
    watcher.goto(f"/g/{game.code}/")
    hide = "hidden => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden }); document.dispatchEvent(new Event('visibilitychange')); }"
    watcher.evaluate(hide, True)
    watcher.wait_for_timeout(2500)  # polls planned before are over
    statuses = answers(watcher)
    watcher.wait_for_timeout(4500)
    assert [] == statuses
    play(game, owner, "round ana out beto=2 caro=1 dani=1")
    watcher.evaluate(hide, False)
    expect(watcher.locator("tbody tr")).to_have_count(2, timeout=1500)


def test_the_page_reports_a_lost_connection_and_continues_afterwards(watcher, game, owner, forgive):
    forgive("ERR_INTERNET_DISCONNECTED")
    watcher.goto(f"/g/{game.code}/")
    watcher.context.set_offline(True)
    expect(watcher.locator("#news")).not_to_be_empty(timeout=15_000)
    expect(watcher.locator("tbody tr")).to_have_count(1)
    watcher.context.set_offline(False)
    expect(watcher.locator("#news")).to_be_empty(timeout=AT_ONCE)
    play(game, owner, "round ana out beto=2 caro=1 dani=1")
    expect(watcher.locator("tbody tr")).to_have_count(2, timeout=AT_ONCE)


# --- rights -----------------------------------------------------------------------------------------------------------


def test_a_removed_witness_sees_that_access_ended(watcher, game, forgive, owner):
    forgive("status of 404")
    watcher.goto(f"/g/{game.code}/")
    end(Access.objects.get(role=Role.WITNESS), by=owner)

    expect(watcher.locator(".score")).to_have_count(0, timeout=AT_ONCE)
    expect(watcher.locator("main .prose")).to_be_visible()


def test_a_link_opens_the_sheet_and_is_removed_from_the_history(open_phone, game, table, owner):
    _link, token = make_personal(table, role=Role.WITNESS, by=owner)
    other = open_phone().new_page()
    other.goto("/")
    other.goto(f"/i/{token}/")
    other.locator(COME_IN).tap()
    expect(other.locator(".score")).to_be_visible()

    assert other.url.endswith(f"/g/{game.code}/")
    other.go_back()
    expect(other.locator(".tile.live")).to_be_visible()
    assert "/i/" not in other.url


def test_each_of_two_scorers_sees_what_the_other_records(scorer, open_phone, let_in, game, table, owner):
    phone = open_phone()
    let_in(phone, let_in_as(make_user("sonia"), table, Role.SCORER).user)
    second = Scorer(phone.new_page())
    second.page.goto(f"/g/{game.code}/")
    scorer.page.goto(f"/g/{game.code}/")
    second.begin_round()
    second.went_out("dani")
    for points in (5, 6, 7):
        second.counted(points)
        second.tap("[data-go]")
    second.sees_totals("5", "29", "36", "8")

    scorer.sees_totals("5", "29", "36", "8")
    play(game, owner, "round ana out beto=1 caro=1 dani=1")
    expect(second.page.locator("tbody tr")).to_have_count(3, timeout=AT_ONCE)


# --- the re-entry desk ------------------------------------------------------------------------------------------------


@pytest.fixture
def two_at_the_desk(scorer, open_phone, let_in, owner, game):
    """Two phones that both show the question for Beto; Beto and Caro are bust."""
    play(game, owner, "round ana out beto=80 caro=90 dani=1")
    other = open_phone()
    let_in(other, owner)
    phones = scorer, Scorer(other.new_page())
    for phone in phones:
        phone.page.goto(f"/g/{game.code}/reentry/")
        expect(phone.page.locator("input[name=player]")).to_have_value("beto")
    return phones


def test_an_answer_on_one_phone_moves_the_other_to_the_next_question(two_at_the_desk):
    one, other = two_at_the_desk
    one.answers("reenter")

    expect(other.page.locator("input[name=player]")).to_have_value("caro", timeout=AT_ONCE)
    expect(other.page.locator("div.notice[role=status]")).to_contain_text("Beto se reenganchó")
    other.answers("stay_out")
    other.sees_totals("0", "9", "119", "9")
    expect(one.page.locator(".score")).to_be_visible(timeout=AT_ONCE)
    expect(one.page.locator("div.notice[role=status]")).to_contain_text("Caro queda afuera")
    one.begin_round()
    expect(one.page.locator("#entry")).to_be_visible()


def test_a_tap_meant_for_the_question_before_is_ignored(two_at_the_desk):
    one, _other = two_at_the_desk
    at_first = one.page.evaluate(
        """() => {
            const answers = document.querySelector("form.two"), next = answers.cloneNode(true);
            answers.replaceWith(next);
            return getComputedStyle(next).pointerEvents;
        }"""
    )

    assert "none" == at_first
    expect(one.page.locator("form.two")).to_have_css("pointer-events", "auto")


def test_a_tap_is_ignored_while_late_styles_move_the_answers(two_at_the_desk):
    one, _other = two_at_the_desk
    answers = one.page.locator("form.two")
    styles = one.page.locator("link[href*=reentry]").evaluate_handle(
        "styles => { styles.remove(); return styles; }"
    )
    expect(answers).to_have_css("pointer-events", "auto")
    at_their_arrival = styles.evaluate(
        """async (styles) => {
            await new Promise((resolve) => {
                styles.onload = resolve;
                document.getElementById("main").prepend(styles);
            });
            return getComputedStyle(document.querySelector("form.two")).pointerEvents;
        }"""
    )

    assert "none" == at_their_arrival
    expect(answers).to_have_css("pointer-events", "auto")


def test_a_poll_without_news_changes_nothing_at_the_re_entry_desk(two_at_the_desk):
    one, _other = two_at_the_desk
    one.page.wait_for_timeout(SETTLED)
    statuses = answers(one.page)
    one.page.evaluate(COUNT)
    one.page.wait_for_timeout(5000)

    assert 2 <= len(statuses)
    assert {204} == set(statuses)
    assert [] == one.page.evaluate("window.changes")


# --- the board --------------------------------------------------------------------------------------------------------


def test_a_tablet_in_the_middle_of_the_table_shows_the_game_live(open_phone, let_in, owner, game):
    tablet = open_phone(viewport={"width": 1280, "height": 800})
    let_in(tablet, owner)
    board = tablet.new_page()
    board.goto(f"/g/{game.code}/board/")
    expect(board.locator(".spot .total")).to_have_text([re.compile(r"^0"), "23", "29", "8"])
    play(game, owner, "round beto out ana=90 caro=1 dani=1")

    expect(board.locator(".spot .total")).to_have_text(["90", "23", "30", re.compile("^9")], timeout=AT_ONCE)
    expect(board.locator(".spot.deals .name")).to_have_text("Caro")
    tall = board.locator(".spot .total").first.evaluate(
        "total => parseFloat(getComputedStyle(total).fontSize)"
    )
    assert 130 <= tall  # an inch and more on a ten-inch tablet: readable from two metres


def test_a_poll_without_news_changes_nothing_on_the_board(watcher, game):
    watcher.goto(f"/g/{game.code}/board/")
    watcher.wait_for_timeout(SETTLED)
    statuses = answers(watcher)
    watcher.evaluate(COUNT)
    watcher.wait_for_timeout(4500)

    assert {204} == set(statuses)
    assert [] == watcher.evaluate("window.changes")


@pytest.mark.parametrize("crowded", [False, True], ids=["usual", "crowded"])
def test_the_board_fits_a_tablet_in_both_orientations(open_phone, let_in, owner, crowded):
    tablet = open_phone()
    let_in(tablet, owner)
    page = tablet.new_page()
    problems = []
    for screen in watched(owner, crowded=crowded):
        if screen.name.startswith("board"):
            screen.show(page)
            for width, height in TABLETS:
                page.set_viewport_size({"width": width, "height": height})
                problems += [f"{screen.name} {width}: {fault}" for fault in measure(page, *screen.reachable)]

    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(("width", "height"), [(360, 740), (390, 844), (740, 360)])
def test_the_sheet_of_a_witness_fits_a_phone(watcher, game, width, height):
    watcher.set_viewport_size({"width": width, "height": height})
    watcher.goto(f"/g/{game.code}/")

    assert [] == measure(watcher, ".score .total", ".watching")
