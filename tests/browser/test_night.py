"""A whole night on one phone by taps alone, from four names to payments."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.scorer import Scorer, plain, seat, seated_order, write_name

RUNGS = ["1.º $ 1.000", "2.º $ 2.000", "3.º $ 3.000"]
FIRST_CORRECTED_ROUND = 4  # the third round is event 4: the game itself is event 1


@pytest.fixture
def scorer(page):
    """The finger of a person who opens the app for the first time."""
    return Scorer(page)


@pytest.mark.long
def test_a_whole_night_by_taps_ends_with_the_payments(scorer):
    page = scorer.page
    four_people_sit_down(scorer)
    assert ["Ana", "Beto", "Caro", "Dani"] == seated_order(page)
    assert "$ 4.000" == scorer.pot

    a_round(scorer, "ana", "K 9 4", "Q J 7 2", "5 3")
    scorer.sees_totals("0", "23", "29", "8")
    a_round_in_one_go_with_a_reload_in_the_middle(scorer)
    scorer.sees_totals("21", "63", "60", "−2")

    a_round(scorer, "beto", 30, "K Q J 10 5", "9 9")
    is_asked(scorer, "Caro")
    assert ["1.º $ 1.000", "2.º $ 2.000"] == scorer.ladder()
    assert ["63 · como Beto", "38 y afuera", "$ 4.000 → $ 5.000"] == scorer.facts()
    scorer.answers("reenter")
    scorer.sees_totals("51", "63", "63", "16")
    assert "$ 5.000" == scorer.pot

    a_round(scorer, "caro", "7 7 6", 45, "K *")
    is_asked(scorer, "Beto")
    assert ["71 · como Ana", "30 y afuera", "$ 5.000 → $ 6.000"] == scorer.facts()
    scorer.answers("reenter")
    scorer.sees_totals("71", "71", "63", "36")

    a_round(scorer, "dani", 25, "8 7", "K K Q J")
    is_asked(scorer, "Caro")
    # The second re-entry costs double, because the first one is already paid.
    assert RUNGS == [rung.removesuffix(" ✓") for rung in scorer.ladder()]
    assert ["96 · como Ana", "5 y afuera", "$ 6.000 → $ 8.000"] == scorer.facts()
    scorer.answers("reenter")
    scorer.sees_totals("96", "86", "96", "36")
    assert "$ 8.000" == scorer.pot

    the_third_round_is_corrected(scorer)
    scorer.answers("reenter")
    scorer.sees_totals("96", "96", "96", "36")
    assert "$ 8.000" == scorer.pot

    a_round(scorer, "dani", "5", "2", 4)
    is_asked(scorer, "Ana")
    assert ["100 · como Caro", "un punto más y afuera"] == scorer.facts()[:2]
    scorer.answers("stay_out")
    scorer.sees_totals("101", "98", "100", "36")

    a_round(scorer, "dani", 10, 3, ends="Dani")
    expect(page.locator("h1")).to_contain_text("Dani")
    figures = scorer.page.locator("#standings .name, #standings .figure").all_inner_texts()
    won = dict(zip(map(plain, figures[::2]), map(plain, figures[1::2]), strict=True))
    assert {"Dani": "+$ 7.000", "Ana": "−$ 1.000", "Caro": "−$ 2.000", "Beto": "−$ 4.000"} == won
    rows = scorer.page.locator("#payments .pay .figure")
    assert ["$ 1.000", "$ 2.000", "$ 4.000"] == sorted(plain(paid) for paid in rows.all_inner_texts())
    scorer.goes_back()
    scorer.sees_totals("101", "108", "103", "36")


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
    scorer.tap("#game > .go")
    scorer.tap(".dock .go")
    expect(page.locator(".score")).to_be_visible()


def a_round(scorer: Scorer, closer: str, *hands: str | int, ends: str = "") -> None:
    """Enter a round, in which this player wins the game if any, and save it."""
    scorer.begin_round(closer)
    scorer.enters(*hands)
    if ends:
        expect(scorer.page.locator("#consequences")).to_contain_text(ends)
    scorer.saves()


def a_round_in_one_go_with_a_reload_in_the_middle(scorer: Scorer) -> None:
    """Enter a round in which Dani goes out in one go; reload while Beto's hand is half entered."""
    page = scorer.page
    scorer.begin_round("dani")
    scorer.tap("[data-closing=in_one_go]")
    scorer.enters("A 5 6", "K K")
    page.reload()
    expect(page.locator(seat("beto"))).to_have_attribute("aria-current", "true")
    assert ["21", "20", "·", "−10"] == scorer.hands()
    assert ["K", "K"] == page.locator("[data-held]").all_inner_texts()
    scorer.holds("10 J")
    scorer.goes_on()
    scorer.counted(31)
    assert ["21", "40", "31", "−10"] == scorer.hands()
    scorer.saves()


def is_asked(scorer: Scorer, name: str) -> None:
    """Check that saving led to the desk of this player."""
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
    is_asked(scorer, "Beto")
    assert RUNGS == [rung.removesuffix(" ✓") for rung in scorer.ladder()]
