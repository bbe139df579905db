"""Renaming a table."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Table
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


def test_a_new_name_stands_on_every_page(ana, game, table):
    walker = Walker(ana)
    walker.open(reverse("table-settings", args=[table.code]))
    page = walker.press("Save", table_name="Los viernes")

    assert "Los viernes" in page.only("h1").text
    assert "Los viernes" in walker.open(reverse("sheet", args=[game.code])).only("h1").text


@pytest.mark.parametrize(
    ("name", "sentence"), [(" ", "Enter a name."), ("x" * 61, "At most 60 characters fit here.")]
)
def test_a_name_that_cannot_be_is_refused_at_its_field_which_stands_open(ana, table, name, sentence):
    response = ana.post(reverse("rename-table", args=[table.code]), {"table-name": name})
    page = read_page(response)

    assert (422, sentence) == (response.status_code, page.said_at("table-name"))
    assert "open" in page.only("details").attrs
    assert "Mesa de los jueves" == Table.objects.get(pk=table.pk).name
