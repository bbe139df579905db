"""Closing a season opens the next one the day after; Undo reopens it."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from games.season.seasons import close_season, reopen_season
from tests.reader import Walker, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tonight")]


@pytest.fixture(autouse=True)
def begun(table):
    table.seasons.update(name="2026", starts_on=date(2026, 3, 1))


@pytest.fixture
def seasons(ana, table):
    """A browser of the owner on the page of the seasons."""
    walker = Walker(ana)
    walker.open(reverse("seasons", args=[table.code]))
    return walker


def test_closing_opens_the_next(seasons, table):
    seasons.press("Close the season", last_day="2026-06-30", next_name="Invierno")

    assert [("2026", date(2026, 6, 30)), ("Invierno", None)] == list(
        table.seasons.values_list("name", "ends_on")
    )
    assert "2026 is closed" in seasons.page.notices


def test_a_tap_takes_it_back(seasons, table):
    seasons.press("Close the season", last_day="2026-06-30", next_name="Invierno")
    seasons.press("Undo")

    assert [("2026", None)] == list(table.seasons.values_list("name", "ends_on"))


def test_the_day_offered_is_one_that_is_taken_and_none_where_none_would_be(seasons, table, time_machine):
    seasons.press("Close the season")
    assert date(2026, 11, 19) == table.seasons.get(name="2026").ends_on
    assert [] == seasons.page.every("details", id="close")

    time_machine.move_to("2026-11-21T01:00Z", tick=False)
    seasons.open(reverse("seasons", args=[table.code]))
    assert "2026-11-20" == seasons.page.typed("last-day")


@pytest.mark.parametrize("day", ["", "2026-11-19", "2026-11-20"])
def test_a_season_that_has_not_begun_is_not_closed_even_by_hand(ana, table, day):
    following = close_season(table.seasons.get(), last_day=date(2026, 11, 19), next_name="Verano")
    sent = {"season": str(following.pk), "last-day": day, "next-name": "x"}
    response = ana.post(reverse("close-season", args=[table.code]), sent)
    page = read_page(response)

    assert 422 == response.status_code
    assert "" != page.said_at("last-day")
    assert 2 == table.seasons.count()


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        ({"last-day": "2026-02-01", "next-name": "x"}, "last-day", "A season cannot end before it begins."),
        (
            {"last-day": "2026-12-01", "next-name": "x"},
            "last-day",
            "That day is in the future.",
        ),
        ({"last-day": "soon", "next-name": "x"}, "last-day", "Choose a day."),
        ({"last-day": "2026-06-30", "next-name": " "}, "next-name", "Enter a name."),
        (
            {"last-day": "2026-06-30", "next-name": "2026"},
            "next-name",
            "There is already a season called 2026.",
        ),
    ],
)
def test_a_refusal_stands_at_its_field_with_what_was_typed(ana, table, typed, field, sentence):
    sent = {"season": str(table.seasons.get().pk), **typed}
    response = ana.post(reverse("close-season", args=[table.code]), sent)
    page = read_page(response)

    assert 422 == response.status_code
    assert sentence == page.said_at(field)
    assert "open" in page.only("details", id="close").attrs
    if typed["last-day"] != "soon":
        assert typed["last-day"] == page.typed("last-day")
    assert 1 == table.seasons.count()


@pytest.mark.parametrize("season", ["", "x", "99999999999999999999", "-1", "%00"])
def test_a_season_that_is_none_of_this_table_is_not_closed(ana, table, stranger, season):
    sent = {"season": season, "last-day": "2026-06-30", "next-name": "x"}

    assert 404 == ana.post(reverse("close-season", args=[table.code]), sent).status_code


@pytest.mark.parametrize("address", ["close-season", "change-season", "reopen-season"])
def test_a_form_about_a_season_that_is_gone_shows_the_seasons_as_they_are(ana, table, address):
    gone = close_season(table.seasons.get(), last_day=date(2026, 6, 30), next_name="Invierno")
    sent = {"season": str(gone.pk), "last-day": "2026-10-30", "first-day": "2026-07-02",
            "name": "x", "next-name": "x"}  # fmt: skip
    reopen_season(table.seasons.get(name="2026"))
    response = ana.post(reverse(address, args=[table.code]), sent)

    assert 409 == response.status_code
    assert ["Not saved: the seasons have changed. These are the current ones."] == read_page(response).notices
    assert [("2026", None)] == list(table.seasons.values_list("name", "ends_on"))
