"""A whole night on one phone by taps alone, from four names to payments; its exported text gives the same
result.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.scorer import Scorer, seat, seated_order, write_name
from tests.browser.settled import pages_match_their_text

FIRST_CORRECTED_ROUND = 4  # the third round is event 4: the game itself is event 1


@pytest.fixture
def scorer(page):
    """The finger of a person who opens the app for the first time."""
    return Scorer(page)


def test_a_whole_night_by_taps_has_the_results_of_its_exported_text(scorer, tmp_path):
    page = scorer.page
    four_people_sit_down(scorer)
    assert ["Ana", "Beto", "Caro", "Dani"] == seated_order(page)
    assert "$ 4.000" == scorer.pot

    a_round_card_by_card(scorer)
    scorer.sees_totals("0", "23", "29", "8")

    a_round_in_one_go_with_a_reload_in_the_middle(scorer)
    scorer.sees_totals("21", "63", "60", "−2")

    scorer.begin_round()
    scorer.went_out("beto")
    scorer.counted(30)
    scorer.goes_on()
    scorer.holds_cards_again()
    scorer.holds("K Q J 10 5")
    scorer.goes_on()
    scorer.holds("9 9")
    the_next_page_asks(scorer, "Caro")
    assert ["1.º $ 1.000", "2.º $ 2.000"] == scorer.ladder()
    assert ["63 · como Beto", "38 y afuera", "$ 4.000 → $ 5.000"] == scorer.facts()
    scorer.answers("reenter")
    scorer.sees_totals("51", "63", "63", "16")
    assert "$ 5.000" == scorer.pot

    scorer.begin_round()
    scorer.went_out("caro")
    scorer.holds("7 7 6")
    scorer.goes_on()
    scorer.counted(45)
    scorer.goes_on()
    scorer.holds_cards_again()
    scorer.holds("K *")
    the_next_page_asks(scorer, "Beto")
    assert ["71 · como Ana", "30 y afuera", "$ 5.000 → $ 6.000"] == scorer.facts()
    scorer.answers("reenter")
    scorer.sees_totals("71", "71", "63", "36")

    scorer.begin_round()
    scorer.went_out("dani")
    scorer.counted(25)
    scorer.goes_on()
    scorer.holds_cards_again()
    scorer.holds("8 7")
    scorer.goes_on()
    scorer.holds("K K Q J")
    the_next_page_asks(scorer, "Caro")
    # The second re-entry costs double, because the first one is already paid.
    assert ["1.º $ 1.000", "2.º $ 2.000", "3.º $ 3.000"] == [
        rung.removesuffix(" ✓") for rung in scorer.ladder()
    ]
    assert ["96 · como Ana", "5 y afuera", "$ 6.000 → $ 8.000"] == scorer.facts()
    scorer.answers("reenter")
    scorer.sees_totals("96", "86", "96", "36")
    assert "$ 8.000" == scorer.pot

    the_third_round_is_corrected(scorer)
    scorer.answers("reenter")
    scorer.sees_totals("96", "96", "96", "36")
    assert "$ 8.000" == scorer.pot

    scorer.begin_round()
    scorer.went_out("dani")
    scorer.holds("5")
    scorer.goes_on()
    scorer.holds("2")
    scorer.goes_on()
    scorer.counted(4)
    the_next_page_asks(scorer, "Ana")
    assert "100 · como Caro" == scorer.facts()[0]
    assert "un punto más y afuera" == scorer.facts()[1]
    scorer.answers("stay_out")
    scorer.sees_totals("101", "98", "100", "36")

    scorer.begin_round()
    scorer.went_out("dani")
    scorer.counted(10)
    scorer.goes_on()
    scorer.counted(3)
    expect(page.locator("#consequences")).to_contain_text("Dani")
    scorer.saves()

    expect(page.locator("h1")).to_contain_text("Dani")
    seen = pages_match_their_text(scorer, tmp_path)
    assert {"Ana": 101, "Beto": 108, "Caro": 103, "Dani": 36} == seen.totals
    assert {"Ana", "Beto", "Caro"} == seen.gone
    assert {"Ana": -1000, "Beto": -4000, "Caro": -2000, "Dani": 7000} == seen.nets
    assert [("Beto", "Dani", 4000), ("Caro", "Dani", 2000), ("Ana", "Dani", 1000)] == seen.payments


# --- the parts of the night -------------------------------------------------------------------------------------------


def four_people_sit_down(scorer: Scorer) -> None:
    """Start a first game for four new people at $ 1.000 each, with unlimited re-entries at a rising price."""
    page = scorer.page
    page.goto("/")
    assert "es-ar" == page.locator("html").get_attribute("lang")
    scorer.tap(".dock a.go")
    for name in ("Ana", "Beto", "Caro", "Dani"):
        write_name(scorer, name)
    scorer.tap("#says")
    scorer.tap("[data-to='1000']")
    scorer.tap("button[name=preset][value=escalating]")
    expect(page.locator("select[name=option-reentry_price]")).to_have_value("linear")
    expect(page.locator("[name=option-reentries]")).to_have_value("unlimited")
    expect(page.locator("#stake")).to_have_value("1000")
    scorer.tap("[popovertargetaction=hide]")
    scorer.tap(".dock .go")
    expect(page.locator(".score")).to_be_visible()


def a_round_card_by_card(scorer: Scorer) -> None:
    """Enter a round in which Ana goes out and K 9 4, Q J 7 2 and 5 3 are left."""
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.holds("K 9 4")
    expect(scorer.page.locator("[data-sum] b")).to_have_text("23")
    scorer.goes_on()
    scorer.holds("Q J 7 2")
    scorer.goes_on()
    scorer.holds("5 3")
    assert ["0", "23", "29", "8"] == scorer.hands()
    scorer.saves()


def a_round_in_one_go_with_a_reload_in_the_middle(scorer: Scorer) -> None:
    """Enter a round in which Dani goes out in one go; reload while Beto's hand is half entered."""
    page = scorer.page
    scorer.begin_round()
    scorer.went_out("dani", in_one_go=True)
    scorer.holds("A 5 6")
    scorer.goes_on()
    scorer.holds("K K")
    page.reload()
    expect(page.locator(seat("beto"))).to_have_attribute("aria-current", "true")
    assert ["21", "20", "·", "−10"] == scorer.hands()
    assert ["K", "K"] == page.locator("[data-held]").all_inner_texts()
    scorer.holds("10 J")
    scorer.goes_on()
    scorer.counted(31)
    assert ["21", "40", "31", "−10"] == scorer.hands()
    scorer.saves()


