"""The seasons of a table and the forms for its owners."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from games.models import Grant, Role
from games.season.seasons import close_season
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


def test_the_open_season_links_to_its_standings_and_a_closed_one_to_its_finale(ana, table, two):
    first, winter = table.seasons.all()
    links = [tile.attrs["href"] for tile in shown(ana, table).only("div", id="seasons").every("a")]

    assert [
        f"{reverse('season', args=[table.code])}?season={winter.pk}",
        reverse("finale", args=[table.code, first.pk]),
    ] == links[:2]


@pytest.mark.parametrize(
    ("names", "name"),
    [(("2026", "Verano"), "2026 (2)"), (("2026", "2026 (2)"), "2026 (3)"), (("A", "B"), "2026")],
)
def test_the_proposed_name_of_the_next_season_is_unique(ana, table, two, names, name):
    for season, called in zip(table.seasons.all(), names, strict=True):
        table.seasons.filter(pk=season.pk).update(name=called)

    assert name == shown(ana, table).only("details", id="close").only("form").fields["next-name"]


def test_a_table_with_one_season_does_not_list_all_seasons(ana, table):
    assert 1 == len(tiles(shown(ana, table)))


def test_an_owner_sees_the_forms_to_close_change_and_reopen_a_season(ana, table, two):
    page = shown(ana, table)

    assert {"close-season", "change-season", "reopen-season"} == {
        name
        for name in ("close-season", "change-season", "reopen-season")
        for form in page.every("form")
        if form.attrs["action"] == reverse(name, args=[table.code])
    }


@pytest.mark.parametrize("role", [Role.SCORER, Role.WITNESS])
def test_scorers_and_witnesses_see_no_form(phone_of, table, two, role):
    user = make_user("eva")
    Grant.objects.create(user=user, table=table, role=role)

    assert [] == shown(phone_of(user), table).every("form")


def test_only_the_season_closed_last_can_be_reopened(ana, table, two):
    close_season(table.seasons.get(ends_on=None), last_day=date(2026, 9, 30), next_name="Primavera")
    forms = [
        form
        for form in shown(ana, table).every("form")
        if form.attrs["action"] == reverse("reopen-season", args=[table.code])
    ]

    assert [str(table.seasons.get(name="Invierno").pk)] == [form.fields["season"] for form in forms]


def test_the_closing_form_proposes_today_and_a_free_name(ana, table):
    form, _button = shown(ana, table).form_with("Close the season")

    assert {"last-day": "2026-11-19", "next-name": "2026 (2)"} == {
        name: form.fields[name] for name in ("last-day", "next-name")
    }


def test_on_new_years_eve_the_proposed_name_is_the_next_year(ana, table, time_machine):
    time_machine.move_to("2027-01-01T01:00Z", tick=False)
    form, _button = shown(ana, table).form_with("Close the season")

    assert "2027" == form.fields["next-name"]


def test_the_first_season_begins_with_its_oldest_game(ana, table, play):
    play("ana", "beto", days=900)
    page = shown(ana, table)
    first_night = "2024-06-02"

    assert ["2026 since 02/06/2024 · 1 game"] == tiles(page)
    assert [first_night] == [
        form.fields["first-day"] for form in page.every("form") if "first-day" in form.fields
    ]
