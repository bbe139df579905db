"""Correcting the order of the seats from the start of a game; the consequences are shown first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse

from games.models import Record
from games.play import recording as services
from tests.reader import Walker, read_page, shown_changes
from tests.tables import a_key, a_round, loba

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


def test_the_seats_stand_as_they_were_taken(ana, game):
    page = read_page(ana.get(_address(game)))

    assert ["ana", "beto", "caro", "dani"] == order(page)
    assert (
        "disabled" in page.every("button", name="up")[0].attrs,
        "disabled" in page.every("button", name="down")[0].attrs,
    ) == (True, False)


def test_who_dealt_the_first_round_is_said(ana, game, table, owner):
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
def test_a_tap_moves_somebody_one_seat_and_writes_nothing(ana, game, move, moved):
    response = ana.post(_address(game), _payload(game, "ana", "beto", "caro", "dani", **move))

    assert (200, moved, 1) == (response.status_code, order(read_page(response)), Record.objects.count())


def test_the_consequences_are_seen_before_the_order_is_recorded(ana, game, write):
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

    walker.press("Correct")
    assert ["ana", "caro", "beto", "dani"] == [player.id for player in game.state().players]
    assert ["Corrected: how the game began"] == walker.page.notices


def test_the_same_order_again_is_no_correction(ana, game):
    response = ana.post(_address(game), _payload(game, "ana", "beto", "caro", "dani"))

    assert (422, ["The players already sit in this order."]) == (
        response.status_code,
        read_page(response).alerts,
    )


@pytest.mark.parametrize(
    "seats", [(), ("ana",), ("ana", "ana", "caro", "dani"), ("ana", "beto", "caro", "zoe")]
)
def test_everybody_who_began_the_game_has_one_seat(ana, game, seats):
    response = ana.post(_address(game), _payload(game, *seats))
    page = read_page(response)

    assert (422, ["Choose a seat for each player."]) == (response.status_code, page.alerts)
    assert ["ana", "beto", "caro", "dani"] == order(page)


def test_who_missed_a_round_sees_it_and_the_consequences_now(ana, game, write):
    payload = _payload(game, "ana", "caro", "beto", "dani")
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    response = ana.post(_address(game), payload)

    assert 409 == response.status_code
    assert "Round 1: Ana went out" in read_page(response).notices


def test_a_finished_game_is_corrected_too(ana, finished):
    response = ana.post(_address(finished), _payload(finished, "dani", "caro", "beto", "ana"))

    assert 200 == response.status_code
    assert "The order of the seats Dani, Caro, Beto, Ana" in read_page(response).only("main").text
