"""Every screen at every stage fits its phones, can be printed and passes the accessibility checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from playwright.sync_api import Page

from tests.browser.gallery import all_screens
from tests.browser.screens import Screen, font_size, resize
from tests.browser.test_accessibility import axe_problems
from tests.browser.test_layout import measure

Size = tuple[int, int]
PHONES = ((390, 664), (360, 640))  # the size that the browser's bars leave
TALL = ((390, 844), (412, 915))
# The two screens of a round are used on the smallest phone, and in landscape.
SMALL = ((320, 640), (740, 360), (844, 390))
ON_SMALL = ("sheet", "entry")
TABLETS = ((1280, 800), (800, 1280))  # used as a board on the table
LARGE = (24, 32)  # px; font sizes of readers with impaired sight
SOMEWHAT_LARGE = (18, 20)  # px; not yet large enough that the page scrolls as a whole
WIDE = 18.75  # em; the width below which a page gets narrower (base/large_text.css)
# The same phones with the text set to 200 %: half as many CSS pixels.
TWICE = ((180, 370), (422, 195))
# Returns the texts that are pale on white although their ground is not printed, in this theme.
PALE = """(theme) => {
    document.documentElement.dataset.theme = theme;
    const light = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const contrast = (color) => {
        const [red, green, blue] = color.match(/[\\d.]+/g).map((part) => light(part / 255));
        return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
    };
    const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const pale = [...document.querySelectorAll("main *")]
        .filter((one) => one.checkVisibility() && hasText(one) && !one.closest(".vh, .name[aria-hidden]"))
        .filter((one) => contrast(getComputedStyle(one).color) < 4.5)
        .filter((one) => getComputedStyle(one).printColorAdjust !== "exact")
        .map((one) => `${one.className}: ${one.textContent.trim().slice(0, 40)}`);
    const paper = getComputedStyle(document.documentElement).getPropertyValue("--paper");
    delete document.documentElement.dataset.theme;
    return paper === "#faf6ec" ? pale : [`the paper is ${paper}`];
}"""
BACK = "() => { scrollTo(0, 0); document.querySelectorAll('.score, .body').forEach((box) => box.scrollTo(0, 0)); }"

LANGUAGES = [code for code, _name in settings.LANGUAGES]
OURS = LANGUAGES[0]
in_every_language = pytest.mark.parametrize("language", LANGUAGES)
usual_and_crowded = pytest.mark.parametrize("crowded", [False, True], ids=["usual", "crowded"])

Walk = Callable[..., Iterator[tuple[Screen, Page]]]


@pytest.fixture
def open_page(open_phone, let_in, owner: User) -> Callable[..., Page]:
    """`open_page("en")` is the owner's page in this language; with `user=None`, a stranger's."""

    def opened(language: str, *, user: User | None = owner, **options: Any) -> Page:
        # Reduced motion: a moving element has no final position to measure.
        phone = open_phone(reduced_motion="reduce", locale=language, **options)
        if user:
            let_in(phone, user)
        page: Page = phone.new_page()
        return page

    return opened


@pytest.fixture
def walk(open_page, owner: User, forgive) -> Walk:
    """`walk(crowded=True, languages=["es", "en"])` shows every screen to its user, in each language in turn.

    With `part`, it shows only that slice of them.
    """
    forgive("status of 404|status of 503")
    cache.clear()  # it counts imports, and survives a test

    def pages(
        *, crowded: bool, languages: Sequence[str], part: slice = slice(None), **options: Any
    ) -> Iterator[tuple[Screen, Page]]:
        pages_by_reader = {
            (language, not user): open_page(language, user=user, **options)
            for language in languages
            for user in (owner, None)
        }
        for number, screen in enumerate(all_screens(owner, crowded=crowded)[part]):
            page = pages_by_reader[languages[number % len(languages)], screen.is_strangers]
            resize(page, *PHONES[0])
            screen.show(page)
            yield screen, page

    return pages


def layout_problems(screen: Screen, page: Page, sizes: Sequence[Size], **how: bool) -> Iterator[str]:
    """Yield the layout problems of a screen at these sizes; `how` are options of `measure`."""
    for width, height in sizes:
        resize(page, width, height)
        page.evaluate(BACK)
        is_scrolled = (width, height) in SMALL and not screen.name.startswith(ON_SMALL)
        reachable = screen.reachable if width > height else screen.reachable + screen.upright
        for problem in measure(page, *reachable, scrolled=is_scrolled, **how):
            yield f"{screen.name}, {width} × {height}: {problem}"


def print_problems(screen: Screen, page: Page, theme: str) -> Iterator[str]:
    """Yield what could not be read on paper, where browsers leave out the grounds of letters."""
    page.emulate_media(media="print")
    for text in page.evaluate(PALE, theme):
        yield f"{screen.name}, printed from {theme}: {text}"
    page.emulate_media(media="screen")


def screen_sizes(screen: Screen) -> Sequence[Size]:
    if screen.name.startswith("board"):
        return PHONES + TABLETS
    return PHONES + SMALL if screen.name.startswith(ON_SMALL) else PHONES


@pytest.mark.long
@in_every_language
@usual_and_crowded
def test_every_screen_fits_its_phones_in_every_language(walk, crowded, language):
    problems: list[str] = []
    for screen, page in walk(crowded=crowded, languages=[language]):
        problems += layout_problems(screen, page, PHONES + SMALL + TALL)
        for letters in LARGE:
            with font_size(page, letters):
                problems += layout_problems(screen, page, PHONES + SMALL, large=True)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("crowded", "theme", "part"),
    [
        pytest.param(False, "light", slice(0, None, 4), id="every fourth in the light"),
        *(
            pytest.param(crowded, theme, slice(None), id=f"all {words}", marks=pytest.mark.long)
            for crowded, theme, words in (
                (False, "light", "in the light"),
                (True, "dark", "crowded in the dark"),
                (True, "light", "crowded in the light"),
                (False, "dark", "in the dark"),
            )
        ),
    ],
)
def test_every_screen_fits_its_phones_and_paper_and_is_accessible(
    walk, axe_source, open_page, crowded, theme, part
):
    """Show the usual screens in Argentina, also with text at twice its size, and the crowded ones in a
    different language each.

    The pads have larger letters in Argentina too.
    """
    problems: list[str] = []
    languages = LANGUAGES[1:] if crowded else [OURS]
    pad = open_page(OURS, color_scheme=theme)
    for screen, page in walk(crowded=crowded, languages=languages, part=part, color_scheme=theme):
        page.evaluate(axe_source)
        problems += [f"{screen.name}: {complaint}" for complaint in axe_problems(page)]
        problems += print_problems(screen, page, "dark" if crowded else "day")
        problems += layout_problems(screen, page, screen_sizes(screen))
        if not crowded:
            problems += layout_problems(screen, page, TWICE, zoomed=True)
        elif screen.name.startswith("entry-"):
            resize(pad, *PHONES[0])
            screen.show(pad)
        for letters in SOMEWHAT_LARGE if screen.name.startswith("entry-") else ():
            entry_page = pad if crowded else page
            with font_size(entry_page, letters):
                problems += layout_problems(
                    screen, entry_page, [size for size in PHONES if size[0] > WIDE * letters]
                )
    assert not problems, "\n".join(problems)
