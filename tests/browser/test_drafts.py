"""Drafts: a half-entered round stays on the phone until it is recorded, once, whatever fails meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.game_setup import play
from tests.browser.scorer import GO, Scorer, seat

SETTLED = 200  # milliseconds; htmx initializes a page 20 ms after it is inserted
SLOW = {"offline": False, "latency": 800, "downloadThroughput": -1, "uploadThroughput": -1}


@pytest.fixture
def scorer_with_draft(scorer, started_game):
    """The reference round, entered but not saved."""
    scorer.page.goto(f"/g/{started_game.code}/")
    scorer.begin_round("ana")
    scorer.enters("K 9 4", "Q J 7 2", "5 3")
    return scorer


def drafts(page: Page) -> list[str]:
    """Return the drafts on this phone, once the page has settled."""
    page.wait_for_timeout(SETTLED)
    keys: list[str] = page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('draft:'))")
    return keys


def test_a_half_entered_hand_survives_a_visit_to_other_pages_and_another_closer(scorer, started_game):
    scorer.page.goto(f"/g/{started_game.code}/")
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.holds("K 9")
    scorer.goes_back()
    scorer.tap(f"a.icon[href='/g/{started_game.code}/more/']")
    expect(scorer.page.locator("a[href$='/export/']")).to_be_visible()
    scorer.page.go_back()
    scorer.begin_round("ana")
    assert ["0", "19", "·", "·"] == scorer.hands()
    scorer.goes_back()
    scorer.begin_round("dani")  # this face replaces the closer of the draft, which keeps the hands
    assert ["·", "19", "·", "0"] == scorer.hands()
    expect(scorer.page.locator(seat("ana"))).to_have_attribute("aria-current", "true")
    scorer.opens("dani")
    scorer.went_out("caro")
    scorer.page.reload()  # and is not applied again
    expect(scorer.page.locator(seat("ana"))).to_have_attribute("aria-current", "true")
    assert ["·", "19", "0", "·"] == scorer.hands()


@pytest.mark.long
def test_the_pad_open_twice_keeps_the_fuller_of_two_drafts(scorer, started_game):
    sheet = f"/g/{started_game.code}/"
    second = Scorer(scorer.page.context.new_page())
    for finger in (scorer, second):
        finger.page.goto(sheet)
        finger.begin_round("ana")
    scorer.holds("K 9")
    scorer.goes_on()
    scorer.holds("5")
    second.holds("2")
    scorer.page.reload()
    assert ["0", "19", "5", "·"] == scorer.hands()
    second.goes_on()
    second.holds("3")
    second.goes_on()
    second.holds("4")
    scorer.page.reload()

    assert ["0", "2", "3", "4"] == scorer.hands()


@pytest.mark.long
def test_a_hand_may_be_taken_back_in_the_only_open_pad(scorer, started_game):
    scorer.page.goto(f"/g/{started_game.code}/")
    scorer.begin_round("ana")
    scorer.holds("K")
    scorer.tap("[data-erase]:visible")
    scorer.page.reload()

    assert ["0", "·", "·", "·"] == scorer.hands()


NAMELESS = """person => {
    const [key] = Object.keys(localStorage).filter(key => key.startsWith("draft:"));
    localStorage.setItem(key.replace(/^draft:[^:]+:/, "draft:"), localStorage.getItem(key));
    localStorage.removeItem(key);
    if (person) localStorage.setItem("person", person);
}"""


@pytest.mark.long
def test_a_hand_half_entered_in_version_1_0_0_is_found_by_its_person_alone(scorer, started_game):
    """That version stored it under the game, without a person."""
    sheet = f"/g/{started_game.code}/"
    scorer.page.goto(sheet)
    scorer.begin_round("ana")
    scorer.holds("K 9")
    drafts(scorer.page)
    scorer.page.evaluate(NAMELESS, "")
    scorer.page.goto(sheet)
    scorer.begin_round("ana")
    assert ["0", "19", "·", "·"] == scorer.hands()

    scorer.page.evaluate(NAMELESS, "beto")  # was the last person known to the phone
    scorer.page.goto(sheet)
    scorer.begin_round("ana")
    assert ["0", "·", "·", "·"] == scorer.hands()
    assert any(key.startswith("draft:beto:") for key in drafts(scorer.page))


@pytest.mark.long
def test_the_draft_of_an_abandoned_correction_is_deleted(scorer, started_game, owner):
    play(started_game, owner, "round ana out beto=23 caro=29 dani=8")
    scorer.page.goto(f"/g/{started_game.code}/")
    scorer.opens_cell("beto", 2)
    scorer.takes_back()
    assert 1 == len(drafts(scorer.page))
    scorer.goes_back()
    scorer.sees_totals("0", "23", "29", "8")
    assert [] == drafts(scorer.page)


def test_a_double_tap_on_save_records_one_round_on_a_slow_network_and_its_draft_is_deleted(
    scorer_with_draft, started_game
):
    assert [f"{started_game.code}:1"] == [key.split(":", 2)[2] for key in drafts(scorer_with_draft.page)]
    scorer_with_draft.page.context.new_cdp_session(scorer_with_draft.page).send(
        "Network.emulateNetworkConditions", SLOW
    )
    box = scorer_with_draft.page.locator("[data-go]").bounding_box()
    for _tap in range(2):
        scorer_with_draft.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    scorer_with_draft.sees_totals("0", "23", "29", "8")
    assert 2 == started_game.records.count()
    assert [] == drafts(scorer_with_draft.page)


@pytest.mark.long
def test_the_key_moves_while_the_site_has_not_answered(scorer_with_draft):
    scorer_with_draft.page.route("**/round/", lambda _route: None)
    scorer_with_draft.tap(GO)
    expect(scorer_with_draft.page.locator(GO)).to_have_css("animation-name", "sends")


@pytest.mark.long
def test_the_slower_of_two_phones_keeps_its_hands_and_sees_the_news(
    scorer_with_draft, open_phone, owner, let_in, started_game
):
    other_phone = open_phone()
    let_in(other_phone, owner)
    other_scorer = Scorer(other_phone.new_page())
    other_scorer.page.goto(f"/g/{started_game.code}/")
    other_scorer.begin_round()
    other_scorer.went_out("dani")
    other_scorer.enters(12, 7, 9)
    scorer_with_draft.saves()
    scorer_with_draft.sees_totals("0", "23", "29", "8")

    other_scorer.tap("[data-go]")
    notice = other_scorer.page.locator(".notice:visible")
    expect(notice).to_contain_text("Mano 1")
    expect(notice).to_contain_text("Ana")
    expect(other_scorer.page.locator("h1")).to_contain_text("Mano 2")
    assert ["12", "7", "9", "0"] == other_scorer.hands()
    assert 2 == started_game.records.count()

    other_scorer.page.reload()
    expect(other_scorer.page.locator("#entry[data-ready]")).to_be_visible()
    assert ["12", "7", "9", "0"] == other_scorer.hands()
    other_scorer.saves()
    other_scorer.sees_totals("12", "30", "38", "8")
    assert 3 == started_game.records.count()
