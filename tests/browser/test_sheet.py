"""The sheet: what opens over it, the newest rounds of eight people in view, and all rounds on paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.dead_spots import lead_to
from tests.browser.gallery import pick
from tests.browser.nights import begin, play
from tests.browser.screens import FACES, TOTALS
from tests.browser.test_layout import measure
from tests.browser.watched import EIGHT
from tests.worlds import make_table

LONG_SIZES = ((390, 844, 8), (320, 568, 2), (740, 360, 2), (844, 390, 3))


def test_a_face_and_the_pot_open_a_sheet_over_the_page(phone, page, owner, table, let_in):
    let_in(phone, owner)
    game = play(begin(table, owner, stake=100), owner, "round ana out beto=50 caro=20 dani=8")
    lead_to(page, f"/g/{game.code}/")
    page.locator(".who[title=Beto]").tap()
    page.locator("#of-beto button[name=deal-player]").tap()
    expect(page.locator("[data-now=dealer]")).to_have_text("Beto")
    expect(page.locator("#of-beto")).to_be_hidden()
    page.locator(".pot").tap()
    expect(page.locator("#money summary .figure").first).to_be_visible()


ROUNDS = 9
# The numbers of the rounds that are fully visible.
SEEN = """() => {
    const body = document.querySelector(".score tbody[data-scroll-end]"), edge = body.getBoundingClientRect();
    const isSeen = ({ top, bottom }) => top >= edge.top - 1 && bottom <= Math.min(edge.bottom, innerHeight) + 1;
    return [...body.rows].filter(row => isSeen(row.getBoundingClientRect()))
        .map(row => row.cells[0].innerText).filter(Boolean).map(Number);
}"""


@pytest.mark.parametrize(
    ("width", "height", "least"),
    [(390, 664, 5), (360, 640, 4), *(pytest.param(*size, marks=pytest.mark.long) for size in LONG_SIZES)],
)
def test_the_newest_rounds_of_eight_people_are_visible_and_everything_fits(
    scorer, owner, width, height, least
):
    game = begin(make_table(owner, people=EIGHT), owner, variant="chinchon", packs=2, stake=1000)
    first, *others = (name.lower() for name in EIGHT)
    line = f"round {first} cut {first}=1 " + " ".join(f"{name}=5" for name in others)
    play(game, owner, *[line] * (ROUNDS - 1), f'adjust {first}=+10 "se paró"', line)
    scorer.page.set_viewport_size({"width": width, "height": height})
    scorer.page.goto(f"/g/{game.code}/")

    seen = scorer.page.evaluate(SEEN)
    assert list(range(ROUNDS + 1 - len(seen), ROUNDS + 1)) == seen
    assert least <= len(seen)
    assert [] == measure(scorer.page, TOTALS, FACES, "#last button")


# The narrowest space between the texts under two neighbouring totals.
SPACE = """() => {
    const textOf = (box) => { const range = new Range(); range.selectNodeContents(box); return range; };
    const boxes = [...document.querySelectorAll("tfoot .margin")].map(box => textOf(box).getBoundingClientRect());
    return Math.min(...boxes.slice(1).map(({ left }, place) => left - boxes[place].right));
}"""


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 664)])
def test_what_two_neighbours_are_behind_stands_apart(scorer, owner, table, width, height):
    game = begin(table, owner, variant="carioca_ar")
    play(game, owner, "round ana out beto=25 caro=23 dani=57", "round beto out ana=23 caro=4 dani=28")
    scorer.page.set_viewport_size({"width": width, "height": height})
    scorer.page.goto(f"/g/{game.code}/")
    expect(scorer.page.locator("tfoot .margin").nth(1)).to_have_text("a 2 de Ana")
    assert scorer.page.evaluate(SPACE) >= 4


def test_a_printed_sheet_has_every_round(phone, page, owner, let_in):
    let_in(phone, owner)
    pick(owner, "sheet", crowded=True).show(page)
    page.emulate_media(media="print")
    assert page.locator(".score tbody[data-scroll-end]").evaluate(
        "rows => rows.scrollHeight <= rows.clientHeight + 1"
    )
    expect(page.locator(".dock")).to_be_hidden()
