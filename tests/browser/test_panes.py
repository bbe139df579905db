"""The rail of tabs and the two panes: on a laptop, and on a phone in landscape."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.gallery import select_screens
from tests.browser.game_setup import begin, play
from tests.browser.test_accessibility import axe_problems
from tests.browser.test_layout import measure
from tests.factories import make_table

LANDSCAPE, LAPTOP, LOW_LAPTOP = (740, 360), (1280, 800), (1152, 640)
SCREENS = ("home", "accounts", "account-open", "season", "player", "lobby", "settlement-loba_mas")
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


@pytest.mark.parametrize(
    ("size", "crowded"),
    [
        pytest.param(LANDSCAPE, True, id="crowded in landscape"),
        pytest.param(LAPTOP, False, id="a laptop"),
        pytest.param(LOW_LAPTOP, True, id="crowded on a low laptop"),
        pytest.param(LANDSCAPE, False, id="landscape", marks=pytest.mark.long),
        pytest.param(LAPTOP, True, id="crowded on a laptop", marks=pytest.mark.long),
        pytest.param(LOW_LAPTOP, False, id="a low laptop", marks=pytest.mark.long),
    ],
)
def test_the_tabs_are_a_rail_and_the_chosen_one_covers_its_word(
    open_phone, let_in, owner, axe_source, size, crowded, subtests
):
    phone = open_phone(reduced_motion="reduce", color_scheme="dark" if crowded else "light")
    let_in(phone, owner)
    page = phone.new_page()
    for screen in select_screens(owner, *SCREENS, crowded=crowded):
        with subtests.test(screen.name):
            screen.show(page)
            page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
            page.evaluate(axe_source)
            assert [] == list(axe_problems(page))
            assert [] == measure(page)
            if not page.locator(".tabs").count():
                continue
            tabs = [tab.bounding_box() for tab in page.locator(".tabs a").all()]
            assert [tabs[0]["x"]] * len(tabs) == [box["x"] for box in tabs]
            assert tabs[-1]["x"] + tabs[-1]["width"] < page.locator("main > .body").bounding_box()["x"]
            assert page.locator(".tabs [aria-current]").evaluate(IS_COVERED)
            assert [] == measure(page, ".tabs a")


def test_a_laptop_shows_the_accounts_in_two_panes_with_their_reasons(page, signed_in, owner):
    page.set_viewport_size({"width": 1280, "height": 800})
    [accounts] = select_screens(owner, "accounts")
    accounts.show(page)
    key = page.locator(".owed .go").bounding_box()
    assert key["x"] + key["width"] < left_edge(page, "#debts")
    assert left_edge(page, "#balance") < left_edge(page, "#debts") < left_edge(page, "#balances")
    assert left_edge(page, "#balances") == left_edge(page, "#moves")
    expect(page.locator("#why-own dl, #why-own .card, #why-own .rows").first).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 664})
    assert left_edge(page, "#debts") == left_edge(page, "#balances")
    expect(page.locator("#why-own > summary")).to_be_visible()


@pytest.mark.parametrize("size", [LAPTOP, (390, 664)])
def test_the_faces_of_eight_players_stand_in_two_even_lines(page, signed_in, owner, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    eight = make_table(owner, people=("Ana", "Beto", "Caro", "Dani", "Eva", "Fede", "Gabi", "Hugo"))
    begin(eight, owner, variant="chinchon", packs=2)
    page.goto(f"/t/{eight.code}/")
    heights = [face.bounding_box()["y"] for face in page.locator(".tally .av").all()]

    assert [heights[0]] * 4 + [heights[7]] * 4 == heights
    assert heights[0] < heights[7]


def test_a_laptop_shows_the_standings_beside_the_podium(page, signed_in, owner):
    page.set_viewport_size({"width": 1280, "height": 800})
    [season] = select_screens(owner, "season")
    season.show(page)
    assert left_edge(page, "#podium") < left_edge(page, "#ranking")
    rows = page.locator("ol.menu > li:visible .place")
    assert ["1", "2", "3", "4"] == rows.all_inner_texts()
    page.set_viewport_size({"width": 390, "height": 664})
    assert ["4"] == rows.all_inner_texts()


@pytest.mark.parametrize("size", [LANDSCAPE, LAPTOP])
def test_the_winnings_are_the_largest_thing_of_a_result_and_said_once(open_phone, let_in, owner, table, size):
    phone = open_phone(reduced_motion="reduce")
    let_in(phone, owner)
    page = phone.new_page()
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    game = play(begin(table, owner, stake=1000), owner, "round ana out beto=101 caro=101 dani=101")
    page.goto(f"/g/{game.code}/settlement/")
    winnings = page.locator("#moment .winnings")
    expect(winnings).to_have_text("+$\u00a03.000")
    expect(page.locator("#moment").get_by_text("3.000")).to_have_count(1)
    sizes = page.locator("main :not(.av)").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert max(sizes) == winnings.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
    assert left_edge(page, "#moment") < left_edge(page, "#debts")
    assert [] == measure(page, ".dock .go", "#moment .name")


@pytest.mark.parametrize("name", ["entry-pad", "entry-mas-run", "entry-chinchon-seven", "entry-points"])
def test_a_laptop_shows_the_sheet_beside_every_pad_and_a_phone_does_not(
    open_phone, let_in, owner, axe_source, name
):
    phone = open_phone(reduced_motion="reduce", viewport={"width": 1280, "height": 800})
    let_in(phone, owner)
    page = phone.new_page()
    [pad] = select_screens(owner, name)
    pad.show(page)
    sheet = page.locator(".played")
    expect(sheet.get_by_role("rowheader", name="1", exact=True)).to_be_visible()
    expect(sheet.locator("a, button")).to_have_count(0)
    assert left_edge(page, ".played") < left_edge(page, "#entry")
    assert [] == measure(page, *pad.reachable)
    page.evaluate(axe_source)
    assert [] == list(axe_problems(page))
    page.set_viewport_size({"width": 390, "height": 664})
    expect(sheet).to_be_hidden()
    assert [] == measure(page, *pad.reachable)


def test_the_sheet_beside_the_pad_has_the_pot_the_price_of_coming_back_and_the_glasses(
    page, signed_in, owner, table
):
    page.set_viewport_size({"width": 1280, "height": 800})
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


def test_the_newest_rounds_beside_the_pad_are_in_view(page, signed_in, owner, table):
    page.set_viewport_size({"width": 1280, "height": 560})
    game = play(begin(table, owner), owner, *["round ana out beto=1 caro=2 dani=3"] * 20)
    page.goto(f"/g/{game.code}/round/")
    expect(page.locator(".played").get_by_role("rowheader", name="20", exact=True)).to_be_in_viewport()
