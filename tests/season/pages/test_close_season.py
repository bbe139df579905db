"""Closing a season opens the next one the day after; Undo reopens it."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from games.locks import lock
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


def test_closing_a_season_opens_the_next_one(seasons, table):
    seasons.press("Close the season", last_day="2026-06-30", next_name="Invierno")

    assert [("2026", date(2026, 6, 30)), ("Invierno", None)] == list(
        table.seasons.values_list("name", "ends_on")
    )
    assert "2026 is closed" in seasons.page.notices


def test_undo_reopens_the_closed_season(seasons, table):
    seasons.press("Close the season", last_day="2026-06-30", next_name="Invierno")
    seasons.press("Undo")

    assert [("2026", None)] == list(table.seasons.values_list("name", "ends_on"))


def test_the_form_offers_a_valid_last_day_and_is_absent_if_there_is_none(seasons, table, time_machine):
    seasons.press("Close the season")
    assert date(2026, 11, 19) == table.seasons.get(name="2026").ends_on
    assert [] == seasons.page.every("details", id="close")

    time_machine.move_to("2026-11-21T01:00Z", tick=False)
    seasons.open(reverse("seasons", args=[table.code]))
    assert "2026-11-20" == seasons.page.typed("last-day")


def test_a_season_that_has_not_begun_cannot_be_closed(subtests, ana, table):
    following = close_season(table.seasons.get(), last_day=date(2026, 11, 19), next_name="Verano")
    for day in ["", "2026-11-19", "2026-11-20"]:
        with subtests.test(day=day):
            sent = {"season": str(following.pk), "last-day": day, "next-name": "x"}
            response = ana.post(reverse("close-season", args=[table.code]), sent)
            page = read_page(response)

            assert 422 == response.status_code
            assert "" != page.said_at("last-day")
            assert 2 == table.seasons.count()


def test_an_invalid_closing_is_refused_beside_its_field_and_keeps_the_typed_values(subtests, ana, table):
    for typed, field, sentence in [
        ({"last-day": "2026-02-01", "next-name": "x"}, "last-day", "A season cannot end before it begins."),
        ({"last-day": "soon", "next-name": "x"}, "last-day", "Choose a day."),
        ({"last-day": "2026-06-30", "next-name": " "}, "next-name", "Enter a name."),
    ]:
        with subtests.test(typed=typed):
            sent = {"season": str(table.seasons.get().pk), **typed}
            response = ana.post(reverse("close-season", args=[table.code]), sent)
            page = read_page(response)

            assert 422 == response.status_code
            assert sentence == page.said_at(field)
            assert "open" in page.only("details", id="close").attrs
            if typed["last-day"] != "soon":
                assert typed["last-day"] == page.typed("last-day")
            assert 1 == table.seasons.count()


def test_closing_an_unknown_season_is_a_404(subtests, ana, table, stranger):
    for season in ["", "x", "99999999999999999999", "-1", "%00"]:
        with subtests.test(season=season):
            sent = {"season": season, "last-day": "2026-06-30", "next-name": "x"}

            assert 404 == ana.post(reverse("close-season", args=[table.code]), sent).status_code


@pytest.mark.parametrize("address", ["close-season", "change-season", "reopen-season"])
def test_a_form_about_a_season_that_no_longer_exists_gets_409_and_the_current_seasons(ana, table, address):
    gone = close_season(table.seasons.get(), last_day=date(2026, 6, 30), next_name="Invierno")
    sent = {"season": str(gone.pk), "last-day": "2026-10-30", "first-day": "2026-07-02",
            "name": "x", "next-name": "x"}  # fmt: skip
    reopen_season(table.seasons.get(name="2026"))
    response = ana.post(reverse(address, args=[table.code]), sent)

    assert 409 == response.status_code
    assert ["Not saved: the seasons have changed. These are the current ones."] == read_page(response).notices
    assert [("2026", None)] == list(table.seasons.values_list("name", "ends_on"))


def test_a_season_reopened_by_another_owner_at_the_same_time_gets_409(ana, table, monkeypatch):
    gone = close_season(table.seasons.get(), last_day=date(2026, 6, 30), next_name="Invierno")

    def lock_after_another(locked):
        monkeypatch.undo()
        reopen_season(table.seasons.get(name="2026"))
        return lock(locked)

    monkeypatch.setattr("games.season.seasons.lock", lock_after_another)
    sent = {"season": str(gone.pk), "last-day": "2026-10-30", "next-name": "x"}

    assert 409 == ana.post(reverse("close-season", args=[table.code]), sent).status_code
