"""A flag is settled by a scorer, or withdrawn by the user who raised it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.play.flags import open_flags, raise_flag
from tests.reader import read_page
from tests.tables import a_round, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(game, write):
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    raise_flag(game, game.state(), 2, "beto", note="", by=make_user("wanda"))
    return game


def settle(client, game, hand="beto"):
    return client.post(reverse("settle-flag", args=[game.code, 2]), {"hand": hand})


def test_a_scorer_settles_a_flag(ana, game):
    response = settle(ana, game)

    assert (reverse("sheet", args=[game.code]), 0) == (response.url, open_flags(game).count())
    assert [] == read_page(ana.get(response.url)).every("div", class_="notice doubted")
