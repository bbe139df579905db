"""Money during a game: the amount that each player has put in or settled so far, and its causes."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.scoring.events import PlayerLeft, PlayerReentered
from tests.reader import open_page
from tests.worlds import a_round, start

pytestmark = pytest.mark.django_db


def test_the_amount_of_each_player_is_explained_by_its_causes(ana, game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    text = open_page(ana, reverse("sheet", args=[game.code])).only("div", id="money").text

    for part in ("Beto −$ 200", "Re-entry 1, after round 1 −$ 100", "Stake −$ 100"):
        assert part in text


def test_a_player_who_leaves_a_game_without_a_pot_sees_their_settlement(ana, table, owner, write):
    """Caro has 20 less than Ana, 10 less than Beto and as much as Dani, at 10 a point."""
    game = start(table, owner, variant="loba_mas", point_value=10)
    write(game, a_round("ana", ana=15, beto=10, caro=0, dani=0))
    where = reverse("sheet", args=[game.code])
    assert [] == open_page(ana, where).every("div", id="money")

    write(game, PlayerLeft("caro"))
    money = open_page(ana, where).only("div", id="money")

    assert "Money so far" == money.only("h2").text
    assert ["+$ 200", "+$ 100", "−$ 300", "$ 0"] == [
        node.text for node in money.every("span", class_="figure")
    ]
