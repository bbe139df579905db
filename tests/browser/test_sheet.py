"""The sheet: panels that open over it, the newest rounds of eight people in view, and all rounds on paper.

`play/views/test_sheet.py` has the sheet's contents.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.gallery import select_screens
from tests.browser.game_setup import begin, play
from tests.browser.offline_steps import open_online
from tests.browser.screens import FACES, TOTALS
from tests.browser.test_layout import measure
from tests.browser.watch_screens import EIGHT
from tests.factories import make_table

# Phones, and the minimum number of visible rounds on each.
LEAST = {(390, 664): 4, (360, 640): 4, (390, 844): 8, (320, 568): 2, (740, 360): 2, (844, 390): 3}


def test_a_face_and_the_pot_open_a_sheet_over_the_page(page, signed_in, owner, table):
    game = play(begin(table, owner, stake=100), owner, "round ana out beto=50 caro=20 dani=8")
    open_online(page, f"/g/{game.code}/")
    page.locator(".who[title=Beto]").tap()
    page.locator("#of-beto button[name=deal-player]").tap()
    expect(page.locator("[data-now=dealer]")).to_have_text("Beto")
    expect(page.locator("#of-beto")).to_be_hidden()
    page.locator(".pot").tap()
    expect(page.locator("#money summary .figure").first).to_be_visible()


ROUNDS, ROUNDS_OF_FIVE = 9, 12
# The numbers of the rounds that are fully visible.
SEEN = """() => {
    const body = document.querySelector(".score tbody[data-scroll-end]"), edge = body.getBoundingClientRect();
    const isSeen = ({ top, bottom }) => top >= edge.top - 1 && bottom <= Math.min(edge.bottom, innerHeight) + 1;
    return [...body.rows].filter(row => isSeen(row.getBoundingClientRect()))
        .map(row => row.cells[0].innerText).filter(Boolean).map(Number);
}"""


@pytest.mark.long
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


FIVE = ("Ana", "Beto", "Caro", "Dani", "Mariela")
GLASSES = "glasses => Math.min(...glasses.map(({ clientHeight }) => clientHeight))"
HEIGHTS = "rows => rows.filter(row => row.checkVisibility()).map(row => row.offsetHeight)"


@pytest.fixture
def twelve_rounds(owner):
    """A game of five after twelve rounds. Ana came back after the tenth."""
    game = begin(make_table(owner, people=FIVE), owner, stake=1000)
    lines = [
        f"round {closer} out " + " ".join(f"{name}={points + place}" for place, name in enumerate(others))
        for points in (3, 2, 1)
        for closer in ("beto", "caro", "dani")
        for others in [[name for name in ("ana", "beto", "caro", "dani", "mariela") if name != closer]]
    ]
    bust = "round mariela out ana=83 beto=5 caro=4 dani=6"
    last = ("round beto out ana=7 caro=5 dani=3 mariela=9", "round caro out ana=1 beto=8 dani=6 mariela=2")
    return play(game, owner, *lines, bust, "reenter ana", *last)


@pytest.mark.long
def test_the_oldest_rounds_of_five_fold_into_one_row_and_the_glasses_stay_high(scorer, twelve_rounds):
    """On a low phone, twelve rounds leave 64 px for each glass, and the fold opens all of them."""
    page = scorer.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"/g/{twelve_rounds.code}/")
    seen = page.evaluate(SEEN)
    fold = page.locator(".folds > :visible")
    expect(fold.locator("summary")).to_contain_text(f"1–{ROUNDS_OF_FIVE - len(seen)}")
    assert list(range(ROUNDS_OF_FIVE + 1 - len(seen), ROUNDS_OF_FIVE + 1)) == seen
    assert 5 <= len(seen)
    assert 64 <= page.locator("svg.glass").evaluate_all(GLASSES)
    assert 24 <= min(page.locator("[data-scroll-end] > tr").evaluate_all(HEIGHTS))
    assert [] == measure(page, TOTALS, FACES)

    fold.locator("summary").tap()

    heights = page.locator("[data-scroll-end] > tr").evaluate_all(HEIGHTS)
    assert (ROUNDS_OF_FIVE, 48) == (len(heights), min(heights))
    assert 64 <= page.locator("svg.glass").evaluate_all(GLASSES)
    page.locator("[data-scroll-end] a.cell").first.scroll_into_view_if_needed()
    assert 1 in page.evaluate(SEEN)


COMES_BACK = ("round ana cut ana=1 beto=91 caro=2 dani=2 mariela=2", "reenter beto")


@pytest.mark.long
def test_a_round_after_which_somebody_came_back_is_as_low_as_any(scorer, owner, subtests):
    """Nine of ten rounds have a note, and none of the newest ends behind the fold of the oldest."""
    game = begin(make_table(owner, people=FIVE), owner, variant="chinchon", stake=1000)
    play(game, owner, "round ana cut ana=1 beto=10 caro=10 dani=10 mariela=10", *COMES_BACK * 9)
    for width, height in ((360, 640), (390, 664)):
        with subtests.test(width=width, height=height):
            scorer.page.set_viewport_size({"width": width, "height": height})
            scorer.page.goto(f"/g/{game.code}/")
            seen = scorer.page.evaluate(SEEN)
            fold = scorer.page.locator(".folds > :visible")
            expect(fold.locator("summary")).to_contain_text(f"1–{10 - len(seen)}")
            assert list(range(11 - len(seen), 11)) == seen
            assert [] == measure(scorer.page, TOTALS, FACES)


@pytest.mark.long
def test_a_low_row_is_one_target_that_opens_its_round(scorer, twelve_rounds):
    page = scorer.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"/g/{twelve_rounds.code}/")
    row = page.locator("[data-scroll-end] > tr").last
    row.locator("a.cell").nth(3).tap(force=True)
    page.wait_for_url(f"**/g/{twelve_rounds.code}/correct/{twelve_rounds.records.count()}/")


@pytest.mark.long
def test_a_row_is_as_high_as_the_sheet_allows(scorer, owner, table):
    """The first rounds have 48 px each, and four cells that open a hand each."""
    game = play(begin(table, owner, stake=1000), owner, "round ana out beto=5 caro=2 dani=8")
    scorer.page.set_viewport_size({"width": 390, "height": 664})
    scorer.page.goto(f"/g/{game.code}/")
    assert [48] == scorer.page.locator("[data-scroll-end] > tr").evaluate_all(HEIGHTS)
    scorer.page.locator("a.cell").nth(2).tap()
    scorer.page.wait_for_url("**/correct/2/?hand=caro")


BELOW_THE_TOTALS = """() => {
    const bottom = (name) => document.querySelector(name).getBoundingClientRect().bottom;
    return Math.round(bottom(".score > table") - bottom(".score tfoot"));
}"""


@pytest.mark.long
def test_the_paper_ends_below_the_totals_also_where_there_is_no_room_for_glasses(scorer, owner, table):
    """Such as above a notice, before the first round."""
    game = begin(table, owner, stake=100)
    page = scorer.page
    page.goto(f"/g/{game.code}/")
    for height, has_glasses in ((640, True), (540, False)):
        page.set_viewport_size({"width": 360, "height": height})
        assert has_glasses == page.locator(".score .glasses").is_visible()
        assert 1 == page.evaluate(BELOW_THE_TOTALS)


@pytest.mark.long
def test_the_fold_opens_without_scripts(open_phone, let_in, owner, twelve_rounds):
    phone = open_phone(viewport={"width": 360, "height": 640}, java_script_enabled=False)
    let_in(phone, owner)
    page = phone.new_page()
    page.goto(f"/g/{twelve_rounds.code}/")
    expect(page.locator("a.cell").first).to_be_hidden()
    page.locator(".folds > :visible summary").tap()
    expect(page.locator("a.cell").first).to_be_visible()


# The narrowest space between the texts under two neighboring totals.
SPACE = """() => {
    const textOf = (box) => { const range = new Range(); range.selectNodeContents(box); return range; };
    const boxes = [...document.querySelectorAll("tfoot .margin")].map(box => textOf(box).getBoundingClientRect());
    return Math.min(...boxes.slice(1).map(({ left }, place) => left - boxes[place].right));
}"""


@pytest.mark.long
def test_what_two_neighbours_are_behind_stands_apart(scorer, owner, table):
    game = begin(table, owner, variant="carioca_ar")
    play(game, owner, "round ana out beto=25 caro=23 dani=57", "round beto out ana=23 caro=4 dani=28")
    scorer.page.goto(f"/g/{game.code}/")
    expect(scorer.page.locator("tfoot .margin").nth(1)).to_have_text("a 2 de Ana")
    for width, height in ((360, 640), (390, 664)):
        scorer.page.set_viewport_size({"width": width, "height": height})
        assert scorer.page.evaluate(SPACE) >= 4


@pytest.mark.long
def test_a_printed_sheet_has_every_round(page, signed_in, owner):
    [sheet] = select_screens(owner, "sheet", crowded=True)
    sheet.show(page)
    page.emulate_media(media="print")
    assert page.locator(".score tbody[data-scroll-end]").evaluate(
        "rows => rows.scrollHeight <= rows.clientHeight + 1"
    )
    rows = page.locator("[data-scroll-end] > tr")
    assert rows.count() == len(rows.evaluate_all(HEIGHTS))
    assert [] == page.locator(".folds > tr").evaluate_all(HEIGHTS)
    expect(page.locator(".dock")).to_be_hidden()
