"""The summary of a season or a year: champion, broken records, the text and the picture to send."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.nights import night_of
from tests.reader import open_page, read_page
from tests.tables import end_season

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def begun(table):
    table.seasons.update(starts_on=date(2020, 1, 1))


def ends(table, days, name):
    """End the newest season so many days ago, and begin the next one under this name."""
    return end_season(table, last_day=night_of(now(), table) - timedelta(days=days), next_name=name)


@pytest.fixture
def two_seasons(table, play):
    """The seasons of a table: in the first Beto won a pot of 300, in the second Ana one of 400.

    In the second season Ana came before Beto in all of five games.
    """
    play("beto", "ana", "caro", days=40)
    ends(table, 30, "Segunda")
    play("ana", "beto", "caro", "dani", days=20)
    for days in (19, 18, 17, 16):
        play("ana", "beto", days=days)
    ends(table, 10, "Tercera")
    return list(table.seasons.all())


def shown(client, table, season):
    return open_page(client, reverse("season-summary", args=[table.code, season.pk]))


def test_the_page_shows_the_podium_the_broken_record_and_the_rivals(ana, table, two_seasons):
    page = shown(ana, table, two_seasons[1])

    assert [
        "1 A Ana 1.40 points a game · 5 games · 5 won +$ 700",
        "2 C Caro 1.00 points a game · 1 game · 0 won −$ 100",
        "3 B Beto 0.40 points a game · 5 games · 0 won −$ 500",
    ] == [step.text for step in page.only("ol", id="podium").every("a")]
    assert "Order: by points a game, because not all played equally many games." in page.only("main").text
    fallen = page.only("div", id="fallen").text
    assert "Biggest pot" in fallen
    assert "before: $ 300, Beto" in fallen
    assert ["Ana beats Beto 5 times of 5"] == [
        line.text.partition(": ")[2] for line in page.only("div", id="rivals").every("p")
    ]


def test_the_text_and_the_picture_to_send_name_the_same_champion_as_the_page(ana, table, two_seasons):
    page = shown(ana, table, two_seasons[1])
    text = page.only("textarea", id="message").text
    drawn = json.loads(page.only("button", data_file="segunda.png").attrs["data-drawn"])

    assert "Ana is the champion" in text
    assert "Ana is the champion" == drawn["title"]
    assert [("1", "Ana", True), ("2", "Caro", False)] == [
        (one["place"], one["name"], one["won"]) for one in drawn["people"]
    ][:2]


def test_the_first_season_shows_records_but_no_broken_ones(ana, table, two_seasons):
    page = shown(ana, table, two_seasons[0])

    assert [] == page.every("div", id="fallen")
    assert "Biggest pot" in page.only("div", id="feats").text


def test_equally_good_members_share_the_title(ana, table, play):
    play("ana", "beto", days=2)
    play("beto", "ana", days=1)
    ends(table, 1, "Otra")

    assert "Ana and Beto share the title" in shown(ana, table, table.seasons.first()).only("main").text


def test_the_new_season_is_empty_and_links_to_the_end_of_the_previous_one(ana, table, two_seasons):
    page = read_page(ana.get(reverse("season", args=[table.code])))

    assert "No game of this season has ended yet." in page.only("main").text
    assert reverse("season-summary", args=[table.code, two_seasons[1].pk]) == page.link(
        "Ana is the champion How Segunda ended"
    )


def test_a_year_has_a_summary_of_its_own(ana, table, two_seasons):
    year = (night_of(now(), table) - timedelta(days=16)).year  # of the last game that Ana won
    page = open_page(ana, reverse("year-summary", args=[table.code, year]))

    title = "Ana is the champion" if year < night_of(now(), table).year else "Ana leads"
    assert title in page.only("main").text
    assert f"{table.name} · {year}" in page.only("textarea", id="message").text
    assert f"?season=all&from={year}-01-01&to={year}-12-31" in page.link("The full standings")


def test_a_season_that_goes_on_has_somebody_who_leads(ana, table, play):
    play("ana", "beto")
    page = shown(ana, table, table.seasons.get())

    assert "Ana leads" in page.only("main").text


def test_unknown_seasons_and_years_are_a_404(ana, table):
    assert 404 == ana.get(reverse("season-summary", args=[table.code, 99999999])).status_code
    assert 404 == ana.get(f"/t/{table.code}/seasons/{10**20}/").status_code
    assert [404, 404] == [
        ana.get(reverse("year-summary", args=[table.code, year])).status_code for year in (1899, 2999)
    ]
