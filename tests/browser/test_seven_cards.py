"""The seven cards of Chinchón by taps: grouped by the site, refused, and switched to leftovers and back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.scorer import Scorer, plain, seat


def groups(scorer: Scorer) -> list[str]:
    """Return the groups into which the server divided the open hand of seven cards."""
    return [plain(text) for text in scorer.page.locator("[data-cards] .group").all_inner_texts()]


@pytest.mark.long
def test_an_eighth_or_repeated_card_of_a_hand_is_refused(start):
    scorer = start("chinchon")
    scorer.begin_round("ana")
    scorer.cuts_with(5)
    hand_cards, five, nine = (
        scorer.page.locator(f"[{name}]") for name in ("data-held", "data-card='5'", "data-card='9'")
    )
    scorer.holds_seven("5o")
    five.tap(force=True)
    expect(scorer.page.locator("[data-wrong]")).to_have_text("5 de oros: no quedan")
    expect(hand_cards).to_have_count(1)
    scorer.holds_seven("5c 5e 5b 6b 7b 8b")
    nine.tap(force=True)
    expect(scorer.page.locator("[data-wrong]")).to_have_text("Ya están las 7 cartas")
    expect(hand_cards).to_have_count(7)


def test_the_cards_of_the_other_way_of_entry_are_kept_and_so_are_all_over_a_reload(start):
    scorer = start("chinchon")
    scorer.begin_round("ana")
    scorer.cuts_with(3)
    sum_row, field = scorer.page.locator("[data-sum]"), scorer.page.locator("[name=hand-beto]")
    scorer.holds_seven("5o 6o")
    expect(sum_row).to_have_text("lleva 0 · faltan 5 cartas")
    scorer.tap("[data-way=left]")
    expect(field).to_have_value("[5 6]")
    scorer.tap("[data-way=seven]")
    scorer.holds_seven("7o 4b 1c 3e")
    expect(sum_row).to_have_text("lleva 0 · falta 1 carta")
    scorer.holds_seven("10b")
    expect(scorer.page.locator(".group.left")).to_be_visible()
    scorer.tap("[data-way=left]")
    expect(field).to_have_value("[5 6]")  # unchanged since it was left
    scorer.goes_on()
    scorer.holds_seven("5o 6o 7o 4b")
    scorer.page.reload()
    expect(scorer.page.locator("[data-suit=b]")).to_have_attribute("aria-pressed", "true")
    scorer.holds_seven("1c 3e 10b")
    expect(scorer.page.locator("[data-sum] b")).to_have_text("hasta 18")
    assert ["5 6 7 escalera", "4 1 3 10 lo que sobra"] == groups(scorer)
    scorer.tap("[data-way=left]")
    expect(scorer.page.locator("[data-cards] .c")).to_have_text(["4", "1", "3", "10"])  # the leftover cards


@pytest.mark.long
def test_each_suit_is_written_inside_its_key_on_a_narrow_phone(start):
    scorer = start("chinchon")
    scorer.page.set_viewport_size({"width": 360, "height": 640})
    scorer.begin_round("ana")
    scorer.cuts_with(3)
    scorer.tap("[data-way=seven]")
    for key in scorer.page.locator(".suits > .k").all():
        assert key.evaluate("key => key.scrollWidth <= key.clientWidth"), key.inner_text()


@pytest.mark.long
def test_leftovers_show_no_final_points_while_cards_may_still_be_placed(start):
    scorer = start("chinchon")
    scorer.begin_round("ana")
    scorer.cuts("cards")
    scorer.holds_seven("3o 4o 5o 10c 11c 12c 2b")
    scorer.goes_on()
    scorer.holds_seven("6o 12b 9e 7c 1c 3e 10b")
    total = scorer.page.locator("[data-sum]")
    expect(total).to_contain_text("hasta 48")
    assert ["≤2", "≤48"] == scorer.hands()[:2]
    scorer.goes_on()
    scorer.enters(3, 5)
    expect(scorer.page.locator("#consequences li").first).to_be_visible()
    expect(scorer.page.locator(seat("beto")).locator("b")).to_have_text("42")


def test_a_chinchon_entered_as_a_cut_is_one_tap_away(start):
    scorer = start("chinchon")
    scorer.begin_round("ana")
    scorer.cuts("cards")
    scorer.holds_seven("3o 4o 5o 6o 7o 8o 9o")
    question = scorer.page.locator("#consequences li", has_text="¿era chinchón?")
    expect(question).to_be_visible()
    scorer.tap(question.get_by_role("button", name="Sí: chinchón"))
    expect(question).to_have_count(0)
    scorer.saves()
    expect(scorer.page.locator("h1")).to_contain_text("Ana")


@pytest.mark.long
def test_who_types_points_in_one_round_types_them_in_the_next_after_the_cutter_too(start):
    scorer = start("chinchon")
    for _round in range(2):
        scorer.begin_round("ana")
        scorer.cuts_with(2)
        expect(scorer.page.locator("#entry")).to_have_attribute("data-view", "digits" if _round else "cards")
        for points in (11, 12, 13):
            scorer.counted(points)
            scorer.goes_on()
        expect(scorer.page.locator("#sheet")).to_be_visible()
