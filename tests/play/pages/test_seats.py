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


def _address(game):
    return reverse("seats", args=[game.code])


def order(page):
    """Return the players in the order of the form's seats."""
    return [
        field.attrs["value"]
        for field in page.every("input")
        if field.attrs.get("name", "").startswith("seat-")
    ]


def _payload(game, *seats, **more):
    taken = {f"seat-{number}": player for number, player in enumerate(seats, start=1)}
    return {"after": str(len(game.log())), "key": a_key(), **taken, **more}


def test_the_form_lists_the_players_in_the_order_of_the_seats(ana, game):
    page = read_page(ana.get(_address(game)))

    assert ["ana", "beto", "caro", "dani"] == order(page)
    assert (
        "disabled" in page.every("button", name="up")[0].attrs,
        "disabled" in page.every("button", name="down")[0].attrs,
    ) == (True, False)


def test_the_form_names_the_dealer_of_the_first_round(ana, game, table, owner):
    later = services.start_game(table, replace(loba(table), dealer="dani"), key=a_key(), by=owner)

    assert "The first one dealt the first round." in read_page(ana.get(_address(game))).only("form").text
    assert "Dani dealt the first round" in read_page(ana.get(_address(later))).only("form").text


@pytest.mark.parametrize(
    ("move", "moved"),
    [
        ({"down": "beto"}, ["ana", "caro", "beto", "dani"]),
        ({"up": "dani"}, ["ana", "beto", "dani", "caro"]),
        ({"up": "ana"}, ["ana", "beto", "caro", "dani"]),
        ({"down": "dani"}, ["ana", "beto", "caro", "dani"]),
        ({"up": "zoe"}, ["ana", "beto", "caro", "dani"]),
    ],
)
def test_a_tap_moves_a_player_by_one_seat_and_records_nothing(ana, game, move, moved):
    response = ana.post(_address(game), _payload(game, "ana", "beto", "caro", "dani", **move))

    assert (200, moved, 1) == (response.status_code, order(read_page(response)), Record.objects.count())


def test_a_new_order_is_previewed_before_it_is_recorded(ana, game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    walker = Walker(ana)
    walker.open(reverse("more", args=[game.code]))
    walker.follow("The order of the seats")
    walker.press("Caro one seat up")
    page = walker.press("See what changes")

    assert "Correct the seats" in page.only("h1").text
    assert [
        "The order of the seats Ana, Caro, Beto, Dani",
        "Deals next Beto → Caro",
    ] == shown_changes(page)
    assert 2 == Record.objects.count()

    walker.press("Save")
    assert ["ana", "caro", "beto", "dani"] == [player.id for player in game.state().players]
    assert ["Corrected: how the game began"] == walker.page.last


def test_an_unchanged_order_is_refused(ana, game):
    response = ana.post(_address(game), _payload(game, "ana", "beto", "caro", "dani"))

    assert (422, ["The players already sit in this order."]) == (
        response.status_code,
        read_page(response).alerts,
    )


@pytest.mark.parametrize(
    "seats", [(), ("ana",), ("ana", "ana", "caro", "dani"), ("ana", "beto", "caro", "zoe")]
)
def test_an_order_with_missing_or_repeated_players_is_refused(ana, game, seats):
    response = ana.post(_address(game), _payload(game, *seats))
    page = read_page(response)

    assert (422, ["Choose a seat for each player."]) == (response.status_code, page.alerts)
    assert ["ana", "beto", "caro", "dani"] == order(page)


def test_a_stale_order_gets_409_with_the_news(ana, game, write):
    payload = _payload(game, "ana", "caro", "beto", "dani")
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    response = ana.post(_address(game), payload)

    assert 409 == response.status_code
    assert "Round 1: Ana went out" in read_page(response).notices
