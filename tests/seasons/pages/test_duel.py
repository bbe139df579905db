"""A player's page against another: the results in the games that both played."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.reader import open_page
from tests.worlds import a_round, start

pytestmark = pytest.mark.django_db

QUERIES = 16


def address(table, one="ana", other="beto"):
    return f"{reverse('player', args=[table.code, one])}?against={other}"


def shown(client, table, *names, query=""):
    return open_page(client, f"{address(table, *names)}{query}")


def facts(page):
    """Return the sums of the games that both played, by what they count."""
    rows = page.every("dl", class_="card rows")[0].every("div")
    return {row.only("dt").inside[0].strip(): row.only("dd").text for row in rows}


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

    assert "Ana – Beto" in [title.text for title in page.every("h2")]
    assert {
        "times ahead of the other": "2 – 1",
        "Won of these games": "1 – 1",
        "Ana's money in these games": "$ 0",
        "Beto's money in these games": "$ 0",
    } == facts(page)


def test_the_page_lists_the_games_that_both_played_newest_first(ana, table, three):
    tiles = shown(ana, table).only("div", id="meetings").every("a")

    assert [reverse("settlement", args=[game.code]) for game in (three[2], three[1], three[0])] == [
        tile.attrs["href"] for tile in tiles
    ]
    assert ["2 – 3", "2 – 1", "1 – 2"] == [tile.text.rsplit("places ", 1)[1] for tile in tiles]
    assert "Ana −$ 100 · Beto −$ 100" in tiles[0].text


def test_a_game_with_a_shared_place_counts_as_level(ana, table, owner, write):
    game = start(table, owner)
    write(game, a_round("caro", ana=102, beto=102, dani=103))

    assert "level once" in shown(ana, table).only("main").text


@pytest.mark.parametrize("other", ["ana", "nobody", ""])
def test_a_duel_with_oneself_or_an_unknown_member_is_not_shown(ana, table, three, other):
    assert [] == shown(ana, table, "ana", other).every("div", id="meetings")


def test_the_page_with_a_duel_takes_at_most_sixteen_queries(ana, table, three, django_assert_max_num_queries):
    shown(ana, table)
    with django_assert_max_num_queries(QUERIES):
        shown(ana, table, query="&season=all")
