"""The page of a season: the podium, the table's order, the ranking, the tales, the texts to send."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.common import days
from games.models import SeasonOrder
from games.scoring.events import GameStopped, Stop
from games.seasons import presenters
from games.tables.services import membership
from tests.factories import build_round, end_season, make_table, start
from tests.reader import Walker, open_page, picture_data, read_page

pytestmark = pytest.mark.django_db

QUERIES = 17


def season_page(client, table, query=""):
    return open_page(client, f"{reverse('season', args=[table.code])}{query}")


def podium(page):
    """Return the steps of the podium, the leader's first: the name, and the figure with the place."""
    return [
        (step.only("span", class_="name").text, step.only("span", class_="step").text)
        for step in page.only("ol", id="podium").every("li")
    ]


def ranking(page):
    """Return the rows below the podium: the place, the name and the figure."""
    return [
        (row.only("b", class_="place").text, row.only("span", class_="name").text, row.every("b")[-1].text)
        for ledger in page.every("ol", id="ranking")
        for row in ledger.every("li")
    ]


def ranked_names(page):
    return [name for name, _figure in podium(page)] + [name for _place, name, _figure in ranking(page)]


def tales(page):
    """Return each tale: its value and the member it names."""
    return {
        tale.every("span", class_="sub")[
            0
        ].text: f"{tale.only('b').text} {tale.every('span', class_='sub')[1].text}"
        for tale in page.only("div", id="tales").inside
        if not isinstance(tale, str)
    }


def chosen_order(page):
    (seg,) = page.every("form", class_="seg") + page.every("nav", class_="seg")
    pressed = seg.every("button", aria_pressed="true") + seg.every("a", aria_current="true")
    return [choice.text for choice in pressed]


# --- the order --------------------------------------------------------------------------------------------------------


def test_who_share_the_third_place_both_stand_on_the_podium_by_money_where_there_is_money(
    ana, table, three_games
):
    page = season_page(ana, table)

    assert [
        ("Ana", "+$500 1st place"),
        ("Beto", "+$100 2nd place"),
        ("Caro", "−$300 3rd place"),
        ("Dani", "−$300 3rd place"),
    ] == podium(page)
    assert ["1", "2", "3", "3"] == [
        step.attrs["data-place"] for step in page.only("ol", id="podium").every("li")
    ]
    assert [] == ranking(page)
    assert ["Money", "Won", "Points", "Per game"] == [
        choice.text for choice in page.only("form", class_="seg").every("button")
    ]
    assert ["Money"] == chosen_order(page)
    assert "3 games · 3 nights" in page.only("h1").text


def test_nobody_leads_a_season_in_which_nobody_is_ahead(ana, table, owner, write):
    game = start(table, owner, stake=100)
    write(game, build_round("ana", beto=10, caro=40, dani=60), GameStopped(Stop.SPLIT_POT))
    page = season_page(ana, table)

    steps = page.only("ol", class_="podium level").every("li")
    assert [("Ana", "0 wins"), ("Beto", "0 wins"), ("Caro", "0 wins"), ("Dani", "0 wins")] == podium(page)
    assert [{}, {}, {}, {}] == [step.attrs for step in steps]
    poster = picture_data(page)
    assert ("Quedan a mano", "", 4) == tuple(poster[part] for part in ("title", "prize", "standing"))
    assert {("", False)} == {(person["place"], person["won"]) for person in poster["people"]}
    assert "Ana · 0 ganadas · 1 partida" in page.only("textarea", id="message").inside[0].split("\n")


def test_a_tap_chooses_the_order_for_everybody_at_the_table_and_for_the_seasons_to_come(
    ana, waldo, table, three_games
):
    walker = Walker(ana)
    walker.open(reverse("season", args=[table.code]))
    walker.press("Points")
    end_season(table, last_day=days.night_for(now(), table) - timedelta(days=3), next_name="Otra")

    assert [
        ("Ana", "3 points · 1st place"),
        ("Dani", "2 points · 2nd place"),
        ("Caro", "1 point · 3rd place"),
    ] == (podium(season_page(waldo, table)))
    assert ["points", "points"] == list(table.seasons.values_list("order", flat=True))


