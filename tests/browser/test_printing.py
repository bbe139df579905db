"""The print layout of pages that people keep: the whole page, nothing clipped, and no controls."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gallery import LONG_PEOPLE, LONG_TABLE, hang
from tests.browser.nights import ids, play
from tests.worlds import make_table, start

SHEETS = ("sheet", "sheet-over")
PRINTED = (*SHEETS, "accounts", "night", "rules", "season", "settlement")
A4_WIDTH, A4_HEIGHT = 794, 1123  # in CSS pixels
# A tick beside a payment stays: it shows that the payment was made, and a pen may add one.
# A name above a column and the pot are buttons that tell something themselves.
CONTROLS = ".dock, .tabs, .btn, .icon, .toast, .chip, button:not(.tick, .who, .pot), input, select, textarea"
VISIBLE = "(controls) => controls.filter((control) => control.checkVisibility()).map((c) => c.outerHTML)"
# Elements whose content is larger than the box that clips it, or that end beside the sheet of paper.
CLIPPED = """() => [...document.querySelectorAll("#main, #main *")]
  .filter((box) => box.checkVisibility() && !box.closest("svg, .vh"))
  .filter((box) => {
    const { overflowX, overflowY } = getComputedStyle(box);
    const isWide = overflowX !== "visible" && box.scrollWidth > box.clientWidth + 1;
    const isHigh = overflowY !== "visible" && box.scrollHeight > box.clientHeight + 1;
    return isWide || isHigh || box.getBoundingClientRect().right > innerWidth + 1;
  })
  .map((box) => box.outerHTML.slice(0, 200))"""
# Labels of an input that is not printed, and headings without printed content below them.
ALONE = """() => [...document.querySelectorAll("#main :is(label, h2)")]
  .filter((title) => title.checkVisibility() && !title.closest(".vh"))
  .filter((title) => {
    const below = title.nextElementSibling;
    return title.matches("label") || !below || below.matches("h2") || !below.innerText?.trim();
  })
  .map((title) => title.outerHTML)"""
LAST = """() => Math.max(...[...document.querySelectorAll("#main *")]
  .filter((box) => box.checkVisibility() && !box.closest(".vh"))
  .map((box) => box.getBoundingClientRect().bottom + scrollY))"""


def sheets(page: Page) -> int:
    """Return the number of sheets of A4 that the page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


@pytest.mark.parametrize("crowded", [False, True])
def test_printed_pages_are_complete_and_without_controls(open_phone, owner, let_in, forgive, crowded):
    forgive("status of 404")
    phone = open_phone(locale="es-AR")
    let_in(phone, owner)
    page = phone.new_page()
    printed = []
    for screen in hang(owner, crowded=crowded):
        if screen.name not in PRINTED:
            continue
        screen.show(page)
        taken = sheets(page)
        page.set_viewport_size({"width": A4_WIDTH, "height": A4_HEIGHT})
        page.emulate_media(media="print", color_scheme="dark")
        height = page.evaluate("document.documentElement.scrollHeight")
        clipped, last = page.evaluate(CLIPPED), page.evaluate(LAST)
        alone, controls = page.evaluate(ALONE), page.locator(CONTROLS).evaluate_all(VISIBLE)
        page.emulate_media(media="null")  # an emulated screen would otherwise be printed next
        printed.append(screen.name)

        assert ([], [], []) == (clipped, alone, controls), screen.name
        assert last <= height + 1, screen.name
        assert taken >= height // A4_HEIGHT, screen.name
        assert taken == 1 or screen.name not in SHEETS, screen.name
    assert sorted(PRINTED) == sorted(printed)


def test_a_game_of_fifty_rounds_and_eight_players_prints_on_one_page(open_phone, owner, let_in):
    table = make_table(owner, people=(*LONG_PEOPLE, "Fito", "Gabriela", "Hugo"), name=LONG_TABLE)
    game = start(table, owner, variant="chinchon", packs=2, out_at=500)
    first, *others = ids(table)
    hands = " ".join(f"{player}=8" for player in others)
    play(game, owner, " ; ".join([f"round {first} cut {first}=1 {hands}"] * 50))
    phone = open_phone(locale="es-AR")
    let_in(phone, owner)
    page = phone.new_page()
    page.goto(f"/g/{game.code}/")
    taken = sheets(page)
    page.set_viewport_size({"width": A4_WIDTH, "height": A4_HEIGHT})
    page.emulate_media(media="print")

    assert 1 == taken
    assert [] == page.evaluate(CLIPPED)
    for row in (0, 49):
        expect(page.locator("#sheet tbody tr").nth(row)).to_be_visible()
