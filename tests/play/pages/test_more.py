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


def test_everything_is_offered_folded_and_nothing_is_chosen(ana, game):
    page = _page(ana, game)

    assert ["penalty", "leave", "deal", "replace", "stop"] == [
        fold.attrs["id"] for fold in page.every("details")
    ]
    assert [] == [fold for fold in page.every("details") if "open" in fold.attrs]
    assert [] == [node for node in page.every("input") if "checked" in node.attrs]


def test_who_is_bust_may_leave_and_not_be_punished(ana, game, write):
    write(game, a_round("ana", beto=101, caro=2, dani=3))
    page = _page(ana, game)

    assert "beto" in page.form_with("Goes home")[0].allowed("leave-player")
    assert "beto" not in page.form_with("Record it")[0].allowed("penalty-player")


def test_after_the_end_only_the_papers_and_what_was_recorded_are_left(ana, finished):
    page = _page(ana, finished)

    assert ["happened"] == [fold.attrs["id"] for fold in page.every("details")]
    assert page.link("The game as text")


def test_what_was_recorded_between_the_rounds_leads_to_its_correction_the_newest_first(ana, game, write):
    assert [] == _page(ana, game).every("details", id="happened")
    write(game, PointsAdjusted("dani", 5, "se paró"))
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    write(game, PlayerLeft("dani"))

    links = _page(ana, game).only("details", id="happened").every("a")
    assert [("Dani went home", 4), ("Dani +5: se paró", 2)] == [
        (link.text, int(link.attrs["href"].split("/")[-2])) for link in links
    ]
    assert {200} == {ana.get(link.attrs["href"]).status_code for link in links}


def test_in_a_game_that_most_points_win_a_penalty_is_what_has_a_minus(ana, table, owner):
    game = start(table, owner, variant="loba_mas")
    page = _page(ana, game)

    assert "Points: −10 is a penalty, 10 a gift" in page.only("details", id="penalty").text
    assert "The differences are settled at once" in page.only("details", id="leave").text
