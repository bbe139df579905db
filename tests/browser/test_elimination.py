"""A night of elimination in any other game by taps: Scala 40, with a re-entry and a pot."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.scorer import Scorer, write_name

pytestmark = pytest.mark.long

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
    scorer.tap("#game > .go")
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
