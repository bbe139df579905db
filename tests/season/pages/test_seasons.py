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


def test_every_season_is_there_the_newest_first(ana, table, two, play):
    play("ana", "beto")

    assert [
        "Invierno since 01/07/2026 · 1 game",
        "2026 01/03/2026 – 30/06/2026 · 0 games",
        "All seasons",
    ] == tiles(shown(ana, table))


def test_the_season_that_goes_on_leads_to_its_table_and_one_that_is_over_to_its_end(ana, table, two):
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
def test_the_next_season_is_called_as_no_other_is(ana, table, two, names, name):
    for season, called in zip(table.seasons.all(), names, strict=True):
        table.seasons.filter(pk=season.pk).update(name=called)

    assert name == shown(ana, table).only("details", id="close").only("form").fields["next-name"]


def test_the_only_season_needs_no_page_of_all(ana, table):
    assert 1 == len(tiles(shown(ana, table)))


def test_an_owner_may_close_change_and_open_again(ana, table, two):
    page = shown(ana, table)

    assert {"close-season", "change-season", "reopen-season"} == {
        name
        for name in ("close-season", "change-season", "reopen-season")
        for form in page.every("form")
        if form.attrs["action"] == reverse(name, args=[table.code])
    }


@pytest.mark.parametrize("role", [Role.SCORER, Role.WITNESS])
def test_nobody_else_is_offered_anything(phone_of, table, two, role):
    user = make_user("eva")
    Grant.objects.create(user=user, table=table, role=role)

    assert [] == shown(phone_of(user), table).every("form")


def test_only_the_season_closed_last_is_offered_to_be_opened_again(ana, table, two):
    close_season(table.seasons.get(ends_on=None), last_day=date(2026, 9, 30), next_name="Primavera")
    forms = [
        form
        for form in shown(ana, table).every("form")
        if form.attrs["action"] == reverse("reopen-season", args=[table.code])
    ]

    assert [str(table.seasons.get(name="Invierno").pk)] == [form.fields["season"] for form in forms]


def test_what_is_proposed_makes_sense(ana, table):
    form, _button = shown(ana, table).form_with("Close the season")

    assert {"last-day": "2026-11-19", "next-name": "2026 (2)"} == {
        name: form.fields[name] for name in ("last-day", "next-name")
    }


def test_on_new_years_eve_the_next_season_is_the_next_year(ana, table, time_machine):
    time_machine.move_to("2027-01-01T01:00Z", tick=False)
    form, _button = shown(ana, table).form_with("Close the season")

    assert "2027" == form.fields["next-name"]


def test_the_first_season_is_said_to_begin_with_its_oldest_game(ana, table, play):
    play("ana", "beto", days=900)
    page = shown(ana, table)
    first_night = "2024-06-02"

    assert ["2026 since 02/06/2024 · 1 game"] == tiles(page)
    assert [first_night] == [
        form.fields["first-day"] for form in page.every("form") if "first-day" in form.fields
    ]
