"""Changing the dealer of the next round."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from games.scoring.events import PlayerStayedOut
from tests.reader import fields, read_page
from tests.tables import a_key, a_round

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("deal", args=[game.code])


def _payload(game, **changes):
    return fields(**{"after": len(game.log()), "key": a_key(), "deal_player": "caro", **changes})


def test_the_dealer_can_be_changed(ana, game):
    response = ana.post(_address(game), _payload(game))

    assert "caro" == game.state().dealer
    assert ["Caro deals next"] == read_page(ana.get(response.url)).last


@pytest.mark.parametrize("player", ["", "zed", "beto"])
def test_a_dealer_who_is_not_in_the_game_is_refused_at_the_field(ana, game, write, player):
    write(game, a_round("ana", beto=101, caro=2, dani=3))
    write(game, PlayerStayedOut("beto"))
    response = ana.post(_address(game), _payload(game, deal_player=player))
    page = read_page(response)

    assert (422, 3) == (response.status_code, Record.objects.count())
    expected = {
        "": "Choose a player.",
        "zed": "zed is not at this table.",
        "beto": "Beto is not in the game.",
    }
    assert expected[player] == page.said_at("deal-player")
    assert "open" in page.only("details", id="deal").attrs
