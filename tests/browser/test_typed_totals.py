"""Points that a hand already had when it was opened are marked, and the first digit replaces them."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.nights import begin, play
from tests.browser.scorer import ERASE, Scorer
from tests.worlds import make_table

NARROW: ViewportSize = {"width": 360, "height": 740}
RUN_AXE = """async () => {
    const { violations, incomplete } = await axe.run({ runOnly: ["color-contrast"] });
    // Axe says of a figure in an element without a box (display: contents) that it covers itself.
    const isItself = ({ any: [{ data, relatedNodes }], target }) =>
        data.messageKey === "elmPartiallyObscured" && relatedNodes.every(one => one.target[0] === target[0]);
    return [...violations, ...incomplete].flatMap(rule => rule.nodes.filter(node => !isItself(node)).map(node => `${node.html}: ${node.any[0]?.message}`));
}"""
GROUND, CLEAR = "figure => getComputedStyle(figure).backgroundColor", "rgba(0, 0, 0, 0)"


@pytest.fixture
def open_correction(phone, owner, let_in):
    """`open_correction("beto")` opens the pad to correct this hand of the first round: Beto 23, Caro 29,
    Dani 8.
    """
    let_in(phone, owner)

    def open_one(player, variant="loba_menos", closer_hand=""):
        game = begin(make_table(owner), owner, variant=variant)
        play(game, owner, f"round ana out {closer_hand} beto=23 caro=29 dani=8")
        scorer = Scorer(phone.new_page())
        scorer.page.set_viewport_size(NARROW)
        scorer.page.goto(f"/g/{game.code}/")
        scorer.opens_cell(player, 2)
        return scorer

    return open_one


def is_marked(scorer: Scorer, figure: str = ".sum b") -> bool:
    """Return whether this figure has its own background, like selected text."""
    ground: str = scorer.page.locator(figure).evaluate(GROUND)
    return ground != CLEAR


def test_the_first_digit_replaces_an_old_total_and_further_ones_are_appended(open_correction):
    scorer = open_correction("beto")
    assert is_marked(scorer)
    scorer.counted(1)
    assert ["0", "1", "29", "8"] == scorer.hands()
    assert not is_marked(scorer)
    scorer.counted(35)
    assert ["0", "135", "29", "8"] == scorer.hands()


def test_a_hand_opened_again_is_replaced_by_the_first_digit(open_correction):
    scorer = open_correction("beto")
    scorer.counted(14)
    scorer.opens("caro")
    assert is_marked(scorer)
    scorer.counted(7)
    scorer.opens("beto")
    scorer.counted(5)
    assert ["0", "5", "7", "8"] == scorer.hands()


def test_the_eraser_removes_one_digit_of_an_old_total_and_the_next_digit_is_appended(open_correction):
    scorer = open_correction("beto")
    scorer.takes_back()
    assert not is_marked(scorer)
    scorer.counted(9)
    assert ["0", "29", "29", "8"] == scorer.hands()
    scorer.opens("caro")
    scorer.hold(ERASE)
    assert ["0", "29", "·", "8"] == scorer.hands()


def test_a_digit_typed_on_a_keyboard_replaces_an_old_total(open_correction):
    scorer = open_correction("beto")
    scorer.page.keyboard.type("41")
    assert ["0", "41", "29", "8"] == scorer.hands()


def test_the_minus_key_negates_an_old_total_and_the_digit_that_replaces_it(open_correction):
    scorer = open_correction("beto", variant="loba_mas", closer_hand="ana=12")
    scorer.tap("[data-minus]")
    assert "−23" == scorer.hands()[1]
    scorer.counted(4)
    assert "−4" == scorer.hands()[1]
    scorer.opens("caro")
    scorer.page.keyboard.type("-05")
    assert "−5" == scorer.hands()[2]


def test_a_half_typed_total_can_be_continued_after_a_reload(open_correction):
    scorer = open_correction("beto")
    scorer.page.reload()
    assert is_marked(scorer)
    scorer.counted(1)
    scorer.page.reload()
    assert not is_marked(scorer)
    scorer.counted(3)
    assert ["0", "13", "29", "8"] == scorer.hands()


def test_a_total_that_was_sent_is_replaced_by_the_first_digit(open_correction, forgive):
    forgive("ERR_INTERNET_DISCONNECTED|htmx:sendError|htmx:afterRequest")
    scorer = open_correction("beto")
    scorer.counted(13)
    scorer.page.context.set_offline(True)
    scorer.tap("[data-go]")
    expect(scorer.page.locator("#trouble")).to_be_visible()
    assert is_marked(scorer)
    scorer.page.context.set_offline(False)
    scorer.sees_what_changes()
    scorer.page.go_back()
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    scorer.counted(15)
    assert ["0", "15", "29", "8"] == scorer.hands()


def test_hands_of_cards_are_never_marked(open_correction):
    scorer = open_correction("beto")
    scorer.tap("[data-typed]")
    scorer.holds("K 9")
    assert not is_marked(scorer)
    scorer.opens("caro")
    scorer.opens("beto")
    assert not is_marked(scorer)
    assert ["0", "19", "29", "8"] == scorer.hands()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("variant", "closer_hand"), [("loba_menos", ""), ("loba_mas", "ana=12")])
def test_a_marked_total_has_enough_contrast(open_correction, axe_source, theme, variant, closer_hand):
    scorer = open_correction("beto", variant, closer_hand)
    scorer.page.emulate_media(color_scheme=theme)
    scorer.page.evaluate(axe_source)
    assert is_marked(scorer)
    assert [] == scorer.page.evaluate(RUN_AXE)
