"""The rail of tabs and the two panes: on a laptop, and on a phone in landscape."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.gallery import select_screens
from tests.browser.game_setup import begin, play
from tests.browser.screens import resize
from tests.browser.test_accessibility import axe_problems
from tests.browser.test_layout import measure
from tests.factories import make_table

PHONE, LANDSCAPE, LAPTOP, LOW_LAPTOP = (390, 664), (740, 360), (1280, 800), (1152, 640)
SCREENS = ("home", "accounts", "account-open", "season", "player", "lobby", "settlement-loba_mas")
PADS = ("entry-pad", "entry-mas-run", "entry-chinchon-seven", "entry-points")
# Whether the chosen tab has one ground behind its icon and its whole word.
IS_COVERED = """tab => {
    const range = new Range();
    range.selectNodeContents([...tab.childNodes].find(node => node.nodeType === Node.TEXT_NODE && node.data.trim()));
    const [box, word] = [tab.getBoundingClientRect(), range.getBoundingClientRect()];
    const isInside = box.left <= word.left && word.right <= box.right && box.top <= word.top && word.bottom <= box.bottom;
    return isInside && getComputedStyle(tab).backgroundColor !== "rgba(0, 0, 0, 0)";
}"""


def left_edge(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["x"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("sizes", "crowded"),
    [
        pytest.param([LAPTOP], True, id="crowded"),
        pytest.param([LANDSCAPE, LOW_LAPTOP], True, id="crowded, low", marks=pytest.mark.long),
        pytest.param([LAPTOP, LANDSCAPE, LOW_LAPTOP], False, id="usual", marks=pytest.mark.long),
    ],
)
def test_the_tabs_are_a_rail_and_the_chosen_one_covers_its_word(
    open_phone, let_in, owner, axe_source, sizes, crowded, subtests
):
    phone = open_phone(reduced_motion="reduce", color_scheme="dark" if crowded else "light")
    let_in(phone, owner)
    page = phone.new_page()
    for screen in select_screens(owner, *SCREENS, crowded=crowded):
        screen.show(page)
        page.evaluate(axe_source)
        for width, height in sizes:
            with subtests.test(screen.name, width=width):
                resize(page, width, height)
                assert [] == axe_problems(page)
                assert [] == measure(page)
                if page.locator(".tabs").count():
                    is_rail(page)


def is_rail(page):
    """Check that the tabs stand below one another, left of the page, and that nothing covers them."""
    tabs = [tab.bounding_box() for tab in page.locator(".tabs a").all()]
    assert [tabs[0]["x"]] * len(tabs) == [box["x"] for box in tabs]
    assert tabs[-1]["x"] + tabs[-1]["width"] < page.locator("main > .body").bounding_box()["x"]
    assert page.locator(".tabs [aria-current]").evaluate(IS_COVERED)
    assert [] == measure(page, ".tabs a")


@pytest.mark.long
def test_a_laptop_shows_the_accounts_with_their_reasons_and_the_season_in_two_panes(page, signed_in, owner):
    season, accounts = select_screens(owner, "season", "accounts")
    resize(page, *LAPTOP)
    season.show(page)
    assert left_edge(page, "#podium") < left_edge(page, "#ranking")
    rows = page.locator("ol.menu > li:visible .place")
    assert ["1", "2", "3", "4"] == rows.all_inner_texts()
    resize(page, *PHONE)
    assert ["4"] == rows.all_inner_texts()

    resize(page, *LAPTOP)
    accounts.show(page)
    key = page.locator(".owed .go").bounding_box()
    assert key["x"] + key["width"] < left_edge(page, "#debts")
    assert left_edge(page, "#balance") < left_edge(page, "#debts") < left_edge(page, "#balances")
    assert left_edge(page, "#balances") == left_edge(page, "#moves")
    expect(page.locator("#why-own dl, #why-own .card, #why-own .rows").first).to_be_visible()
    resize(page, *PHONE)
    assert left_edge(page, "#debts") == left_edge(page, "#balances")
    expect(page.locator("#why-own > summary")).to_be_visible()


@pytest.mark.long
def test_the_faces_of_eight_players_stand_in_two_even_lines(page, signed_in, owner):
    eight = make_table(owner, people=("Ana", "Beto", "Caro", "Dani", "Eva", "Fede", "Gabi", "Hugo"))
    begin(eight, owner, variant="chinchon", packs=2)
    page.goto(f"/t/{eight.code}/")
    for width, height in (LAPTOP, PHONE):
        resize(page, width, height)
        heights = [face.bounding_box()["y"] for face in page.locator(".tally .av").all()]
        assert [heights[0]] * 4 + [heights[7]] * 4 == heights
        assert heights[0] < heights[7]


@pytest.mark.long
def test_the_winnings_are_the_largest_thing_of_a_result_and_said_once(open_phone, let_in, owner, table):
    phone = open_phone(reduced_motion="reduce")
    let_in(phone, owner)
    page = phone.new_page()
    game = play(begin(table, owner, stake=1000), owner, "round ana out beto=101 caro=101 dani=101")
    page.goto(f"/g/{game.code}/settlement/")
    winnings = page.locator("#moment .winnings")
    expect(winnings).to_have_text("+$\u00a03.000")
    expect(page.locator("#moment").get_by_text("3.000")).to_have_count(1)
    for width, height in (LANDSCAPE, LAPTOP):
        resize(page, width, height)
        sizes = page.locator("main :not(.av)").evaluate_all(
            "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert max(sizes) == winnings.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        assert left_edge(page, "#moment") < left_edge(page, "#debts")
        assert [] == measure(page, ".dock .go", "#moment .name")


def test_a_laptop_shows_the_sheet_beside_every_pad_and_a_phone_does_not(
    open_phone, let_in, owner, axe_source, subtests
):
    phone = open_phone(reduced_motion="reduce")
    let_in(phone, owner)
    page = phone.new_page()
    sheet = page.locator(".played")
    for pad in select_screens(owner, *PADS):
        with subtests.test(pad.name):
            resize(page, *LAPTOP)
            pad.show(page)
            expect(sheet.get_by_role("rowheader", name="1", exact=True)).to_be_visible()
            expect(sheet.locator("a, button")).to_have_count(0)
            assert left_edge(page, ".played") < left_edge(page, "#entry")
            assert [] == measure(page, *pad.reachable)
            page.evaluate(axe_source)
            assert [] == axe_problems(page)
            resize(page, *PHONE)
            expect(sheet).to_be_hidden()
            assert [] == measure(page, *pad.reachable)


@pytest.mark.long
def test_the_sheet_beside_the_pad_has_the_pot_the_price_of_coming_back_and_the_glasses(
    page, signed_in, owner, table
):
    resize(page, *LAPTOP)
    game = play(
        begin(table, owner, stake=1000), owner, "round ana out beto=50 caro=101 dani=3", "stay_out caro"
    )
    page.goto(f"/g/{game.code}/round/")
    head, glasses = page.locator(".played > header"), page.locator(".played .glass")
    expect(head).to_contain_text("Loba de Menos")
    expect(head).to_contain_text("Pozo $\u00a04.000")
    expect(head).to_contain_text("Volver cuesta")
    expect(glasses).to_have_count(3)
    assert {True} == {glass.bounding_box()["height"] >= 64 for glass in glasses.all()}


@pytest.mark.long
def test_the_newest_rounds_beside_the_pad_are_in_view(page, signed_in, owner, table):
    resize(page, 1280, 560)
    game = play(begin(table, owner), owner, *["round ana out beto=1 caro=2 dani=3"] * 20)
    page.goto(f"/g/{game.code}/round/")
    expect(page.locator(".played").get_by_role("rowheader", name="20", exact=True)).to_be_in_viewport()
