"""The board: totals and the next step of the game, in digits that are large enough for a distance."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.scoring.events import PlayerReentered
from tests.reader import open_page
from tests.worlds import a_round, make_table, start

pytestmark = pytest.mark.django_db


def _page(client, game):
    return open_page(client, reverse("board", args=[game.code]))


def styled(node, kind):
    """Return the text of the first element of this class."""
    return next(part.text for part in node.every() if kind in part.attrs.get("class", "").split())


def spots(page):
    """Return the name, the total and the points left of every seat."""
    return [
        (styled(spot, "name"), styled(spot, "total"), styled(spot, "margin"))
        for spot in page.every("ul")[0].every("li")
    ]


def test_the_board_shows_seats_totals_margins_dealer_and_pot(waldo, game, write):
    write(game, a_round("ana", beto=23, caro=92, dani=9))
    page = _page(waldo, game)

    assert [
        ("Ana", "0 leads", "101 busts"),
        ("Beto", "23", "78 busts"),
        ("Caro", "92", "9 busts"),
        ("Dani", "9", "92 busts"),
    ] == spots(page)
    assert ["Beto"] == [
        spot.only("span", class_="name").text
        for spot in page.every("li")
        if "deals" in spot.attrs.get("class", "")
    ]
    assert "Pot $ 400" in page.only("main").text
    assert "Round 2" in page.only("h1").text
    assert "Limit 101" in page.only("h1").text


def test_names_that_begin_alike_differ_on_the_board_also_where_they_are_cut(phone_of, owner):
    people = ("Ana", "Beto", "Maximiliano Ezequiel", "Maximiliano Ezequias")
    page = _page(phone_of(owner), start(make_table(owner, people=people), owner))
    cut = [name.text for name in page.every("span", class_="name") if name.attrs.get("aria-hidden")]
    assert ["Maximi…e", "Maximi…a"] == cut


def test_the_board_shows_a_pending_re_entry_and_later_its_mark(waldo, game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=9))
    assert "Does Beto re-enter?" in _page(waldo, game).only("h1").text
    write(game, PlayerReentered("beto"))

    assert ("Beto", "40", "61 busts 1 1 re-ent.") == spots(_page(waldo, game))[1]


def test_the_board_shows_the_next_contract(waldo, table, owner, write):
    game = start(table, owner, variant="carioca_ar")
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    page = _page(waldo, game)

    assert "Round 2 · 1 trio and 1 run" in page.only("h1").text
    assert [("Ana", "0 leads", ""), ("Beto", "23", "23 behind Ana")] == spots(page)[:2]
    assert "Pot" not in page.only("main").text