def test_who_only_watches_looks_at_another_order_and_changes_nothing(waldo, table, three_games):
    page = season_page(waldo, table, season_page(waldo, table).link("Won"))

    assert ["Won"] == chosen_order(page)
    assert [] == page.every("form")
    assert 403 == waldo.post(reverse("season", args=[table.code]), {"by": "wins"}).status_code
    assert "" == table.seasons.get().order


def test_an_order_for_all_seasons_is_that_of_the_newest(ana, table, three_games):
    end_season(table, last_day=days.night_for(now(), table) - timedelta(days=3), next_name="Otra")
    response = ana.post(f"{reverse('season', args=[table.code])}?season=all&game=loba_menos", {"by": "wins"})

    assert f"{reverse('season', args=[table.code])}?season=all&game=loba_menos" == response.url
    assert ["", "wins"] == list(table.seasons.values_list("order", flat=True))
    assert ["Won"] == chosen_order(read_page(ana.get(response.url)))


def test_an_unknown_order_is_not_stored(ana, table):
    assert [302, 422] == [
        ana.post(reverse("season", args=[table.code]), {"by": by}).status_code for by in ("", "luck")
    ]
    assert "" == table.seasons.get().order


def test_points_per_game_rank_only_members_with_a_third_of_the_most_games(ana, table, play):
    membership.add(table, "Eva")
    table.seasons.update(order=SeasonOrder.AVERAGE)
    for _game in range(6):
        play("ana", "beto")
    play("eva", "ana")
    page = season_page(ana, table)

    assert [("", "Eva", "1.00 points a game")] == ranking(page)
    assert "Unranked: too few games." in page.only("main").text
    assert ["Per game"] == chosen_order(page)


# --- which games ------------------------------------------------------------------------------------------------------


def test_invalid_query_parameters_are_ignored(subtests, ana, table, three_games):
    for query in (
        "?by=luck",
        "?season=99999999",
        "?season=%00",
        "?year=1.5e",
        "?game=<b>",
        "?by=wins&by=money",
    ):
        with subtests.test(query=query):
            assert 4 == len(ranked_names(season_page(ana, table, query)))


def test_each_season_and_each_year_shows_its_own_games_and_all_seasons_show_every_game(
    ana, table, three_games
):
    tonight = days.night_for(now(), table)
    table.seasons.update(starts_on=tonight - timedelta(days=30))
    first = table.seasons.get()
    end_season(first.table, last_day=tonight - timedelta(days=3), next_name="Verano")
    queries = ("", f"?season={first.pk}", "?season=all", f"?year={tonight.year - 1}")
    newest, oldest, everything, last_year = (season_page(ana, table, query) for query in queries)

    assert ["1 game", "2 games", "3 games", "0 games"] == [
        page.only("h1").only("small").text.split(" · ")[0] for page in (newest, oldest, everything, last_year)
    ]
    assert ["Verano", f"Season {first.name}", "All seasons", f"Season {tonight.year - 1}"] == [
        page.only("h1").only("button").text for page in (newest, oldest, everything, last_year)
    ]


def test_a_season_that_is_over_has_champions_and_one_that_goes_on_has_not(ana, table, play):
    play("ana", "beto", days=9)
    play("beto", "ana", days=8)
    table.seasons.update(starts_on=days.night_for(now(), table) - timedelta(days=30))
    end_season(table, last_day=days.night_for(now(), table) - timedelta(days=5), next_name="Otra")
    play("ana", "beto")

    assert (
        "Ana and Beto share the title" in season_page(ana, table, f"?season={table.seasons.first().pk}").text
    )
    assert "champion" not in season_page(ana, table).only("div", class_="cloth").text


def test_a_season_that_begins_tomorrow_waits_behind_the_one_under_way(ana, table, finished):
    later = end_season(table, last_day=days.night_for(now(), table), next_name="Verano")
    nothing = "The podium waits"

    assert nothing not in season_page(ana, table).only("main").text
    assert nothing in season_page(ana, table, f"?season={later.pk}").only("main").text


