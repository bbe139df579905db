"""The sheet of seasons: the list, and an owner's forms that begin, change and drop one.

`seasons/test_seasons.py` has the services of seasons.
"""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from games.seasons.services import season_setup
from tests.factories import end_season
from tests.reader import Walker, open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tonight")]

FIRST_DAY = date(2026, 3, 1)


@pytest.fixture
def address(table):
    return reverse("season", args=[table.code])


@pytest.fixture
def only_season(table):
    table.seasons.update(starts_on=FIRST_DAY)
    return table.seasons.get()


def stored_seasons(table):
    return list(table.seasons.values_list("name", "starts_on"))


def test_every_season_and_year_is_listed_with_a_link(ana, table, open_season, play, address):
    play("ana", "beto")
    first, winter = table.seasons.all()
    season = reverse("season", args=[table.code])

    assert {
        "Invierno since Wed 1 Jul": f"{season}?season={winter.pk}",
        "2026 Sun 1 Mar – Tue 30 Jun": f"{season}?season={first.pk}",
        "All seasons": f"{season}?season=all",
        "The year 2026": f"{season}?year=2026",
    } == {link.text: link.attrs["href"] for link in open_page(ana, address).only(id="season-list").every("a")}


def test_an_owner_begins_a_season_renames_it_and_drops_it_again(ana, table, only_season, address):
    walker = Walker(ana)
    walker.open(address)
    walker.press("Start the season", name="Verano", order="money")
    assert [("2026", FIRST_DAY), ("Verano", date(2026, 11, 19))] == stored_seasons(table)
    assert ["", "money"] == list(table.seasons.values_list("order", flat=True))

    walker.press("Save the season", name="Temporada del asado")
    assert ["2026", "Temporada del asado"] == [name for name, _day in stored_seasons(table)]

    page = walker.press("Delete it: its games go to the previous season")
    assert [("2026", FIRST_DAY)] == stored_seasons(table)
    drop = reverse("drop-season", args=[table.code])
    assert drop not in [form.attrs["action"] for form in page.every("form")]


def test_the_form_of_a_new_season_proposes_a_free_name_and_the_first_night_without_a_game(
    ana, table, open_season, play, address
):
    def proposed_fields():
        fields = open_page(ana, address).form_with("Start the season")[0].fields
        return fields["name"], fields["first_day"]

    table.seasons.filter(pk=open_season.pk).update(name="2026 (2)", starts_on=date(2026, 7, 1))
    assert ("2026 (3)", "2026-11-19") == proposed_fields()
    play("ana", "beto")
    table.seasons.filter(name="2026").update(name="A")
    assert ("2026", "2026-11-20") == proposed_fields()


REFUSED = [
    ({"name": "", "first_day": "2026-07-01"}, "name", "Enter a name."),
    ({"name": "x" * 61, "first_day": "2026-07-01"}, "name", "At most 60 characters fit here."),
    ({"name": "2026", "first_day": "2026-07-01"}, "name", "There is already a season called 2026."),
    ({"name": "x", "first_day": "2026-03-01"}, "first_day", "It must start after the previous season."),
    ({"name": "x", "first_day": "2030-01-01"}, "first_day", "That day is in the future."),
    ({"name": "x", "first_day": ""}, "first_day", "Choose a day."),
    ({"name": "x", "first_day": "0026-07-01"}, "first_day", "That day is too long ago: check the year."),
    (
        {"name": "x", "first_day": "2026-07-02", "order": "luck"},
        "order",
        "Choose what the standings are sorted by.",
    ),
]


@pytest.mark.parametrize("button", ["Start the season", "Save the season"])
def test_a_refusal_stands_at_its_field_in_its_form_and_nothing_typed_is_lost(
    subtests, ana, table, open_season, button
):
    name = {"Start the season": "begin-season", "Save the season": "change-season"}[button]
    before = stored_seasons(table)
    for values, field, sentence in REFUSED:
        with subtests.test(typed=values):
            data = {**values, **({"season": str(open_season.pk)} if name == "change-season" else {})}
            response = ana.post(reverse(name, args=[table.code]), data)
            page = read_page(response)
            form = page.form_with(button)[0]

            assert 422 == response.status_code
            assert [sentence] == [node.text for node in page.every("span", class_="wrong")]
            wrong = form.every("input", aria_invalid="true") + form.every("select", aria_invalid="true")
            assert [field] == [node.attrs["name"] for node in wrong]
            assert {key: text for key, text in data.items() if key != "order"} == {
                key: form.fields[key] for key in data if key != "order"
            }
            assert before == stored_seasons(table)


@pytest.mark.parametrize("name", ["change-season", "drop-season"])
def test_a_form_about_a_season_that_no_longer_exists_gets_409_and_the_present_seasons(
    ana, table, only_season, address, name
):
    gone = end_season(table, last_day=date(2026, 6, 30), next_name="Invierno")
    number = gone.pk
    ana.post(reverse("drop-season", args=[table.code]), {"season": number})
    data = {"season": number, "first_day": "2026-07-02", "name": "x"}
    response = ana.post(reverse(name, args=[table.code]), data)

    assert 409 == response.status_code
    assert "Not saved: the seasons have changed." in read_page(response).text
    assert [("2026", FIRST_DAY)] == stored_seasons(table)


def test_an_order_for_a_season_that_is_dropped_meanwhile_gets_409(
    ana, table, open_season, address, monkeypatch
):
    parse = season_setup.parse_order

    def drop_first(*args, **how):
        season_setup.delete(table.seasons.get(pk=open_season.pk))
        return parse(*args, **how)

    monkeypatch.setattr(season_setup, "parse_order", drop_first)
    response = ana.post(address, {"by": "wins"})

    assert 409 == response.status_code
    assert "Not saved: the seasons have changed." in read_page(response).text


def test_all_wrong_fields_of_a_form_are_named_at_once(ana, table, only_season):
    data = {"name": "Verano", "first_day": "soon", "order": "luck"}
    response = ana.post(reverse("begin-season", args=[table.code]), data)
    form = read_page(response).form_with("Start the season")[0]

    assert 422 == response.status_code
    assert ("Choose a day.", "Choose what the standings are sorted by.") == (
        form.said_at("first_day"),
        form.said_at("order"),
    )
