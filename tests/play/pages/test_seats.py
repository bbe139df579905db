"""Correcting the order of the seats from the start of a game; the consequences are shown first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse

from games.models import Record
from games.play import recording as services
from tests.reader import Walker, read_page, shown_changes
from tests.worlds import a_key, a_round, loba

pytestmark = pytest.mark.django_db

BEGUN = ("ana", "beto", "caro", "dani")


def _address(game):
    return reverse("seats", args=[game.code])


def _seats(*players):
    return {f"seat-{number}": player for number, player in enumerate(players, start=1)}


def order(page):
    """Return the players in the order of the form's seats."""
    return tuple(page.typed(f"seat-{number}") for number in range(1, 5))


def test_the_form_has_the_seats_of_the_start_and_names_the_dealer(ana, game, table, owner):
    page = read_page(ana.get(_address(game)))
    assert BEGUN == order(page)
    assert "The first one dealt the first round." in page.only("form").text

    later = services.start_game(table, replace(loba(table), dealer="dani"), key=a_key(), by=owner)
    assert "Dani dealt the first round" in read_page(ana.get(_address(later))).only("form").text


def test_a_new_order_is_previewed_before_it_is_recorded(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    walker = Walker(ana)
    walker.open(reverse("more", args=[game.code]))
    walker.follow("The order of the seats")
    page = walker.send("See what changes", _seats("ana", "caro", "beto", "dani"))

    assert "Correct the seats" in page.only("h1").text
    assert ["The order of the seats Ana, Caro, Beto, Dani", "Deals next Beto → Caro"] == shown_changes(page)
    assert 2 == Record.objects.count()

    walker.press("Save")
    assert ["ana", "caro", "beto", "dani"] == [player.id for player in game.state().players]
    assert ["Corrected: how the game began"] == walker.page.last


CHOOSE = "Choose a seat for each player."


def test_an_order_that_is_none_or_the_same_is_refused_as_it_was_chosen(subtests, ana, game):
    for seats, sentence in [
        (BEGUN, "The players already sit in this order."),
        ((), CHOOSE),
        (("ana", "ana", "caro", "dani"), CHOOSE),
        (("ana", "beto", "caro", "zoe"), CHOOSE),
    ]:
        with subtests.test(seats=seats):
            sent = {"after": "1", "key": a_key(), **_seats(*seats)}
            response = ana.post(_address(game), sent)
            page = read_page(response)

            assert (422, [sentence]) == (response.status_code, page.alerts)
            assert seats[:3] == order(page)[: len(seats[:3])]


def test_a_stale_order_gets_409_with_the_news(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    for seats in (("ana", "caro", "beto", "dani"), BEGUN):
        response = ana.post(_address(game), {"after": "1", "key": a_key(), **_seats(*seats)})

        assert 409 == response.status_code
        assert "Round 1: Ana went out" in read_page(response).notices