# --- tales, and what is sent ------------------------------------------------------------------------------------------


def test_the_tales_include_records_of_the_played_card_game(ana, table, finished, write, owner):
    game = start(table, owner, stake=500)
    write(game, build_round("caro", closing="in_one_go", ana=95, beto=20, dani=20))
    write(game, build_round("caro", ana=3, beto=20, dani=20))
    write(game, build_round("caro", ana=101, beto=101, dani=101))
    page = season_page(ana, table)

    assert {
        "Most comebacks in one game": "1 Beto",
        "Biggest pot": "$2,000 Caro",
        "Most rounds in a row survived above 90": "1 round Ana",
        "Shortest game": "3 rounds Ana, Caro",
        "Most times going out in one go": "1 Caro",
        "Longest win streak": "1 Ana, Caro",
    } == tales(page)


def test_the_classic_is_the_duel_of_the_two_who_met_most_often(ana, table, play):
    for day_count in range(5):
        play("ana", "beto", days=day_count)
    play("beto", "ana", "caro", days=6)

    assert "5 to 1 Ana leads" == tales(season_page(ana, table))["Rivalry"]


def test_the_text_and_the_picture_to_send_name_the_leader_of_the_page_in_the_tables_language(
    ana, table, three_games
):
    page = season_page(ana, table)
    text = page.only("textarea", id="message").text
    picture = picture_data(page)

    assert page.only("button", data_file=f"temporada-{table.seasons.get().name}.png")
    assert "Ana va adelante" in text
    assert "1. Ana · +$ 500 · 3 partidas" in text
    assert "El pozo récord: $ 400, Ana, Beto" in text
    assert ("Ana va adelante", "por plata") == (picture["title"], picture["reason"])
    assert (4, "+$ 500") == (picture["standing"], picture["prize"])
    assert [("1.º", "Ana", True), ("2.º", "Beto", False), ("3.º", "Caro", False), ("3.º", "Dani", False)] == [
        (person["place"], person["name"], person["won"]) for person in picture["people"]
    ]


def test_the_picture_shows_who_stands_below_the_podium_and_counts_the_last_of_many(
    ana, owner, write, monkeypatch
):
    names = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede")
    table = make_table(owner, people=names)
    write(
        start(table, owner, packs=3, stake=100),
        build_round("ana", beto=101, caro=101, dani=101, eva=101, fede=101),
    )
    season = season_page(ana, table)
    assert (1, [*names], []) == shown_on_poster(season)

    monkeypatch.setattr(presenters, "MAX_BELOW_PODIUM", 3)
    assert (1, ["Ana", "Beto", "Caro", "Dani"], ["… y 2 más."]) == shown_on_poster(season_page(ana, table))


def shown_on_poster(page):
    """Return how many stand on the podium, everybody's name, and the line that counts the others."""
    poster = picture_data(page)
    notes = [note for note in poster["notes"] if note.startswith("…")]
    return poster["standing"], [person["name"] for person in poster["people"]], notes


# --- rights, how much it asks of the database -------------------------------------------------------------------------


def test_only_a_witness_who_is_a_member_gets_a_link_to_the_accounts(
    waldo, ana, client_as, table, three_games
):
    page, accounts = season_page(waldo, table), reverse("accounts", args=[table.code])

    assert ranked_names(season_page(ana, table)) == ranked_names(page)
    assert [] == [link for link in page.every("a") if "/accounts/" in link.attrs["href"]]
    assert [accounts] * 2 == [
        season_page(phone, table).link("Accounts") for phone in (ana, client_as("dani"))
    ]


def test_the_season_page_takes_at_most_seventeen_queries(
    ana, table, three_games, django_assert_max_num_queries
):
    season_page(ana, table)  # the day's first page renews the session
    with django_assert_max_num_queries(QUERIES):
        season_page(ana, table, "?season=all&game=loba_menos")
