"""Motion on the pad: it follows the answer to a tap, and there is none if the system asks for less."""

from __future__ import annotations

import pytest

from tests.browser.gallery import select_screens

pytestmark = pytest.mark.long

# The cards that fly after a tap, and the number of cards that the hand has at once.
RECORDS_FLIGHTS = """() => {
    const { animate } = Element.prototype;
    window.flown = [];
    Element.prototype.animate = function (...how) {
        window.flown.push(this.dataset.key);
        return animate.apply(this, how);
    };
}"""
TAPS = """async selector => {
    window.flown = [];
    document.querySelector(selector).click();
    const cards = document.querySelectorAll("[data-cards] > .c").length;
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    return [cards, window.flown];
}"""


def test_a_card_flies_from_its_key_into_the_hand_and_back(page, signed_in, owner):
    [pad] = select_screens(owner, "entry-pad")
    pad.show(page)
    page.evaluate(RECORDS_FLIGHTS)
    for motion, flies in (("no-preference", ["5"]), ("reduce", list[str]())):
        page.emulate_media(reduced_motion=motion)
        assert [4, flies] == page.evaluate(TAPS, "[data-card='5']")
        assert [3, flies] == page.evaluate(TAPS, "[data-erase]")
        assert [3, []] == page.evaluate(TAPS, ".seat[aria-current]")
