"""The page for all events but rounds: a fold with a form for each."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.scoring.events import PlayerLeft, PointsAdjusted
from tests.reader import open_page
from tests.tables import a_round, start

pytestmark = pytest.mark.django_db


def _page(client, game):
    return open_page(client, reverse("more", args=[game.code]))


def test_every_form_is_offered_folded_and_without_a_choice(ana, game):
    page = _page(ana, game)

    assert ["penalty", "leave", "deal", "replace", "stop", "money"] == [
        fold.attrs["id"] for fold in page.every("details") if "id" in fold.attrs
    ]
    assert [] == [fold for fold in page.every("details") if "open" in fold.attrs]
    assert [] == [node for node in page.every("input") if "checked" in node.attrs]


def test_a_bust_player_can_leave_but_cannot_get_a_penalty(ana, game, write):
    write(game, a_round("ana", beto=101, caro=2, dani=3))
    page = _page(ana, game)

    assert "beto" in page.form_with("Goes home")[0].allowed("leave-player")
    assert "beto" not in page.form_with("Record it")[0].allowed("penalty-player")


def test_a_finished_game_offers_only_its_events_and_exports(ana, finished):
    page = _page(ana, finished)

    assert ["money", "happened"] == [fold.attrs["id"] for fold in page.every("details") if "id" in fold.attrs]
    assert page.link("The game as text")


def test_events_between_rounds_link_to_their_correction_newest_first(ana, game, write):
    assert [] == _page(ana, game).every("details", id="happened")
    write(game, PointsAdjusted("dani", 5, "se paró"))
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    write(game, PlayerLeft("dani"))

    links = _page(ana, game).only("details", id="happened").every("a")
    assert [("Dani went home", 4), ("Dani +5: se paró", 2)] == [
        (link.text, int(link.attrs["href"].split("/")[-2])) for link in links
    ]
    assert {200} == {ana.get(link.attrs["href"]).status_code for link in links}


def test_a_penalty_is_negative_in_a_game_won_by_the_most_points(ana, table, owner):
    game = start(table, owner, variant="loba_mas")
    page = _page(ana, game)

    assert "Points: −10 is a penalty, 10 a gift" in page.only("details", id="penalty").text
    assert "The differences are settled at once" in page.only("details", id="leave").text
