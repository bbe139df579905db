"""Changing a season's name and first day."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.reader import Walker, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tonight")]


def test_an_owner_renames_a_season(ana, table):
    walker = Walker(ana)
    walker.open(reverse("seasons", args=[table.code]))
    walker.press("Save", name="Temporada del asado")

    assert "Temporada del asado" == table.seasons.get().name


def test_an_invalid_change_is_refused_beside_its_field_and_keeps_the_typed_values(subtests, ana, table, two):
    before = list(table.seasons.values_list("name", "starts_on"))
    for typed, field, sentence in [
        ({"name": "", "first_day": "2026-07-01"}, "name", "Enter a name."),
        ({"name": "x" * 61, "first_day": "2026-07-01"}, "name", "At most 60 characters fit here."),
        (
            {"name": "x", "first_day": "2026-01-01"},
            "first_day",
            "It must begin after the previous season.",
        ),
        ({"name": "x", "first_day": "2030-01-01"}, "first_day", "That day is in the future."),
        ({"name": "2026", "first_day": "2026-07-01"}, "name", "There is already a season called 2026."),
        ({"name": "x", "first_day": ""}, "first_day", "Choose a day."),
        ({"name": "x", "first_day": "0026-07-01"}, "first_day", "That day is too long ago: check the year."),
    ]:
        with subtests.test(typed=typed):
            response = ana.post(reverse("change-season", args=[table.code]), {"season": str(two.pk), **typed})
            page = read_page(response)
            form, other = (
                form
                for form in page.every("form")
                if form.attrs["action"] == reverse("change-season", args=[table.code])
            )

            assert 422 == response.status_code
            assert [sentence] == [node.text for node in form.every("span", class_="wrong")]
            assert [str(two.pk), "2026"] == [form.fields["season"], other.fields["name"]]
            assert typed == {name: form.fields[name] for name in typed}
            assert [field] == [node.attrs["name"] for node in form.every("input", aria_invalid="true")]
            assert before == list(table.seasons.values_list("name", "starts_on"))


def test_a_too_late_first_day_of_the_first_season_is_refused_with_the_latest_possible_day(ana, table, play):
    play("ana", "beto")
    sent = {"season": str(table.seasons.get().pk), "name": "2026", "first_day": "2026-11-20"}
    response = ana.post(reverse("change-season", args=[table.code]), sent)

    assert 422 == response.status_code
    assert (
        "It must begin on 19/11/2026 or earlier, the day of its first game."
        in read_page(response).only("main").text
    )
