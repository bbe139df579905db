"""Charts can be read without colours, in both themes: contrast, dashes, and a table under each."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gallery import pick

THEMES = ("light", "dark")
COLOURS = """(selector) => [...document.querySelectorAll(selector)].map((element) => {
    const style = getComputedStyle(element);
    return { fill: style.fill, stroke: style.stroke, dash: style.strokeDasharray };
})"""
RECOLOUR = "n => document.querySelector('.chart [data-dash]').setAttribute('data-colour', n)"
DASHES = "chart => [...chart.querySelectorAll(':scope > svg .line')].map(line => ({ dash: getComputedStyle(line).strokeDasharray }))"
GROUND = "getComputedStyle(document.querySelector('.chart')).backgroundColor"


@pytest.fixture
def charted(page, phone, owner, let_in):
    """The result of a game with its chart unfolded, on a phone."""
    let_in(phone, owner)
    pick(owner, "settlement", crowded=True).show(page)
    page.locator("#totals > summary").tap()
    return page


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour by WCAG's formula."""
    channels = [int(channel) / 255 for channel in re.findall(r"\d+", colour)[:3]]
    linear = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def painted(page: Page, selector: str, how: str) -> list[str]:
    """Return the colours of these parts of the charts."""
    return [part[how] for part in page.evaluate(COLOURS, selector)]


def test_lines_labels_and_initials_have_enough_contrast_and_each_line_a_dash_pattern_of_its_own(
    charted, subtests
):
    for theme in THEMES:
        charted.emulate_media(color_scheme=theme)
        with subtests.test(theme=theme):
            ground = charted.evaluate(GROUND)
            lines = painted(charted, ".chart .line", "stroke")
            words = painted(charted, ".chart text:not(.initial)", "fill")

            assert len(lines) >= 10
            assert [] == [colour for colour in lines if contrast(colour, ground) < 3]
            assert [] == [colour for colour in words if contrast(colour, ground) < 4.5]
            circles, initials = (painted(charted, f".chart .{part}", "fill") for part in ("dot", "initial"))
            assert [] == [pair for pair in zip(circles, initials, strict=True) if contrast(*pair) < 4.5]
            for colour in range(1, 9):
                charted.evaluate(RECOLOUR, colour)
                assert contrast(painted(charted, ".chart .line", "stroke")[0], ground) >= 3, colour
    dashes = [line["dash"] for line in charted.locator(".chart").first.evaluate(DASHES)]
    assert sorted(set(dashes)) == sorted(dashes)


def test_every_chart_has_a_table_of_its_values(charted):
    for figure in charted.locator("figure.chart").all():
        assert not figure.locator("table").is_visible()
        figure.locator("summary").tap()
        expect(figure.locator("table")).to_be_visible()
        assert figure.locator("tbody tr").count() > 6
