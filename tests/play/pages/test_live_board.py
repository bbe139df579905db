"""The board as a tablet in the middle of the table polls it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.reader import read_page
from tests.tables import a_round

pytestmark = pytest.mark.django_db


def shown_by(client, game):
    page = read_page(client.get(reverse("board", args=[game.code])))
    return page.only(id="news").attrs["data-live"]


def test_a_poll_of_the_board_without_news_gets_204(waldo, game):
    response = waldo.get(shown_by(waldo, game))

    assert (204, b"") == (response.status_code, response.content)


def test_a_poll_of_the_board_after_a_round_gets_the_present_board(waldo, game, write):
    where = shown_by(waldo, game)
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    page = read_page(waldo.get(where))

    assert "Round 1: Ana went out" == page.only(id="news").attrs["data-latest"]
    assert "23" in page.only("main").text
    assert shown_by(waldo, game) == page.only(id="news").attrs["data-live"]
