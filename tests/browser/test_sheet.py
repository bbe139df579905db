"""The sheet on phones of several widths and font sizes: totals, names, eight rounds, and the race below."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.dead_spots import lead_to
from tests.browser.gallery import pick
from tests.browser.nights import begin, play
from tests.browser.screens import FACES, TOTALS
from tests.browser.test_layout import measure
from tests.browser.watched import EIGHT
from tests.worlds import make_table

LONG_SIZES = ((390, 844, 8), (320, 568, 2), (740, 360, 2), (844, 390, 3))
PHONES = ((360, 640), (390, 664), (412, 800))
# The distance of every total's centre from that of its player's name, and the heights of the totals.
PLACES = """() => {
    const middle = (element) => { const box = element.getBoundingClientRect(); return (box.left + box.right) / 2; };
    const names = [...document.querySelectorAll(".score .who")];
    const totals = [...document.querySelectorAll(".score .total")];
    return {
        beside: totals.map((total, seat) => Math.round(Math.abs(middle(total) - middle(names[seat])))),
        tops: totals.map((total) => Math.round(total.getBoundingClientRect().bottom)),
        wider: totals.filter((total) => total.offsetWidth > total.parentElement.offsetWidth).length,
    };
}"""


@pytest.fixture
def open_sheet(open_phone, owner, let_in):
    """Return a function that opens a screen on a phone with this font size."""

    def opened(name: str, letters: int) -> Page:
        phone = open_phone(reduced_motion="reduce", letters=letters)
        let_in(phone, owner)
        page: Page = phone.new_page()
        pick(owner, name).show(page)
        return page

    return opened


@pytest.mark.parametrize("letters", [16, pytest.param(24, marks=pytest.mark.long), 32])
def test_every_total_is_in_the_column_of_its_name(open_sheet, letters, subtests):
    page = open_sheet("sheet-contracts-over", letters)
    for width, height in PHONES:
        with subtests.test(width=width):
            page.set_viewport_size({"width": width, "height": height})
            places = page.evaluate(PLACES)

            assert 5 == len(places["tops"])
            assert {0, 1} >= set(places["beside"])
            assert 1 >= max(places["tops"]) - min(places["tops"])
            assert 0 == places["wider"]


# The number of names that are shortened though they would fit, or whole though they do not.
NAMES = """() => [...document.querySelectorAll(".fitted")].filter((box) => box.checkVisibility()).map((box) => {
    const whole = box.querySelector(".whole");
    const isSeen = whole.offsetTop < whole.offsetHeight / 2;
    const room = box.getBoundingClientRect().width - whole.getBoundingClientRect().width;
    return isSeen ? room > -0.1 : room < 0.1;
}).filter((isRight) => !isRight).length"""


def test_a_name_is_shortened_only_if_it_does_not_fit(phone, page, owner, let_in, subtests):
    let_in(phone, owner)
    people = ("Carolina", "Carolita", "Maximiliano", "Eva", "Gabriela", "Hugo")
    game = begin(make_table(owner, people=people), owner, variant="chinchon", packs=2)
    page.goto(f"/g/{game.code}/")
    for width in (320, 360, 390, 412, 560, 768):
        with subtests.test(width=width):
            page.set_viewport_size({"width": width, "height": 700})
            assert 2 <= page.locator(".who .fitted").count()
            assert 0 == page.evaluate(NAMES)
    assert "Maximiliano" == page.locator(".who .whole:text-is('Maximiliano')").inner_text()


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
    const body = document.querySelector(".score tbody"), edge = body.getBoundingClientRect();
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
    assert [] == measure(scorer.page, TOTALS, FACES, ".undo button")
