"""Stopping a game early, as the table agreed."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record, Result
from games.scoring.ledger import nets
from tests.reader import fields, read_page
from tests.tables import a_key, a_round, start

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("stop", args=[game.code])


def _payload(game, **changes):
    return fields(**{"after": len(game.log()), "key": a_key(), "how": "lowest_wins", **changes})


@pytest.fixture
def game(game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    return game


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("lowest_wins", {"ana": 300, "beto": -100, "caro": -100, "dani": -100}),
        ("split_pot", {"ana": 0, "beto": 0, "caro": 0, "dani": 0}),
        ("refund", {"ana": 0, "beto": 0, "caro": 0, "dani": 0}),
    ],
)
def test_a_stopped_game_is_settled_as_chosen_and_redirects_to_the_result(ana, game, how, expected):
    response = ana.post(_address(game), _payload(game, how=how))

    assert reverse("settlement", args=[game.code]) == response.url
    assert expected == nets(game.state())
    assert 4 == Result.objects.count()


def test_players_who_share_the_pot_are_not_called_winners(ana, game):
    page = read_page(ana.get(ana.post(_address(game), _payload(game, how="split_pot")).url))

    assert "They share the pot" in page.only("h1").text
    assert [(1, False)] * 4 == list(Result.objects.values_list("place", "won"))


def test_an_ending_that_the_game_does_not_allow_is_refused_at_its_field(subtests, ana, game):
    for how in ["", "x", "highest_wins", "<b>", "\x00"]:
        with subtests.test(how=how):
            response = ana.post(_address(game), _payload(game, how=how))
            page = read_page(response)

            assert (422, 2) == (response.status_code, Record.objects.count())
            expected = "This game can't be won that way." if how == "highest_wins" else "Choose how to stop."
            assert expected == page.said_at("how")
            assert "open" in page.only("details", id="stop").attrs


def test_only_the_endings_that_the_game_allows_are_offered(ana, table, owner):
    game = start(table, owner, settlement="none")
    form, _button = read_page(ana.get(reverse("more", args=[game.code]))).form_with("Stop the game")

    assert ["lowest_wins", "refund"] == form.allowed("how")
