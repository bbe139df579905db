"""The room that the sheet has for rounds: how many are visible on a phone, the newest among them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.nights import begin, play
from tests.browser.screens import FACES, TOTALS
from tests.browser.test_layout import measure
from tests.browser.test_screens import resize
from tests.browser.watched import EIGHT
from tests.worlds import make_table

FIVE = ("Ana", "Beto", "Carolina", "Dani", "Eva")
ROUNDS = 9
SEEN = """() => {
    const body = document.querySelector(".score tbody"), edge = body.getBoundingClientRect();
    const isSeen = ({ top, bottom }) => top >= edge.top - 1 && bottom <= Math.min(edge.bottom, innerHeight) + 1;
    return [...body.rows].filter(row => isSeen(row.getBoundingClientRect()))
        .map(row => row.cells[0].innerText).filter(Boolean).map(Number);
}"""


@pytest.fixture
def sheet_of(page, phone, owner, let_in):
    """`sheet_of(FIVE)` shows these people's sheet after nine rounds, with a mark before the last."""
    let_in(phone, owner)

    def show(people):
        game = begin(make_table(owner, people=people), owner, variant="chinchon", packs=2, stake=1000)
        first, *others = (name.lower() for name in people)
        line = f"round {first} cut {first}=1 " + " ".join(f"{name}=5" for name in others)
        play(game, owner, *[line] * (ROUNDS - 1), f'adjust {first}=+10 "se paró"', line)
        page.goto(f"/g/{game.code}/")

    return show


def seen(page: Page) -> list[int]:
    """Return the numbers of the rounds that are fully visible, which are the newest."""
    numbers: list[int] = page.evaluate(SEEN)
    assert list(range(ROUNDS + 1 - len(numbers), ROUNDS + 1)) == numbers
    return numbers


@pytest.mark.parametrize(
    ("width", "height", "of_five", "of_eight"),
    [
        (390, 664, 6, 5),
        (360, 640, 4, 4),
        pytest.param(390, 844, 9, 8, marks=pytest.mark.long),
        pytest.param(320, 568, 2, 2, marks=pytest.mark.long),
        pytest.param(740, 360, 2, 2, marks=pytest.mark.long),
        pytest.param(844, 390, 3, 3, marks=pytest.mark.long),
    ],
)
def test_the_newest_rounds_are_visible_and_everything_fits(
    page, sheet_of, subtests, width, height, of_five, of_eight
):
    for people, least in ((FIVE, of_five), (EIGHT, of_eight)):
        with subtests.test(players=len(people)):
            resize(page, width, height)
            sheet_of(people)

            print(f"\n{width} × {height}, {len(people)} players: {len(seen(page))} rounds")
            assert least <= len(seen(page))
            assert [] == measure(page, TOTALS, FACES, ".undo button")
