"""Any other game through the pages: its name and points are typed, its statistics are kept by that name."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.files.services import audit
from games.models import Game, Result
from games.money.presenters import sharing
from games.play.services import recording
from games.scoring.errors import RuleError
from games.scoring.events import PointsAdjusted, WinnersNamed
from games.scoring.ledger import nets
from tests.factories import build_round, load_balances, new_key, start
from tests.form_scorer import FormScorer
from tests.reader import Walker, change_lines, read_page

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


# --- who has won, named by the table ----------------------------------------------------------------------------------


@pytest.fixture
def phases(table, owner, write):
    """A game of Phase 10 for a pot of 10 after one round, in which Ana has the fewest points."""
    game = start(
        table,
        owner,
        variant="points",
        name="Phase 10",
        wins="fewest",
        ending="open",
        winner="named",
        settlement="pot",
        closes="one",
    )
    write(game, build_round("ana", beto=20, caro=5, dani=30))
    return game


def test_the_table_names_who_has_won_and_sees_the_money_before_it_is_saved(ana, phases):
    keeper = FormScorer(Walker(ana), phases.code)
    assert "Who has won?" in keeper.open("more").text
    keeper.open("won")
    page = keeper.walker.send("See changes", {})
    assert (422, "Choose who has won.") == (keeper.walker.status, page.said_at("winners"))

    page = keeper.submit("See changes", {"winners": ["beto", "dani"]})
    assert "The game the goal is reached still going → won by Beto and Dani" == change_lines(page)[0]
    assert not phases.state().is_over
    page = keeper.submit("Save", {})
    assert "Beto and Dani share the win" in page.only("h1").text
    assert {"ana": -10, "beto": 10, "caro": -10, "dani": 10} == nets(phases.state())
    assert {"beto", "dani"} == set(Result.objects.filter(place=1).values_list("member__slug", flat=True))


def test_named_winners_are_corrected_and_undone_as_any_event(ana, phases, write):
    write(phases, WinnersNamed(("beto",)))
    keeper = FormScorer(Walker(ana), phases.code)
    assert "Beto won" in keeper.open("between").text
    page = keeper.open("correct", 3)
    assert ["beto"] == [
        box.attrs["value"] for box in page.every("input", type="checkbox") if "checked" in box.attrs
    ]
    page = keeper.walker.send("See changes", {"winners": []})
    assert (422, "Choose who has won.") == (keeper.walker.status, page.said_at("winners"))
    keeper.submit("See changes", {"winners": ["caro"]})
    keeper.submit("Save", {})
    assert ("caro",) == phases.state().outcome.winners

    keeper.open("settlement")
    keeper.submit("Undo", {})
    keeper.open("sheet")
    keeper.submit("Undo", {})
    assert not phases.state().is_over


def test_only_a_game_that_a_goal_ends_asks_who_has_won(ana, table, owner):
    game = start(table, owner, variant="points", ending="open")
    keeper = FormScorer(Walker(ana), game.code)

    assert "Who has won?" not in keeper.open("more").text
    assert "What else happened?" in keeper.open("won").only("h1").text
    response = ana.post(reverse("won", args=[game.code]), {"winners": "ana", "after": "1", "key": new_key()})
    assert (422, 1) == (response.status_code, game.records.count())


# --- points after the end ---------------------------------------------------------------------------------------------


@pytest.fixture
def gin(table, owner, write):
    """A finished game of Gin between the table's four members, won by Ana with 100 to 70 points."""
    game = start(
        table,
        owner,
        variant="points",
        name="Gin",
        target=100,
        bonuses="after",
        settlement="pairs",
        closes="one",
    )
    write(game, build_round("beto", ana=0, beto=70, caro=0, dani=0))
    write(game, build_round("ana", ana=100, beto=0, caro=0, dani=0))
    return game


def test_points_after_the_end_change_the_result_the_money_and_the_season(ana, table, gin):
    keeper = FormScorer(Walker(ana), gin.code)
    assert "Ana wins" in keeper.open("settlement").only("h1").text
    keeper.walker.follow("Add points after the end")
    page = keeper.submit("Record it", {"penalty-player": "beto", "points": "50", "reason": "boxes"})

    assert "Beto wins" in page.only("h1").text
    assert {"ana": 180, "beto": 260, "caro": -220, "dani": -220} == nets(gin.state())
    assert load_balances(table) == nets(gin.state())
    assert [("beto", 1)] == list(Result.objects.filter(place=1).values_list("member__slug", "place"))
    assert not audit.check_table(table).differences

    keeper.submit("Undo", {})
    assert ("ana",) == gin.state().outcome.winners


def test_points_after_the_end_belong_to_the_night_of_the_game(ana, gin, owner, time_machine):
    time_machine.move_to(now() + timedelta(days=1))
    keeper = FormScorer(Walker(ana), gin.code)
    assert "Add points after the end" not in keeper.open("settlement").text
    assert "What else happened?" in keeper.open("adjust").only("h1").text
    with pytest.raises(RuleError, match="The night when this game ended is over"):
        recording.record(gin, PointsAdjusted("beto", 50, "boxes"), after=3, key=new_key(), by=owner)


def test_a_game_without_points_after_the_end_offers_none(ana, table, owner, write):
    game = start(table, owner, variant="points", target=100)
    write(game, build_round(None, closing="played", ana=100, beto=0, caro=0, dani=0))

    assert "Add points after the end" not in page_text(ana, "settlement", game.code)


# --- a play-off -------------------------------------------------------------------------------------------------------


def test_after_a_tie_only_those_who_are_tied_are_dealt_in(ana, table, owner):
    game = start(table, owner, variant="points", ending="rounds", rounds=1, tie="play_off", settlement="pot")
    keeper = FormScorer(Walker(ana), game.code)
    keeper.open("play-round")
    keeper.record_round("nobody", "played", {"ana": "7", "beto": "7", "caro": "1", "dani": "0"})
    assert ["sits out", "sits out"] == re.findall("sits out", page_text(ana, "board", game.code))
    page = keeper.open("play-round")
    assert {"hand-ana", "hand-beto"} == {
        field.attrs["name"]
        for field in page.every("input")
        if field.attrs.get("name", "").startswith("hand-")
    }
    assert "Caro" in keeper.open("leave").text

    keeper.record_round("nobody", "played", {"ana": "0", "beto": "3"})
    assert {"beto": 1, "ana": 2, "caro": 3, "dani": 4} == dict(
        Result.objects.values_list("member__slug", "place")
    )