def the_next_page_asks(scorer: Scorer, name: str) -> None:
    """Check that saving leads to the desk of this player."""
    scorer.saves()
    expect(scorer.page.locator("h2.ask:visible")).to_have_text(f"¿Se reengancha {name}?")


def the_third_round_is_corrected(scorer: Scorer) -> None:
    """Correct Caro's 45 to 35, two rounds back: Caro is not bust, the answer is void, Beto is bust now."""
    page = scorer.page
    scorer.opens_cell("caro", FIRST_CORRECTED_ROUND)
    scorer.tap("[data-held='0']")
    assert "35" == scorer.hands()[2]
    scorer.sees_what_changes()
    question = page.locator("fieldset.stack")
    expect(question).to_have_count(1)
    expect(question.locator("legend")).to_contain_text("Caro")
    expect(question.locator("input[type=radio]")).to_have_count(0)
    changes = scorer.changes()
    assert "$ 8.000 → $ 6.000" == changes["Pozo"]
    assert "86 → 110" == changes["Beto"]
    assert "96 → 96" not in changes.values()
    scorer.confirms()
    expect(page.locator("h2.ask:visible")).to_have_text("¿Se reengancha Beto?")
    assert ["1.º $ 1.000", "2.º $ 2.000", "3.º $ 3.000"] == [
        rung.removesuffix(" ✓") for rung in scorer.ladder()
    ]


def test_a_refused_name_stays_in_its_field_to_be_corrected(scorer):
    page = scorer.page
    page.goto("/new/")
    for name in ("Ana", 'El "Flaco"'):
        write_name(scorer, name)
    scorer.tap(".dock .go")
    expect(page.locator("#players-error")).to_be_visible()
    scorer.tap(".chip[title^='El']")
    write_name(scorer, "El Flaco")
    scorer.tap(".dock .go")
    expect(page.locator(".score")).to_be_visible()
    assert ["Ana", "El Flaco"] == seated_order(page)
