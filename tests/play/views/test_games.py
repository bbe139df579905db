"""The list of a table's games, in pages, searched by words and filtered by status."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from games.common import days
from games.models import Game, Member
from games.play.services import recording
from games.scoring.events import GameStopped, Stop
from tests.factories import start
from tests.reader import open_page

pytestmark = pytest.mark.django_db

QUERIES = 12


def games_page(client, table, query=""):
    return open_page(client, f"{reverse('games', args=[table.code])}{query}")


def game_tiles(page):
    return [link for link in page.every("a") if link.attrs["href"].startswith("/g/")]


def listed_codes(page):
    return [tile.attrs["href"].split("/")[2] for tile in game_tiles(page)]


@pytest.fixture
def games(table, owner, play):
    """Games by name: finished ones, a running one and a discarded one."""
    codes = {
        "anas": play("ana", "beto", "caro", days=400),
        "betos": play("beto", "ana", days=7),
        "away": play("dani", "ana", days=3),
        "going": start(table, owner, variant="chinchon"),
    }
    recording.discard_game(codes["away"])
    return codes


def test_the_list_shows_games_by_night_and_to_a_witness_without_links_to_the_nights(ana, waldo, table, games):
    page = games_page(ana, table)

    assert [games[name].code for name in ("going", "betos", "anas")] == listed_codes(page)
    assert ["Chinchón", "Loba de Menos", "Loba de Menos"] == [
        tile.every("b")[0].text for tile in game_tiles(page)
    ]
    assert "won by Beto · pot $200" in page.only("main").text
    assert "3 games" in page.only("h1").text
    theirs = games_page(waldo, table)
    assert listed_codes(page) == listed_codes(theirs)
    assert (3, 0) == tuple(len(seen.every("a", class_="placename")) for seen in (page, theirs))


@pytest.mark.parametrize(
    ("stop", "sentence"), [("split_pot", "They split the pot"), ("refund", "nobody won")]
)
def test_a_game_stopped_without_a_winner_says_what_became_of_its_pot(
    ana, table, owner, write, stop, sentence
):
    game = start(table, owner)
    write(game, GameStopped(Stop(stop)))
    night = reverse("night", args=[table.code, date.fromordinal(game.night_number)])

    assert sentence in games_page(ana, table).only("main").text
    assert sentence in open_page(ana, night).only("main").text


def test_games_can_be_searched_for_by_words_and_by_their_status(subtests, ana, table, games):
    old = days.night_for(now() - timedelta(days=400), table).year
    for query, names in [
        ("words=CARO", "going anas"),
        ("words=lobá bet", "betos anas"),
        ("words=chinchon", "going"),
        (f"words={old} caro", "anas"),
        ("words=1984", ""),
        ("words=ana zz", ""),
        ("standing=under_way", "going"),
        ("standing=ended", "betos anas"),
        ("words=dani&standing=discarded", "away"),
        ("standing=lost&page=x", "going betos anas"),
    ]:
        with subtests.test(query=query, names=names):
            assert [games[name].code for name in names.split()] == listed_codes(
                games_page(ana, table, f"?{query}")
            )


def test_a_year_finds_the_games_from_its_first_night_to_its_last(ana, table, owner):
    nights = [date(2024, 12, 31), date(2025, 1, 1), date(2025, 12, 31), date(2026, 1, 1)]
    games = [start(table, owner) for _night in nights]
    for game, night in zip(games, nights, strict=True):
        Game.objects.filter(pk=game.pk).update(night_number=night.toordinal())

    assert [games[2].code, games[1].code] == listed_codes(games_page(ana, table, "?words=2025"))


def test_games_of_a_merged_member_are_found_under_both_names(ana, table, games):
    beto, dani = (Member.objects.get(slug=slug) for slug in ("beto", "dani"))
    Member.objects.filter(pk=dani.pk).update(merged_into=beto)

    for query in ("words=beto", "words=dani"):
        assert [games[name].code for name in ("going", "betos", "anas")] == listed_codes(
            games_page(ana, table, f"?{query}")
        )


def test_older_games_are_on_the_next_page_with_the_filter_kept(ana, table, play):
    for age in range(22):
        play("ana", "beto", days=age)
    first = games_page(ana, table, "?words=ana")
    second = games_page(ana, table, first.link("Older"))

    assert (20, 2) == (len(listed_codes(first)), len(listed_codes(second)))
    assert "?words=ana&page=1" == second.link("Newer")
    assert "22 games" in second.only("h1").text


def test_an_empty_list_has_a_sentence(ana, table):
    assert "No games yet." in games_page(ana, table).only("main").text
    assert "No games match." in games_page(ana, table, "?words=ana").only("main").text


def test_the_number_of_queries_does_not_grow_with_the_number_of_games(ana, table, owner, play):
    counts = []
    games_page(ana, table)
    for _more in range(2):
        play("ana", "beto")
        start(table, owner)
        recording.discard_game(start(table, owner))
        with CaptureQueriesContext(connection) as captured:
            games_page(ana, table, "?words=ana+beto")
        counts.append(len(captured))

    assert counts[0] == counts[1] <= QUERIES
