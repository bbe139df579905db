"""A rematch in one tap, a game as text, its rules, and the example that everybody can open.

`money/views/test_settlement.py` has the page of a result; `scoring/test_settlement.py` has the fewest payments
without a database.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game, Table
from games.scoring.events import PlayerLeft
from games.scoring.text.game_file import parse_game_file, play_game_file
from tests.factories import make_table, make_user, new_key, start
from tests.reader import open_page, read_page

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("rematch", args=[game.code])


def test_the_result_page_and_the_home_page_both_offer_a_rematch(ana, finished):
    of_home = "Rematch Loba de Menos · Ana, Beto, Caro and Dani"
    for where, text in ((reverse("settlement", args=[finished.code]), "Rematch"), ("/", of_home)):
        form, _button = read_page(ana.get(where)).form_with(text)
        response = ana.post(form.attrs["action"], form.fields)
        game = Game.objects.latest("pk")
        assert (302, f"/g/{game.code}/") == (response.status_code, response.url)
        assert finished.state().house == game.state().house
        Game.objects.exclude(pk=finished.pk).update(
            ended_at="2026-01-01T00:00Z", discarded_at="2026-01-01T00:00Z"
        )

    assert 3 == Game.objects.count()


def test_a_rematch_of_one_remaining_player_is_refused(client_for, db, write):
    owner = make_user("olga")
    game = start(make_table(owner, people=("Ana", "Beto")), owner)
    write(game, PlayerLeft("beto"))
    response = client_for(owner).post(_address(game), {"key": new_key()})
    page = read_page(response)

    assert 422 == response.status_code
    assert ["Loba de Menos is for 2 to 5 players."] == page.alerts
    assert reverse("new-game", args=[game.table.code]) == page.link("New game")
    assert 1 == Game.objects.count()


def test_a_rematch_of_a_running_game_is_refused(ana, game):
    response = ana.post(_address(game), {"key": new_key()})
    page = read_page(response)

    assert 409 == response.status_code
    assert ["This game is still being played. Start the rematch when it is over."] == page.alerts
    assert reverse("sheet", args=[game.code]) == page.link("Back to the sheet")
    assert 1 == Game.objects.count()


def test_another_rematch_of_the_same_people_is_asked_about(ana, finished):
    ana.post(_address(finished), {"key": new_key()})
    rematch = Game.objects.exclude(pk=finished.pk).get()
    Game.objects.filter(pk=rematch.pk).update(started_at="2026-11-20T00:40Z")  # 9:40 p.m. at the table
    response = ana.post(_address(finished), {"key": new_key()})
    page = read_page(response)

    assert 422 == response.status_code
    assert "You already have a game, started at" in page.only(id="asked").text
    assert "21:40. Start another one?" in page.only(id="asked").text
    assert f"/g/{rematch.code}/" in [link.attrs["href"] for link in page.every("a")]
    assert 2 == Game.objects.count()


# --- the game as text --------------------------------------------------------------------------------------------------


def test_the_text_of_a_game_reads_as_the_same_game(waldo, finished):
    page = read_page(waldo.get(reverse("settlement", args=[finished.code])))
    response = waldo.get(page.link("The game as text"))
    played = play_game_file(parse_game_file(response.content.decode()))

    assert "text/plain; charset=utf-8" == response["Content-Type"]
    assert f'attachment; filename="{finished.code}.game"' == response["Content-Disposition"]
    assert finished.state() == played.state


# --- the rules ---------------------------------------------------------------------------------------------------------


def test_the_rules_begin_with_an_introduction_and_the_points_of_a_hand_except_of_any_other_game(
    ana, table, owner
):
    page = open_page(ana, reverse("rules", args=[start(table, owner, ace=15).code]))
    other = open_page(ana, reverse("rules", args=[start(table, owner, variant="points").code]))

    assert ["How it is played", "What a hand scores", "House rules", "All the rules"] == [
        heading.text for heading in page.every("h2")
    ]
    assert "A set is 3 or more cards of one rank in 3 different suits" in page.text
    assert ["44 points"] == [total.text for total in page.every("b")]  # K 10, 7, 2, A 15, ★ 10
    assert "Ace: 15" in page.only("section", class_="card prose house").text
    assert ["All the rules"] == [heading.text for heading in other.every("h2")]


# --- the example -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("region", "pays"), [("en", "Beto → Ana $4,000"), ("es-AR", "Beto → Ana $ 4.000")])
def test_a_stranger_sees_who_won_and_who_pays_whom(nobody, region, pays, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = read_page(nobody.get("/example/", headers={"Accept-Language": region}))

    assert "Ana" in page.only("h1").text
    assert pays in page.only("section", id="debts").text
    assert 4 == len(page.only("div", id="sheet").every("th", role="columnheader")) - 1
    assert "/new/" == page.link("Start playing" if region == "en" else "Empezar a jugar")
    assert not Table.objects.exists()
