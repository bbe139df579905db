"""Points that a hand already had when it was opened are marked, and the first digit replaces them."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize

from tests.browser.scorer import ERASE, Scorer

NARROW: ViewportSize = {"width": 360, "height": 740}


@pytest.fixture
def scorer(scorer, game):
    """The owner, who corrects Beto's 23 points in the first round."""
    scorer.page.set_viewport_size(NARROW)
    scorer.page.goto(f"/g/{game.code}/")
    scorer.opens_cell("beto", 2)
    return scorer


GROUND, CLEAR = "figure => getComputedStyle(figure).backgroundColor", "rgba(0, 0, 0, 0)"


def is_marked(scorer: Scorer, figure: str = ".sum b") -> bool:
    """Return whether this figure has its own background, like selected text."""
    ground: str = scorer.page.locator(figure).evaluate(GROUND)
    return ground != CLEAR


def test_the_first_digit_replaces_an_old_total_and_the_eraser_leaves_the_rest_of_it(scorer):
    assert is_marked(scorer)
    scorer.counted(1)
    assert ["0", "1", "29", "8"] == scorer.hands()
    assert not is_marked(scorer)
    scorer.page.reload()
    scorer.counted(35)
    assert ["0", "135", "29", "8"] == scorer.hands()
    scorer.opens("caro")
    assert is_marked(scorer)
    scorer.takes_back()
    assert not is_marked(scorer)
    scorer.counted(9)
    assert ["0", "135", "29", "8"] == scorer.hands()
    scorer.opens("beto")
    scorer.page.keyboard.type("41")
    assert ["0", "41", "29", "8"] == scorer.hands()
    scorer.hold(ERASE)
    assert ["0", "·", "29", "8"] == scorer.hands()
