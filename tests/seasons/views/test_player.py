"""A member's season: figures with their ranks, every game, and the results against another member."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import SeasonOrder
from games.scoring.events import GameStopped, PlayerStayedOut, Stop
from tests.factories import build_round, start
from tests.reader import open_page

pytestmark = pytest.mark.django_db

QUERIES, WITH_A_DUEL = 14, 19
RULE = "Points: one for each player you finish ahead of."


def address(table, member="ana"):
    return reverse("player", args=[table.code, member])


def player_page(client, table, member="ana", query=""):
    return open_page(client, f"{address(table, member)}{query}")


def facts(page):
    """Return the figures at the top of the page by name, each with its rank."""
    return {
        row.only("dt").text: " ".join(part.text for part in row.every("dd"))
        for row in page.only("dl", class_="card facts").every("div")
    }


def career_figures(page):
    """Return the member's figures below those at the top."""
    return {
        row.only("dt").text: row.only("dd").text for row in page.only("dl", class_="card rows").every("div")
    }


def tiles(page, part):
    """Return the text of the tiles in one part of the page."""
    return [tile.text for tile in page.only("div", id=part).every("a")]


def test_the_page_shows_streaks_rounds_won_the_best_game_and_re_entries(ana, table, finished, write, owner):
    assert {
        "Current win streak": "1",
        "Longest win streak": "1",
        "Rounds won": "3",
        "Best game": "+$400",
    } == career_figures(player_page(ana, table))
    assert {"Comebacks most in one game: 1": "1"} == career_figures(player_page(ana, table, "beto"))


def test_the_page_has_figures_with_ranks_every_game_each_variant_and_the_wins_against_each_other_member(
    ana, table, three_games
):
    page = player_page(ana, table)

    assert {
        "Won": "2 1st of 4",
        f"Points {RULE}": "8 1st of 4",
        f"Per game {RULE}": "2.67 1st of 4",
    } == facts(page)
    cloth = page.only("div", class_="cloth career").only("p").text
    assert cloth.startswith("Money · 1st of 4 +$500 last games:")
    assert [
        "won · 3 points for the season +$300",
        "2nd place · 2 points for the season −$100",
        "won · 3 points for the season +$300",
    ] == [tile.split(" · ", 1)[1] for tile in tiles(page, "games")]
    assert [reverse("settlement", args=[game.code]) for game in reversed(three_games)] == [
        tile.attrs["href"] for tile in page.only("div", id="games").every("a")
    ]
    assert ["Loba de Menos 3 games · 2 won · 2.67 points a game for the season +$500"] == tiles(
        page, "variants"
    )
    assert "?game=loba_menos" == page.only("div", id="variants").only("a").attrs["href"]
    assert [
        "B Beto finished ahead of Beto in 2 of 3 games times ahead, times behind 2 – 1",
        "C Caro finished ahead of Caro in 3 of 3 games times ahead, times behind 3 – 0",
        "D Dani finished ahead of Dani in 3 of 3 games times ahead, times behind 3 – 0",
    ] == tiles(page, "duels")
    assert "A Ana finished ahead of Ana in 1 of 3 games times ahead, times behind 1 – 2" in tiles(
        player_page(ana, table, "beto"), "duels"
    )


def test_where_nobody_played_for_money_the_page_shows_none(ana, table, owner, write):
    game = start(table, owner, settlement="none")
    write(game, build_round("ana", beto=10, caro=20, dani=30))
    write(game, GameStopped(Stop.LOWEST_WINS))

    assert "$" not in player_page(ana, table).only("main").text


def test_the_line_of_a_season_goes_through_the_sums_of_its_games_and_needs_two_of_them(
    ana, table, three_games
):
    def path_data(query=""):
        return [path.attrs["d"] for path in player_page(ana, table, query=query).every("path")]

    assert ["M0 38H100", "M0 38L33 16L66 23L100 2"] == path_data()
    table.seasons.update(order=SeasonOrder.WINS)
    assert ["M0 38H100", "M0 38L33 20L66 20L100 2"] == path_data()
    assert [] == path_data("?year=2001")


