"""Drafts: a half-entered round stays on the phone until it is recorded, once, whatever fails meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.nights import begin, play
from tests.browser.scorer import Scorer, seat
from tests.worlds import make_table

SETTLED = 200  # milliseconds: htmx initialises a page 20 ms after it is inserted
SLOW = {"offline": False, "latency": 800, "downloadThroughput": -1, "uploadThroughput": -1}


@pytest.fixture
def game(owner):
    """A game of four before its first round."""
    return begin(make_table(owner), owner)


@pytest.fixture
def other_scorer(open_phone, owner, let_in):
    """The owner's finger on a second phone."""
    phone = open_phone()
    let_in(phone, owner)
    return Scorer(phone.new_page())


@pytest.fixture
def whole(scorer, game):
    """The reference round, entered but not saved."""
    scorer.page.goto(f"/g/{game.code}/")
    enter_reference_round(scorer)
    return scorer


def enter_reference_round(scorer: Scorer) -> None:
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.holds("K 9 4")
    scorer.goes_on()
    scorer.holds("Q J 7 2")
    scorer.goes_on()
    scorer.holds("5 3")


def drafts(page: Page) -> list[str]:
    """Return the drafts on this phone, once the page has settled."""
    page.wait_for_timeout(SETTLED)
    kept: list[str] = page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('draft:'))")
    return kept


def test_a_half_entered_hand_survives_a_reload(scorer, game):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    scorer.went_out("caro", in_one_go=True)
    scorer.counted(18)
    scorer.goes_on()
    scorer.holds_cards_again()
    scorer.holds("K *")
    scorer.page.reload()
    expect(scorer.page.locator(seat("beto"))).to_have_attribute("aria-current", "true")
    assert ["18", "20", "−10", "·"] == scorer.hands()
    scorer.holds("3")
    assert ["18", "23", "−10", "·"] == scorer.hands()


def test_a_half_entered_hand_survives_a_visit_to_other_pages(scorer, game):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.holds("K 9")
    scorer.goes_back()
    scorer.tap(f"a.icon[href='/g/{game.code}/more/']")
    expect(scorer.page.locator("a[href$='/export/']")).to_be_visible()
    scorer.page.go_back()
    half = scorer.page.locator(".score .half")
    expect(half.locator("span")).to_have_text(["0", "19", "·", "·"])
    expect(half.locator("a")).to_have_attribute("title", "La mano 1 quedó a medias: seguir")
    scorer.resumes_round()
    assert ["0", "19", "·", "·"] == scorer.hands()


def test_a_closer_tapped_on_the_sheet_replaces_the_drafts_closer_and_keeps_its_hands(scorer, game):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round("ana")
    scorer.holds("K 9")
    scorer.goes_on()
    scorer.counted(12)
    scorer.goes_back()
    scorer.begin_round("dani")
    assert ["·", "19", "12", "0"] == scorer.hands()
    expect(scorer.page.locator(seat("ana"))).to_have_attribute("aria-current", "true")


def test_the_closing_is_shown_beside_the_closer(scorer, game):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round("ana")
    closings, whose = scorer.page.locator("[data-closings]"), scorer.page.locator("[data-whose] > .name")
    expect(closings.locator(".name")).to_have_text("Ana")
    expect(whose).to_have_text("Beto")
    scorer.opens("caro")
    expect(whose).to_have_text("Caro")
    expect(closings).to_be_hidden()
    scorer.opens("ana")
    expect(closings).to_be_visible()
    expect(whose).to_have_text("Beto")


def test_a_reload_does_not_apply_the_tapped_face_again(scorer, game):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round("ana")
    scorer.holds("K 9")
    scorer.opens("ana")
    scorer.went_out("caro")
    scorer.page.reload()
    expect(scorer.page.locator(seat("ana"))).to_have_attribute("aria-current", "true")
    assert ["·", "19", "0", "·"] == scorer.hands()


def test_the_draft_of_a_recorded_round_is_deleted(whole, game):
    assert [f"draft:{game.code}:1"] == drafts(whole.page)
    whole.saves()
    whole.sees_totals("0", "23", "29", "8")
    assert [] == drafts(whole.page)
    whole.begin_round()
    expect(whole.page.locator("#entry")).to_have_attribute("data-step", "closer")


def test_the_draft_of_an_abandoned_correction_is_deleted(scorer, game, owner):
    play(game, owner, "round ana out beto=23 caro=29 dani=8")
    scorer.page.goto(f"/g/{game.code}/")
    scorer.opens_cell("beto", 2)
    scorer.takes_back()
    assert 1 == len(drafts(scorer.page))
    scorer.goes_back()
    scorer.sees_totals("0", "23", "29", "8")
    assert [] == drafts(scorer.page)


@pytest.mark.parametrize("network", ["quick", "slow"])
def test_a_double_tap_on_save_records_one_round(whole, game, network):
    if network == "slow":
        whole.page.context.new_cdp_session(whole.page).send("Network.emulateNetworkConditions", SLOW)
    box = whole.page.locator("[data-go]").bounding_box()
    for _tap in range(2):
        whole.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    whole.sees_totals("0", "23", "29", "8")
    assert 2 == game.records.count()


def test_a_round_saved_offline_is_queued_and_recorded_once_online(whole, game, forgive):
    forgive("ERR_INTERNET_DISCONNECTED|htmx:sendError|htmx:afterRequest")
    whole.page.wait_for_timeout(1000)  # the page that lists queued entries is prefetched
    whole.page.context.set_offline(True)
    whole.tap("[data-go]")
    expect(whole.page.locator("#waiting")).to_be_visible()
    assert 1 == game.records.count()
    whole.page.context.set_offline(False)
    whole.sees_totals("0", "23", "29", "8")
    assert 2 == game.records.count()
    assert [] == drafts(whole.page)


def test_a_correction_saved_offline_stays_on_the_pad(scorer, game, owner, forgive):
    forgive("ERR_INTERNET_DISCONNECTED|htmx:sendError|htmx:afterRequest")
    play(game, owner, "round ana out beto=23 caro=29 dani=8")
    scorer.page.goto(f"/g/{game.code}/")
    scorer.opens_cell("beto", 2)
    scorer.takes_back()
    scorer.page.context.set_offline(True)
    scorer.tap("[data-go]")
    expect(scorer.page.locator("#trouble")).to_be_visible()
    assert ["0", "2", "29", "8"] == scorer.hands()
    scorer.page.context.set_offline(False)
    scorer.sees_what_changes()
    assert "23 → 2" == scorer.changes()["Beto"]


def test_the_slower_of_two_phones_keeps_its_hands_and_sees_the_news(whole, other_scorer, game):
    other_scorer.page.goto(f"/g/{game.code}/")
    other_scorer.begin_round()
    other_scorer.went_out("dani")
    other_scorer.counted(12)
    other_scorer.goes_on()
    other_scorer.counted(7)
    other_scorer.goes_on()
    other_scorer.counted(9)
    whole.saves()
    whole.sees_totals("0", "23", "29", "8")

    other_scorer.tap("[data-go]")
    notice = other_scorer.page.locator(".notice:visible")
    expect(notice).to_contain_text("Mano 1")
    expect(notice).to_contain_text("Ana")
    expect(other_scorer.page.locator("h1")).to_contain_text("Mano 2")
    assert ["12", "7", "9", "0"] == other_scorer.hands()
    assert 2 == game.records.count()

    other_scorer.page.reload()
    assert ["12", "7", "9", "0"] == other_scorer.hands()
    other_scorer.saves()
    other_scorer.sees_totals("12", "30", "38", "8")
    assert 3 == game.records.count()
