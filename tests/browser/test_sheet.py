"""The sheet on phones of several widths and font sizes: totals, names, eight rounds, and the race below."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gallery import pick
from tests.browser.nights import play
from tests.browser.watched import EIGHT, begin, ids
from tests.worlds import make_table

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


@pytest.mark.parametrize("letters", [16, 24, 32])
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


# The number of rows of rounds that are fully visible between the head and the totals, and of those that are
# cut.
WHOLE_ROWS = """() => {
    const box = document.querySelector(".score tbody").getBoundingClientRect();
    return [...document.querySelectorAll(".score tbody tr")]
        .map((row) => row.getBoundingClientRect())
        .filter(({ top, bottom }) => top >= box.top - 1 && bottom <= box.bottom + 1 && bottom <= innerHeight).length;
}"""
# The number of names that are shortened though they would fit, or whole though they do not.
NAMES = """() => [...document.querySelectorAll(".fitted")].filter((box) => box.checkVisibility()).map((box) => {
    const whole = box.querySelector(".whole");
    const isSeen = whole.offsetTop < whole.offsetHeight / 2;
    const room = box.getBoundingClientRect().width - whole.getBoundingClientRect().width;
    return isSeen ? room > -0.1 : room < 0.1;
}).filter((isRight) => !isRight).length"""


def test_eight_rounds_of_eight_people_are_visible_on_a_low_phone(phone, page, owner, let_in):
    let_in(phone, owner)
    table = make_table(owner, people=EIGHT, name="Los ocho")
    game = begin(table, owner, "chinchon", 8, packs=2, stake=1000)
    closer, *others = ids(table)
    for _round in range(8):
        play(game, owner, f"round {closer} cut {closer}=0 " + " ".join(f"{player}=9" for player in others))
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"/g/{game.code}/")

    assert 8 == page.evaluate(WHOLE_ROWS)


def test_a_name_is_shortened_only_if_it_does_not_fit(phone, page, owner, let_in, subtests):
    let_in(phone, owner)
    people = ("Carolina", "Carolita", "Maximiliano", "Eva", "Gabriela", "Hugo")
    game = begin(make_table(owner, people=people), owner, "chinchon", 6, packs=2)
    page.goto(f"/g/{game.code}/")
    for width in (320, 360, 390, 412, 560, 768):
        with subtests.test(width=width):
            page.set_viewport_size({"width": width, "height": 700})
            assert 2 <= page.locator(".who .fitted").count()
            assert 0 == page.evaluate(NAMES)
    assert "Maximiliano" == page.locator(".who .whole:text-is('Maximiliano')").inner_text()


def test_a_name_is_shortened_on_the_board_only_if_it_does_not_fit(phone, page, owner, let_in, subtests):
    let_in(phone, owner)
    people = ("Maximiliano Ezequiel", "Maximiliano Ezequias", "Eva", "Hugo")
    game = begin(make_table(owner, people=people), owner, "loba_menos", 4)
    page.goto(f"/g/{game.code}/board/")
    for width in (320, 360, 390, 412, 560, 768, 1024):
        with subtests.test(width=width):
            page.set_viewport_size({"width": width, "height": 700})
            assert 2 == page.locator(".spot .fitted").count()
            assert 0 == page.evaluate(NAMES)


def test_a_face_and_the_pot_open_a_sheet_over_the_page(phone, page, owner, table, let_in):
    let_in(phone, owner)
    game = play(
        begin(table, owner, "loba_menos", 4, stake=100), owner, "round ana out beto=50 caro=20 dani=8"
    )
    page.goto(f"/g/{game.code}/")
    page.locator(".who[title=Beto]").tap()
    page.locator("#of-beto button[name=deal-player]").tap()
    expect(page.locator("[data-now=dealer]")).to_have_text("Beto")
    page.locator(".pot").tap()
    expect(page.locator("#money summary .figure").first).to_be_visible()


# Collects the values that totals show while they count up.
COUNTS = """() => {
    window.counts = [];
    new MutationObserver((records) => {
        for (const { target } of records) if (target.dataset.counting) window.counts.push(Number(target.dataset.counting));
    }).observe(document.getElementById("main"), { subtree: true, attributeFilter: ["data-counting"] });
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_totals_count_up_after_a_round_unless_motion_is_reduced(motion, open_phone, owner, table, let_in):
    phone = open_phone(reduced_motion=motion)
    let_in(phone, owner)
    page = phone.new_page()
    game = play(begin(table, owner, "loba_menos", 4), owner, "round ana out beto=23 caro=29 dani=8")
    page.goto(f"/g/{game.code}/")
    page.wait_for_timeout(500)  # the scripts are loaded
    page.evaluate(COUNTS)
    play(game, owner, "round ana out beto=40 caro=2 dani=3")

    expect(page.locator(".score .total").nth(1)).to_have_text("63")
    expect(page.locator("[data-counting]")).to_have_count(0)
    counts = page.evaluate("window.counts")
    assert (motion == "no-preference") == any(23 < count < 63 for count in counts)
    assert {True} >= {0 <= count <= 63 for count in counts}
