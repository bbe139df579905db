"""Head to head for all members: the number of games in which each came before each other one."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.reader import open_page

pytestmark = pytest.mark.django_db

QUERIES = 12


def shown(client, table, query=""):
    return open_page(client, f"{reverse('head-to-head', args=[table.code])}{query}")


def matrix(page):
    """Return the row of each name, its cells as a screen reader reads them, "" where two never met."""
    return {
        row.only("th").text: [
            link.attrs["aria-label"]
            for cell in row.every("td")
            for link in cell.every("a") or [cell]
            if link.tag == "a"
        ]
        for row in page.only("tbody").every("tr")
    }


def test_each_pair_of_members_shows_how_often_each_came_before_the_other(ana, table, play):
    play("ana", "beto", "caro", days=2)
    play("ana", "beto", "caro", days=1)
    play("beto", "ana")

    assert {
        "Ana": [
            "Ana ahead of Beto: 2, behind: 1",
            "Ana ahead of Caro: 2, behind: 0",
        ],
        "Beto": [
            "Beto ahead of Ana: 1, behind: 2",
            "Beto ahead of Caro: 2, behind: 0",
        ],
        "Caro": [
            "Caro ahead of Ana: 0, behind: 2",
            "Caro ahead of Beto: 0, behind: 2",
        ],
    } == matrix(shown(ana, table))


def test_the_heading_names_the_game_filter_and_no_filter_of_the_standings_alone(ana, table, play):
    play("ana", "beto")
    page = shown(ana, table, "?game=loba_menos&least=5&drop=2")

    year = table.seasons.get().name
    assert f"Head to head {year} · 1 game · 1 night · Loba de Menos" == page.only("h1").text


def test_a_member_without_a_game_is_not_in_the_matrix(ana, table, play):
    play("ana", "beto")

    assert ["Ana", "Beto"] == list(matrix(shown(ana, table)))


def test_a_pair_links_to_its_duel_with_the_same_filters(ana, table, play):
    play("ana", "beto")
    page = shown(ana, table, "?game=loba_menos")
    (first, _second) = page.only("tbody").every("a")

    assert f"{reverse('duel', args=[table.code, 'ana', 'beto'])}?game=loba_menos" == first.attrs["href"]


def test_without_a_game_the_page_says_that_none_match(ana, table):
    assert "No games match." in shown(ana, table).only("main").text


def test_the_head_to_head_page_takes_at_most_twelve_queries(ana, table, play, django_assert_max_num_queries):
    play("ana", "beto", "caro")
    shown(ana, table)
    with django_assert_max_num_queries(QUERIES):
        shown(ana, table, "?season=all")
