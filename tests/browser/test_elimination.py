"""Two nights of elimination in any other game by taps: Scala 40 and Pool Rummy, with re-entries and a pot."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.scorer import Scorer, write_name

SMALL = {"width": 360, "height": 640}


@pytest.fixture
def scorer(open_phone):
    """The finger of a person who opens the app for the first time, on a small phone."""
    return Scorer(open_phone(viewport=SMALL).new_page())


def begin(scorer: Scorer, preset: str, *names: str) -> None:
    """Start a first game of new people at $ 100 each, with the rules of a preset of any other game."""
    page = scorer.page
    page.goto("/")
    scorer.tap(".dock a.go")
    for name in names:
        write_name(scorer, name)
    scorer.tap("#says")
    scorer.tap(".games .chip:has([value=points])")
    scorer.tap(f"button[name=preset][value={preset}]")
    expect(page.locator(f"button[name=preset][value={preset}]")).to_have_attribute("aria-pressed", "true")
    scorer.tap(".field:has(#stake) [data-to='100']")
    scorer.tap("[popovertargetaction=hide]")
    scorer.tap(".dock .go")
    expect(page.locator(".score")).to_be_visible()


def rounds(scorer: Scorer, first: str, *points: int) -> None:
    """Enter the points of everybody who is in, `first` being the first of them, and save."""
    scorer.begin_round(first)
    scorer.enters(*points)
    scorer.saves()


def asked(scorer: Scorer, name: str) -> None:
    expect(scorer.page.locator(".deskpage:visible h2")).to_contain_text(name)


def test_a_night_of_scala_40_with_a_re_entry_and_a_player_who_stays_out(scorer):
    begin(scorer, "scala_40_101", "Ana", "Beto", "Caro", "Dani")
    page = scorer.page
    expect(page.locator("h1")).to_contain_text("Scala 40")
    assert "$ 400" == scorer.pot

    rounds(scorer, "ana", 0, 40, 61, 25)
    scorer.sees_totals("0", "40", "61", "25")
    rounds(scorer, "ana", 30, 0, 40, 76)

    asked(scorer, "Caro")
    assert ["40 · como Beto", "61 y afuera", "$ 400 → $ 500"] == scorer.facts()
    scorer.answers("reenter")
    asked(scorer, "Dani")
    scorer.answers("stay_out")
    scorer.sees_totals("30", "40", "40", "101")
    assert "$ 500" == scorer.pot

    rounds(scorer, "ana", 0, 62, 59)
    asked(scorer, "Beto")
    scorer.answers("stay_out")
    rounds(scorer, "ana", 10, 2)
    expect(page.locator("h1")).to_contain_text("Ana")
    expect(page.locator("body")).to_contain_text("$ 500")
    page.goto(page.url.split("/settlement")[0] + "/rules/")
    expect(page.locator("body")).to_contain_text("Con 101 o más, afuera")


def test_a_night_of_pool_rummy_comes_back_one_above_and_not_above_the_limit(scorer):
    begin(scorer, "pool_rummy_101", "Ana", "Beto", "Caro", "Dani")
    rounds(scorer, "ana", 0, 20, 80, 31)
    rounds(scorer, "ana", 20, 0, 40, 40)

    asked(scorer, "Caro")
    assert ["72", "29 y afuera", "$ 400 → $ 500"] == scorer.facts()
    scorer.answers("reenter")
    scorer.sees_totals("20", "20", "72", "71")

    rounds(scorer, "ana", 0, 80, 8, 20)
    rounds(scorer, "ana", 15, 2, 0, 5)  # Beto has 102, but Caro 80: nobody is asked
    scorer.sees_totals("35", "102", "80", "96")
    rounds(scorer, "ana", 0, 25, 40)
    expect(scorer.page.locator("h1")).to_contain_text("Ana")
    scorer.page.goto(scorer.page.url.split("/settlement")[0] + "/rules/")
    expect(scorer.page.locator("body")).to_contain_text("tiene más de 79")
