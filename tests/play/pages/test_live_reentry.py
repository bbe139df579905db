"""The re-entry desk when polled: an empty response without news, else the present desk."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.play import recording as services
from games.scoring.events import PlayerReentered, PlayerStayedOut
from tests.reader import read_page
from tests.worlds import a_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(game, write):
    """A game in which Beto and Caro are bust after round 1."""
    write(game, a_round("ana", beto=101, caro=120, dani=60))
    return game


@pytest.fixture
def where(ana, game):
    """The address that Ana's phone polls while Beto's answer is awaited."""
    return read_page(ana.get(reverse("reentry", args=[game.code]))).only(id="news").attrs["data-live"]


def test_a_poll_before_any_answer_gets_204(ana, where):
    response = ana.get(where)
    assert (204, b"") == (response.status_code, response.content)


def test_a_poll_after_an_answer_on_another_phone_asks_the_next_player(ana, game, where, write):
    write(game, PlayerStayedOut("beto"))
    response = ana.get(where)
    page = read_page(response)

    assert 200 == response.status_code
    assert ["Recorded meanwhile:", "Beto does not re-enter"] == page.notices
    assert "Does Caro re-enter?" == page.only("h2").text
    assert 204 == ana.get(page.only(id="news").attrs["data-live"]).status_code


def test_a_poll_after_the_last_answer_gets_the_sheet(ana, game, where, write):
    write(game, PlayerStayedOut("beto"))
    write(game, PlayerReentered("caro"))
    response = ana.get(where)
    page = read_page(response)

    assert 200 == response.status_code
    assert [
        "Recorded meanwhile:",
        "Beto does not re-enter",
        "Caro re-entered for $ 100",
    ] == page.notices
    assert f"/g/{game.code}/sheet/" in page.only(id="news").attrs["data-live"]


def test_a_poll_after_the_game_was_discarded_asks_no_player(ana, game, where):
    services.discard_game(game)

    assert "Does Beto re-enter?" not in [heading.text for heading in read_page(ana.get(where)).every("h2")]
