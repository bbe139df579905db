"""Every screen on every phone: nothing cut, nothing over anything else, everything one came for in reach of a thumb."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.gallery import hang

MEASURE = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")
PHONES = ((390, 844), (360, 740))
# The two screens of a round are used on the smallest phone, and with the phone on its side.
SMALL = ((320, 640), (740, 360), (844, 390))
ON_SMALL = ("sheet", "entry")
# The same phones where everything is twice as large: what their owner sees who has set the text to 200 %.
TWICE = ((195, 422), (180, 370), (422, 195))
BACK = (
    "() => { scrollTo(0, 0); document.querySelectorAll('.score').forEach((sheet) => sheet.scrollTo(0, 0)); }"
)
THEMES = ("light", "dark")
LANGUAGES = ("es-AR", "en-US")


def measure(page: Page, *reachable: str, twice: bool = False) -> list[str]:
    """What is wrong with the page as it stands."""
    problems: list[str] = page.evaluate(MEASURE, {"reachable": reachable, "twice": twice})
    return problems


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("crowded", [False, True], ids=["usual", "crowded"])
def test_nothing_is_cut_covered_or_out_of_reach(open_phone, owner, let_in, forgive, language, crowded):
    forgive("status of 404")
    stranger, friend = open_phone(locale=language), open_phone(locale=language)
    let_in(friend, owner)
    pages = {True: stranger.new_page(), False: friend.new_page()}
    problems = []
    for screen in hang(owner, crowded=crowded):
        page = pages[screen.is_strangers]
        page.set_viewport_size({"width": PHONES[0][0], "height": PHONES[0][1]})
        screen.show(page)
        sizes = PHONES + SMALL if screen.name.startswith(ON_SMALL) else PHONES
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                where = f"{screen.name}, {width} × {height}, {theme}"
                problems += [f"{where}: {problem}" for problem in measure(page, *screen.reachable)]
    assert not problems, "\n".join(problems)


def test_text_of_twice_the_size_leaves_everything_whole_and_in_reach(open_phone, owner, let_in, forgive):
    forgive("status of 404")
    stranger, friend = open_phone(locale="es-AR"), open_phone(locale="es-AR")
    let_in(friend, owner)
    pages = {True: stranger.new_page(), False: friend.new_page()}
    problems = []
    for screen in hang(owner):
        page = pages[screen.is_strangers]
        page.set_viewport_size({"width": PHONES[0][0], "height": PHONES[0][1]})
        screen.show(page)
        for width, height in TWICE:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(BACK)
            where = f"{screen.name}, {width} × {height}"
            problems += [f"{where}: {problem}" for problem in measure(page, *screen.reachable, twice=True)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("defect", "complaint"),
    [
        (
            "one('.pill:not([hidden])').style.cssText = 'width: 40px; overflow: hidden; white-space: nowrap'",
            "cut sideways",
        ),
        ("one('.margin').style.cssText = 'height: 4px; overflow: hidden'", "cut below"),
        (
            "one('.who').title = 'Somebody'; one('.who .name').textContent = 'Maximilianosebastian'",
            "cut name",
        ),
        ("one('.margin').style.cssText = 'position: relative; top: -18px'", "one over the other"),
        ("one('.strip').style.width = '500px'", "out of the screen"),
        ("one('.dock').style.marginBottom = '-80px'", "out of reach"),
        ("one('tfoot').style.cssText = 'position: relative; top: 900px'", "out of reach"),
        ("one('.dock .go').remove()", "missing"),
        ("one('.bar .icon').style.width = '30px'", "too small to tap"),
    ],
)
def test_each_measure_notices_its_defect(phone, page, owner, let_in, defect, complaint):
    let_in(phone, owner)
    screen = next(screen for screen in hang(owner) if screen.name == "sheet")
    screen.show(page)
    assert [] == measure(page, *screen.reachable)
    page.evaluate(f"() => {{ const one = (selector) => document.querySelector(selector); {defect}; }}")
    assert any(problem.startswith(complaint) for problem in measure(page, *screen.reachable))
