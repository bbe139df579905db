"""A player leaves a game; their money stays in the pot."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from tests.reader import fields, read_page
from tests.tables import a_key

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("leave", args=[game.code])


def _payload(game, **changes):
    return fields(**{"after": len(game.log()), "key": a_key(), "leave_player": "dani", **changes})


def refused(client, game, *, status=422, **changes):
    before = Record.objects.count()
    response = client.post(_address(game), _payload(game, **changes))

    assert (status, before) == (response.status_code, Record.objects.count())
    return read_page(response)


def test_a_player_who_leaves_has_left_the_game(ana, game):
    response = ana.post(_address(game), _payload(game))

    assert f"/g/{game.code}/" == response.url
    assert "left" == game.state().player("dani").seat
    assert ["Dani went home"] == read_page(ana.get(response.url)).last


def test_the_last_remaining_player_wins(ana, game, write):
    for player in ("beto", "caro"):
        ana.post(_address(game), _payload(game, leave_player=player))

    assert reverse("settlement", args=[game.code]) == ana.post(_address(game), _payload(game)).url


def test_leaving_is_refused_for_somebody_who_does_not_play(subtests, ana, game):
    for player in ["", "zed", "<b>", "\x01"]:
        with subtests.test(player=player):
            page = refused(ana, game, leave_player=player)

            assert page.said_at("leave-player") == (
                "Choose a player." if not player else f"{player} is not at this table."
            )
            assert "open" in page.only("details", id="leave").attrs
            assert [] == page.alerts
