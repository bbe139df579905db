"""Renaming a table."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Table
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


def test_the_new_name_of_a_table_is_shown_on_the_tables_and_the_games_page(ana, game, table):
    walker = Walker(ana)
    walker.open(reverse("table-settings", args=[table.code]))
    page = walker.press("Save", table_name="Los viernes")

    assert "Los viernes" in page.only("h1").text
    assert "Los viernes" in walker.open(reverse("sheet", args=[game.code])).only("h1").text


def test_an_invalid_name_is_refused_beside_its_field_in_the_open_form(subtests, ana, table):
    for name, sentence in [(" ", "Enter a name."), ("x" * 61, "At most 60 characters fit here.")]:
        with subtests.test(name=name):
            response = ana.post(reverse("rename-table", args=[table.code]), {"table-name": name})
            page = read_page(response)

            assert (422, sentence) == (response.status_code, page.said_at("table-name"))
            assert "open" in page.only("details").attrs
            assert "Mesa de los jueves" == Table.objects.get(pk=table.pk).name