def test_a_refunded_game_is_listed_but_not_counted(ana, table, owner, write, three_games):
    game = start(table, owner, stake=100)
    write(game, build_round("ana", beto=10, caro=40, dani=60), GameStopped(Stop.REFUND))
    page = player_page(ana, table)

    assert "everyone got their money back" in tiles(page, "games")[0]
    assert "2 1st of 4" == facts(page)["Won"]


def test_a_shared_pot_gives_nobody_a_place_in_the_list_in_the_last_games_and_against_each_other(
    ana, table, owner, write, three_games
):
    game = start(table, owner, stake=100)
    write(game, build_round("ana", beto=10, caro=101, dani=60), PlayerStayedOut("caro"))
    write(game, GameStopped(Stop.SPLIT_POT))
    page = player_page(ana, table, query="?against=beto")

    assert "They split the pot · 1 point for the season +$33" in tiles(page, "games")[0]
    assert "They split the pot −$100" in tiles(player_page(ana, table, "caro"), "games")[0]
    assert (
        "last games: won, in between, won, They split the pot" in page.only("div", class_="cloth career").text
    )
    assert "places" not in page.only("div", id="meetings").every("a")[0].text
    assert "places" in page.only("div", id="meetings").every("a")[1].text
    assert "2 1st of 4" == facts(page)["Won"]


def test_the_page_of_a_merged_member_redirects_to_the_member_merged_into(ana, table, three_games):
    caro, dani = (table.members.get(slug=slug) for slug in ("caro", "dani"))
    table.members.filter(pk=dani.pk).update(merged_into=caro)
    response = ana.get(f"{address(table, 'dani')}?game=loba_menos")

    assert f"{address(table, 'caro')}?game=loba_menos" == response.url


def test_the_page_of_an_unknown_member_is_a_404(subtests, ana, table):
    for member in ["nobody", "eva", "ANA", "1"]:
        with subtests.test(member=member):
            assert 404 == ana.get(address(table, member)).status_code


# --- against another member -------------------------------------------------------------------------------------------


@pytest.fixture
def four_games(play):
    return [
        play("ana", "beto", "caro", days=3),
        play("beto", "ana", "caro", days=2),
        play("caro", "ana", "beto", days=1),
        play("ana", "caro"),
    ]


def test_the_results_of_two_members_stand_side_by_side_with_the_games_that_both_played(
    ana, table, four_games
):
    page = player_page(ana, table, query="?against=beto")
    rows = page.every("dl", class_="card rows")[0].every("div")
    meetings = page.only("div", id="meetings").every("a")

    assert "Ana – Beto" in [title.text for title in page.every("h2")]
    assert {
        "Times ahead": "2 – 1",
        "Games won": "1 – 1",
        "Ana's money in these games": "$0",
        "Beto's money in these games": "$0",
    } == {row.only("dt").text.split(" · ")[0].removesuffix(" 3 games"): row.only("dd").text for row in rows}
    assert [
        reverse("settlement", args=[game.code]) for game in (four_games[2], four_games[1], four_games[0])
    ] == [tile.attrs["href"] for tile in meetings]
    assert ["2 – 3", "2 – 1", "1 – 2"] == [tile.text.rsplit("places ", 1)[1] for tile in meetings]
    assert ["places"] * 3 == [tile.only("small").text for tile in meetings]
    assert "Ana −$100 · Beto −$100" in meetings[0].text


def test_a_game_with_a_shared_place_counts_as_level(ana, table, owner, write):
    write(start(table, owner), build_round("caro", ana=102, beto=102, dani=103))

    assert "tied once" in player_page(ana, table, query="?against=beto").only("main").text


@pytest.mark.parametrize("other", ["ana", "nobody", ""])
def test_a_duel_with_oneself_or_an_unknown_member_is_not_shown(ana, table, four_games, other):
    assert [] == player_page(ana, table, query=f"?against={other}").every("div", id="meetings")


def test_the_page_with_a_duel_takes_at_most_nineteen_queries(
    ana, table, four_games, django_assert_max_num_queries
):
    player_page(ana, table)
    with django_assert_max_num_queries(WITH_A_DUEL):
        player_page(ana, table, query="?against=beto&season=all")
