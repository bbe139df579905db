"""Somebody goes home: their money stays in the pot."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from games.scoring.events import PlayerStayedOut
from tests.reader import fields, read_page
from tests.tables import a_key, a_round

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


def test_who_goes_home_has_left_and_the_pot_stays(ana, game):
    response = ana.post(_address(game), _payload(game))

    assert f"/g/{game.code}/?done=2" == response.url
    assert "left" == game.state().player("dani").seat
    assert ["Dani went home"] == read_page(ana.get(response.url)).notices


def test_when_one_is_left_he_has_won(ana, game, write):
    for player in ("beto", "caro"):
        ana.post(_address(game), _payload(game, leave_player=player))

    assert reverse("settlement", args=[game.code]) == ana.post(_address(game), _payload(game)).url


@pytest.mark.parametrize("player", ["", "zed", "<b>", "\x01"])
def test_it_must_be_somebody_at_the_table(ana, game, player):
    page = refused(ana, game, leave_player=player)

    assert page.said_at("leave-player") == (
        "Choose a player." if not player else f"{player} is not at this table."
    )
    assert "open" in page.only("details", id="leave").attrs
    assert [] == page.alerts


def test_who_is_out_cannot_leave(ana, game, write):
    write(game, a_round("ana", beto=1, caro=2, dani=101))
    write(game, PlayerStayedOut("dani"))
    page = refused(ana, game)

    assert "Dani is not in." == page.said_at("leave-player")


def test_nobody_leaves_after_the_end(ana, finished):
    assert ["The game is over."] == refused(ana, finished, leave_player="ana").alerts


def test_the_same_form_twice_is_once(ana, game):
    payload = _payload(game)
    answers = [ana.post(_address(game), payload).status_code for _ in range(2)]

    assert ([302, 302], 2) == (answers, Record.objects.count())


def test_the_same_key_with_somebody_else_is_refused(ana, game):
    key = a_key()
    ana.post(_address(game), _payload(game, key=key))
    page = refused(ana, game, status=409, key=key, leave_player="caro")

    assert ["This was recorded already, with something else. Look at the sheet."] == page.alerts


def test_who_missed_a_round_sees_it_and_his_choice_stays(ana, game, write):
    payload = _payload(game)
    write(game, a_round("ana", beto=1, caro=2, dani=3))
    response = ana.post(_address(game), payload)
    page = read_page(response)

    assert 409 == response.status_code
    assert ["Meanwhile this was recorded:", "Round 1: Ana went out"] == page.notices
    assert ("dani", "2") == (page.typed("leave-player"), page.typed("after"))
    assert "open" in page.only("details", id="leave").attrs


def test_looking_sends_nobody_home(ana, game):
    assert 405 == ana.get(_address(game)).status_code
