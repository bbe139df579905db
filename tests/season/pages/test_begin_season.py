"""Beginning a season, which ends the one before it, and dropping one that began by mistake."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from tests.reader import Walker, open_page, read_page
from tests.tables import end_season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tonight")]


@pytest.fixture
def seasons(table):
    table.seasons.update(starts_on=date(2026, 3, 1))
    return reverse("seasons", args=[table.code])


def days_of(table):
    return list(table.seasons.values_list("name", "starts_on"))


def test_an_owner_begins_a_season_and_drops_it_again(ana, table, seasons):
    walker = Walker(ana)
    walker.open(seasons)
    walker.press("Begin the season", **{"name": "Verano", "order": "money"})
    assert [("2026", date(2026, 3, 1)), ("Verano", date(2026, 11, 19))] == days_of(table)
    assert ["", "money"] == list(table.seasons.values_list("order", flat=True))

    walker.press("Delete it: its games go to the season before")
    assert [("2026", date(2026, 3, 1))] == days_of(table)


def test_after_a_game_tonight_the_form_proposes_tomorrow(ana, table, seasons, play):
    form, _button = open_page(ana, seasons).form_with("Begin the season")
    assert "2026-11-19" == form.fields["first_day"]

    play("ana", "beto")
    form, _button = open_page(ana, seasons).form_with("Begin the season")
    assert "2026-11-20" == form.fields["first_day"]


def test_an_invalid_season_is_refused_beside_its_field_and_keeps_what_was_typed(
    subtests, ana, table, seasons
):
    before = days_of(table)
    for typed, field, sentence in [
        ({"name": "", "first_day": "2026-07-01"}, "name", "Enter a name."),
        ({"name": "2026", "first_day": "2026-07-01"}, "name", "There is already a season called 2026."),
        ({"name": "x", "first_day": "2026-03-01"}, "first_day", "It must begin after the previous season."),
        ({"name": "x", "first_day": "2026-11-21"}, "first_day", "That day is in the future."),
        ({"name": "x", "first_day": ""}, "first_day", "Choose a day."),
        (
            {"name": "x", "first_day": "2026-07-01", "order": "luck"},
            "order",
            "Choose what the table is sorted by.",
        ),
    ]:
        with subtests.test(typed=typed):
            response = ana.post(reverse("begin-season", args=[table.code]), typed)
            page = read_page(response)
            form, _button = page.form_with("Begin the season")

            assert (422, sentence) == (response.status_code, page.said_at(field))
            assert typed["name"] == form.fields["name"]
            assert before == days_of(table)


@pytest.mark.parametrize("address", ["change-season", "drop-season"])
def test_a_form_about_a_season_that_no_longer_exists_gets_409_and_the_present_seasons(
    ana, table, seasons, address
):
    gone = end_season(table, last_day=date(2026, 6, 30), next_name="Invierno")
    number = gone.pk
    ana.post(reverse("drop-season", args=[table.code]), {"season": number})
    sent = {"season": number, "first_day": "2026-07-02", "name": "x"}
    response = ana.post(reverse(address, args=[table.code]), sent)

    assert 409 == response.status_code
    assert "Not saved: the seasons have changed." in read_page(response).only("main").text
    assert [("2026", date(2026, 3, 1))] == days_of(table)


def test_the_first_season_has_no_button_that_drops_it(ana, table, seasons):
    assert [] == [
        form
        for form in open_page(ana, seasons).every("form")
        if form.attrs["action"] == reverse("drop-season", args=[table.code])
    ]
