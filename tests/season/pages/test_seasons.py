"""The seasons of a table and the forms for its owners."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Grant, Role
from tests.reader import open_page
from tests.tables import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tonight")]


def shown(client, table):
    return open_page(client, reverse("seasons", args=[table.code]))


def tiles(page):
    return [tile.text for tile in page.only("div", id="seasons").every("a")]


def test_every_season_is_listed_newest_first(ana, table, two, play):
    play("ana", "beto")

    assert [
        "Invierno since 01/07/2026 · 1 game",
        "2026 01/03/2026 – 30/06/2026 · 0 games",
        "All seasons",
    ] == tiles(shown(ana, table))


def test_every_season_links_to_its_standings_and_every_year_to_its_summary(ana, table, two, play):
    play("ana", "beto")
    first, winter = table.seasons.all()
    page = shown(ana, table)

    assert [f"{reverse('season', args=[table.code])}?season={season.pk}" for season in (winter, first)] == [
        tile.attrs["href"] for tile in page.only("div", id="seasons").every("a")
    ][:2]
    assert [reverse("year-summary", args=[table.code, 2026])] == [
        tile.attrs["href"] for tile in page.only("div", id="years").every("a")
    ]


@pytest.mark.parametrize(
    ("names", "name"),
    [(("2026", "Verano"), "2026 (2)"), (("2026", "2026 (2)"), "2026 (3)"), (("A", "B"), "2026")],
)
def test_the_proposed_name_of_the_next_season_is_unique(ana, table, two, names, name):
    for season, called in zip(table.seasons.all(), names, strict=True):
        table.seasons.filter(pk=season.pk).update(name=called)

    assert name == shown(ana, table).only("details", id="begin").only("form").fields["name"]


def test_a_table_with_one_season_does_not_list_all_seasons(ana, table):
    assert 1 == len(tiles(shown(ana, table)))


@pytest.mark.parametrize("role", [Role.SCORER, Role.WITNESS])
def test_scorers_and_witnesses_see_no_form(phone_of, table, two, role):
    user = make_user("eva")
    Grant.objects.create(user=user, table=table, role=role)

    assert [] == shown(phone_of(user), table).every("form")


def test_the_first_season_begins_with_its_oldest_game(ana, table, play):
    play("ana", "beto", days=900)
    page = shown(ana, table)
    first_night = "2024-06-02"

    assert ["2026 since 02/06/2024 · 1 game"] == tiles(page)
    assert first_night == page.form_with("Save")[0].fields["first_day"]
