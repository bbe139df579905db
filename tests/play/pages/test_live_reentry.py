"""The re-entry desk when polled: an empty response without news, else the present desk."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.people.members import change_member
from games.play import recording as services
from games.scoring.events import PlayerReentered, PlayerStayedOut, Struck
from tests.reader import read_page
from tests.tables import a_round

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


def test_a_poll_after_the_round_was_undone_gets_the_sheet_with_the_news(ana, game, where, write):
    write(game, Struck(2))

    assert "Undone: Round 1: Ana went out" in read_page(ana.get(where)).notices


def test_a_poll_after_a_member_was_renamed_gets_the_new_name(ana, game, where):
    change_member(game.table.members.get(slug="beto"), name="Betito", colour=2)
    page = read_page(ana.get(where))

    assert "Does Betito re-enter?" == page.only("h2").text
    assert [] == page.notices


def test_a_poll_after_the_game_was_discarded_asks_no_player(ana, game, where):
    services.discard_game(game)

    assert "Does Beto re-enter?" not in [heading.text for heading in read_page(ana.get(where)).every("h2")]


@pytest.mark.parametrize("after", [0, 99])
def test_a_poll_with_an_unknown_version_gets_the_page(ana, game, after):
    assert 200 == ana.get(reverse("live-reentry", args=[game.code, after, after])).status_code
