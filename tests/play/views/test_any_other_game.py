"""Any other game through the pages: its name and points are typed, its statistics are kept by that name."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.files.services import audit
from games.models import Game, Result
from games.money.presenters import sharing
from tests.factories import start
from tests.form_scorer import FormScorer
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def finish_game(ana, table, owner):
    """`finish_game(name, ana=7, …)` returns a game of that name after its only round, for a pot of 10."""

    def finish(name, **points):
        game = start(table, owner, variant="points", name=name, ending="rounds", rounds=1, settlement="pot")
        FormScorer(Walker(ana), game.code).record_round(
            "nobody", "played", {player: str(count) for player, count in points.items()}
        )
        return game

    return finish


def page_text(client, view, *place):
    return read_page(client.get(reverse(view, args=place))).text


def test_a_name_made_of_digits_is_kept_unchanged(ana, table):
    walker = Walker(ana)
    walker.open(reverse("new-game", args=[table.code]))
    walker.press("Show the rules of this game", variant="points")
    walker.press("Start", option_name="10.000", seat_1="ana", seat_2="beto")
    game = Game.objects.get()
    assert "10.000" == game.state().house["name"]

    walker.open(reverse("correct-rules", args=[game.code]))
    walker.press("See changes", option_target="40")
    walker.press("Save")
    house = game.state().house
    assert ("10.000", 40) == (house["name"], house["target"])


def test_pages_keep_games_of_different_names_apart(ana, table, finish_game):
    finish_game("Generala", ana=7, beto=5, caro=1, dani=0)
    finish_game("Uno", ana=0, beto=9, caro=1, dani=2)
    finish_game("", ana=0, beto=1, caro=8, dani=2)

    assert {"points:Generala", "points:Uno", "points"} == set(Game.objects.values_list("variant", flat=True))
    chosen = read_page(ana.get(reverse("season", args=[table.code]) + "?game=points:Uno"))
    assert ["Any other game", "Generala", "Uno"] == sorted(
        chip.text for chip in chosen.only("div", id="variants").every("a")
    )
    assert "Beto" in chosen.only("ol", id="podium").only("li", class_="leads").text
    for page in (page_text(ana, "home"), page_text(ana, "player", table.code, "ana")):
        assert ("Generala" in page, "Uno" in page, "Any other game" in page) == (True, True, True)


def test_the_typed_name_is_escaped_in_shared_texts_and_downloads(ana, table, finish_game):
    game = finish_game("=1+1|;x", ana=7, beto=5, caro=1, dani=0)
    sheet = ana.get(reverse("download", args=[table.code, "results"])).getvalue().decode("utf-8-sig")

    assert "=1+1|;x" in page_text(ana, "settlement", game.code)
    assert "'=1+1|;x" in sheet
    assert sharing.rules_summary(game.state(), table).startswith("Ends after round 1 · ")


def test_a_renamed_game_counts_under_its_new_name(ana, table, finish_game):
    game = finish_game("Generala", ana=7, beto=5, caro=1, dani=0)
    keeper = FormScorer(Walker(ana), game.code)
    keeper.open("correct-rules")
    keeper.submit("See changes", {"option-name": "Diez mil"})
    keeper.submit("Save", {})

    assert {("points:Diez mil",)} == set(Result.objects.values_list("variant"))
    assert "Diez mil" in page_text(ana, "sheet", game.code)
    assert not audit.check_table(table).differences
