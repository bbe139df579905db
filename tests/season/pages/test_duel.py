"""The page of two members: their results in the games that both played."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.reader import open_page
from tests.tables import a_round, start

pytestmark = pytest.mark.django_db

QUERIES = 12


def address(table, one="ana", other="beto"):
    return reverse("duel", args=[table.code, one, other])


def shown(client, table, *names, query=""):
    return open_page(client, f"{address(table, *names)}{query}")


def sides(page):
    """Return the name of each side and the number of games in which it came before the other."""
    return [
        (side.only("a").text, side.only("b").text)
        for side in page.only("div", class_="two").inside
        if not isinstance(side, str)
    ]


def facts(page):
    return {row.only("dt").text: row.only("dd").text for row in page.only("dl").every("div")}


@pytest.fixture
def three(play):
    return [
        play("ana", "beto", "caro", days=3),
        play("beto", "ana", "caro", days=2),
        play("caro", "ana", "beto", days=1),
        play("ana", "caro"),
    ]


def test_the_page_shows_the_results_of_two_members_side_by_side(ana, table, three):
    page = shown(ana, table)

    assert "Ana – Beto" in page.only("h1").text
    assert [("Ana", "2"), ("Beto", "1")] == sides(page)
    assert {
        "Won of these games": "1 – 1",
        "Money of Ana in these games": "$ 0",
        "Money of Beto in these games": "$ 0",
    } == facts(page)


def test_the_address_with_swapped_members_swaps_the_sides(ana, table, three):
    assert [("Beto", "1"), ("Ana", "2")] == sides(shown(ana, table, "beto", "ana"))


def test_the_page_lists_the_games_that_both_played_newest_first(ana, table, three):
    tiles = shown(ana, table).only("div", class_="list").every("a")

    assert [reverse("settlement", args=[game.code]) for game in (three[2], three[1], three[0])] == [
        tile.attrs["href"] for tile in tiles
    ]
    assert ["2 – 3", "2 – 1", "1 – 2"] == [tile.text.rsplit("places ", 1)[1] for tile in tiles]
    assert "Ana −$ 100 · Beto −$ 100" in tiles[0].text


def test_a_game_with_a_shared_place_counts_as_level(ana, table, owner, write):
    game = start(table, owner)
    write(game, a_round("caro", ana=102, beto=102, dani=103))

    assert "level once" in shown(ana, table).only("main").text


def test_two_members_without_a_common_game_get_a_page_without_games(ana, table, three):
    assert "No games match." in shown(ana, table, "ana", "dani").only("main").text


@pytest.mark.parametrize(("one", "other"), [("ana", "ana"), ("ana", "nobody"), ("nobody", "ana"), ("x", "y")])
def test_a_duel_with_oneself_or_an_unknown_member_is_a_404(ana, table, one, other):
    assert 404 == ana.get(address(table, one, other)).status_code


def test_the_duel_page_takes_at_most_twelve_queries(ana, table, three, django_assert_max_num_queries):
    shown(ana, table)
    with django_assert_max_num_queries(QUERIES):
        shown(ana, table, query="?season=all")
