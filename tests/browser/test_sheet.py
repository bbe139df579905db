"""The sheet: panels that open over it, the newest rounds of eight people in view, and all rounds on paper."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.gallery import select_screens
from tests.browser.game_setup import begin, play
from tests.browser.offline_steps import open_online
from tests.browser.screens import FACES, TOTALS
from tests.browser.test_layout import measure
from tests.browser.watch_screens import EIGHT
from tests.factories import make_table

# Phones, and the minimum number of visible rounds on each.
LEAST = {(390, 664): 5, (360, 640): 4, (390, 844): 8, (320, 568): 2, (740, 360): 2, (844, 390): 3}


def test_a_face_and_the_pot_open_a_sheet_over_the_page(page, signed_in, owner, table):
    game = play(begin(table, owner, stake=100), owner, "round ana out beto=50 caro=20 dani=8")
    open_online(page, f"/g/{game.code}/")
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


def test_the_newest_rounds_of_eight_people_are_visible_and_everything_fits(scorer, owner, subtests):
    game = begin(make_table(owner, people=EIGHT), owner, variant="chinchon", packs=2, stake=1000)
    first, *others = (name.lower() for name in EIGHT)
    line = f"round {first} cut {first}=1 " + " ".join(f"{name}=5" for name in others)
    play(game, owner, *[line] * (ROUNDS - 1), f'adjust {first}=+10 "se paró"', line)
    for (width, height), least in LEAST.items():
        with subtests.test(width=width, height=height):
            scorer.page.set_viewport_size({"width": width, "height": height})
            scorer.page.goto(f"/g/{game.code}/")
            seen = scorer.page.evaluate(SEEN)
            assert list(range(ROUNDS + 1 - len(seen), ROUNDS + 1)) == seen
            assert least <= len(seen)
            assert [] == measure(scorer.page, TOTALS, FACES, "#last button")


# The narrowest space between the texts under two neighboring totals.
SPACE = """() => {
    const textOf = (box) => { const range = new Range(); range.selectNodeContents(box); return range; };
    const boxes = [...document.querySelectorAll("tfoot .margin")].map(box => textOf(box).getBoundingClientRect());
    return Math.min(...boxes.slice(1).map(({ left }, place) => left - boxes[place].right));
}"""


def test_what_two_neighbours_are_behind_stands_apart(scorer, owner, table):
    game = begin(table, owner, variant="carioca_ar")
    play(game, owner, "round ana out beto=25 caro=23 dani=57", "round beto out ana=23 caro=4 dani=28")
    scorer.page.goto(f"/g/{game.code}/")
    expect(scorer.page.locator("tfoot .margin").nth(1)).to_have_text("a 2 de Ana")
    for width, height in ((360, 640), (390, 664)):
        scorer.page.set_viewport_size({"width": width, "height": height})
        assert scorer.page.evaluate(SPACE) >= 4


def test_a_printed_sheet_has_every_round(page, signed_in, owner):
    [sheet] = select_screens(owner, "sheet", crowded=True)
    sheet.show(page)
    page.emulate_media(media="print")
    assert page.locator(".score tbody[data-scroll-end]").evaluate(
        "rows => rows.scrollHeight <= rows.clientHeight + 1"
    )
    expect(page.locator(".dock")).to_be_hidden()
