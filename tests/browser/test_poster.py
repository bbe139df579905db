"""The picture of a game and of a season: one size, in the light of the page, with room for everybody."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from games.models import Game
from tests.browser.game_setup import begin, hands, ids, play
from tests.factories import make_table

SIZE = [1080, 1350]
M_PEOPLE = ("Mariela", "Martín", "Marcos", "Marta", "Mónica", "Manuel", "Miguel", "Mercedes")
LONG_PEOPLE = (
    "Maximilianosebastian",
    "Wolfgangwolframwilma",
    "Guadalupemontserrata",
    "Hermenegildoanastasi",
    "Iñakiwenceslaoramónx",
)
DAY, EVENING = [230, 237, 225], [11, 42, 32]  # the ground below the cloth

# Draws the picture of the page; returns its size, a pixel of its ground, how much gold is in a part, and where
# the steps of the podium begin below that part, the first place first.
DRAW = """async ([left, bottom, top, end]) => {
    const button = document.querySelector("[data-picture]");
    const { draw } = await import(button.dataset.picture);
    const image = await createImageBitmap(await draw(JSON.parse(button.dataset.drawn)));
    const ink = new OffscreenCanvas(image.width, image.height).getContext("2d");
    ink.drawImage(image, 0, 0);
    const at = (x, y) => [...ink.getImageData(x, y, 1, 1).data].slice(0, 3);
    const band = ink.getImageData(0, top, image.width, end - top).data;
    let gold = 0;
    for (let i = 0; i < band.length; i += 4) {
        if (band[i] === 243 && band[i + 1] === 199 && band[i + 2] === 95) gold += 1;
    }
    const strip = ink.getImageData(0, image.height - 6, image.width, 6).data;
    const colours = new Set();
    for (let i = 0; i < strip.length; i += 4) colours.add(strip.slice(i, i + 3).join());
    const steps = [540, 223, 857].map((x) => {
        const column = ink.getImageData(x - 130, 0, 1, image.height).data;
        const colours = Array.from({ length: image.height }, (_, y) => column.slice(4 * y, 4 * y + 3).join());
        return colours.findIndex((colour, y) => y >= end && ["42,103,83", "243,199,95"].includes(colour));
    });
    return { size: [image.width, image.height], ground: at(left, bottom), gold, atEnd: [...colours], steps };
}"""


pytestmark = [pytest.mark.long, pytest.mark.usefixtures("signed_in")]


def poster(page: Page, address: str, top: int = 140, end: int = 420) -> dict:
    """Return what was drawn; gold is counted from `top` to `end`, by default where the sum stands."""
    page.goto(address)
    drawn: dict = page.evaluate(DRAW, [4, SIZE[1] - 4, top, end])
    return drawn


def game_of(owner, people: tuple[str, ...], ending: str = "", **options) -> Game:
    table = make_table(owner, people=people, name="Los jueves en lo de la tía Hermenegilda")
    first, *others = ids(table)
    points = 11 if ending else 101
    lines = [f"round {first} out {hands(others, points, 1)}", *filter(None, [ending])]
    return play(begin(table, owner, packs=3, **options), owner, *lines)


def test_a_game_and_its_season_are_one_size_in_the_light_of_the_page_with_the_sum_in_gold(page, owner):
    game = game_of(owner, ("Ana", "Beto", "Caro", "Dani"), stake=1000)
    for light, ground in (("light", DAY), ("dark", EVENING)):
        page.emulate_media(color_scheme=light)
        for address in (f"/g/{game.code}/settlement/", f"/t/{game.table.code}/season/"):
            drawn = poster(page, address)
            assert (SIZE, ground) == (drawn["size"], drawn["ground"])
            assert 2000 < drawn["gold"]


def test_each_place_stands_on_a_lower_step_also_where_many_pay(page, owner):
    for people, drop in ((M_PEOPLE[:5], 15), (M_PEOPLE, 10)):
        game = game_of(owner, people, stake=1000)
        first, second, third = poster(page, f"/g/{game.code}/settlement/", end=520)["steps"]
        assert 520 < first <= second - drop <= third - 2 * drop


def test_two_or_eight_people_and_long_names_leave_the_last_line_whole(page, owner):
    for people in (("Ana", "Beto"), LONG_PEOPLE, M_PEOPLE):
        game = game_of(owner, people, stake=1_000_000)
        drawn = poster(page, f"/g/{game.code}/settlement/")
        assert (SIZE, [",".join(map(str, DAY))]) == (drawn["size"], drawn["atEnd"])


def test_who_shared_the_pot_stand_in_lines_and_nothing_is_gold_but_the_hem_where_nobody_won(page, owner):
    for people in (M_PEOPLE, ("Ana", "Beto")):
        shared = game_of(owner, people, "stop split_pot", stake=1000)
        assert SIZE == poster(page, f"/g/{shared.code}/settlement/")["size"]
    refunded = game_of(owner, M_PEOPLE, "stop refund", stake=1000)
    drawn = poster(page, f"/g/{refunded.code}/settlement/", 0, SIZE[1])
    assert (SIZE, True) == (drawn["size"], drawn["gold"] < 10000)
    free = game_of(owner, ("Ana", "Beto", "Caro"), settlement="none")
    assert 20000 < poster(page, f"/g/{free.code}/settlement/", 420, SIZE[1])["gold"]  # the winner's step
