"""The contrast of every text of the components: in every state, in every theme."""

from __future__ import annotations

import pytest

from tests.browser.gallery import select_screens

pytestmark = pytest.mark.long

THEMES = ("day", "dark", "light")  # the two lights, and paper
SCREENS = ("sheet", "sheet-over", "board-eight", "board-bust", "settlement", "entry-pad")
# Puts every element of these selectors into each of its possible states, one after the other.
STATES = {
    ".margin": ("", "red"),
    ".total": ("", "red", "soft", "lead"),
    ".who": ("", "gone"),
    ".spot": ("", "first", "gone", "deals", "first deals"),
    ".pill": ("", "gold", "red"),
    ".tick": ("", "done"),
}
# Lists the texts whose contrast with their background is too low, each with its colors.
TOO_LOW = """() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return canvas.getImageData(0, 0, 1, 1).data;
    };
    const light = (colour) => [...colour].slice(0, 3).map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
    const ground = (element) => {
        for (let around = element; around; around = around.parentElement) {
            const colour = rgba(getComputedStyle(around).backgroundColor);
            if (colour[3] === 255) return colour;
        }
        return rgba("white");
    };
    const low = new Set();
    const walker = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || element.closest("svg, .vh, option, :disabled") || !element.checkVisibility()) continue;
        const style = getComputedStyle(element);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const [dark, bright] = [light(rgba(style.color)), light(ground(element))].sort((one, other) => one - other);
        const ratio = (bright + 0.05) / (dark + 0.05);
        if (ratio < (isLarge ? 3 : 4.5)) low.add(`${element.className || element.localName}: ${ratio.toFixed(2)}`);
    }
    return [...low];
}"""
INTO_STATE = """([selector, states, place]) => {
    for (const element of document.querySelectorAll(selector)) {
        element.classList.remove(...states.flatMap((state) => state.split(" ")).filter(Boolean));
        if (states[place]) element.classList.add(...states[place].split(" "));
    }
}"""


def test_every_text_has_enough_contrast_in_every_state_and_theme(page, signed_in, owner, subtests):
    page.emulate_media(reduced_motion="reduce")
    tried = set()
    for screen in select_screens(owner, *SCREENS):
        screen.show(page)
        for theme in THEMES:
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            with subtests.test(screen.name, theme=theme):
                assert [] == page.evaluate(TOO_LOW)
            for selector, states in STATES.items():
                if not page.locator(selector).count():
                    continue
                tried.add(selector)
                for place, state in enumerate(states):
                    page.evaluate(INTO_STATE, [selector, states, place])
                    with subtests.test(screen.name, theme=theme, selector=selector, state=state):
                        assert [] == page.evaluate(TOO_LOW)
    assert {*STATES} == tried
