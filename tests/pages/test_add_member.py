"""Somebody new at a table, before any game."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.pages.reader import Walker, read_page

pytestmark = pytest.mark.django_db


def test_somebody_new_sits_at_the_table_with_the_next_colour(ana, table):
    walker = Walker(ana)
    walker.open(reverse("table", args=[table.code]))
    page = walker.press("Add", name="Eva")

    assert "Eva" in page.only("div", id="people").text
    assert ("eva", 5) == table.members.values_list("slug", "colour").get(name="Eva")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("", "A name is missing."), ("ANA", "There is already somebody called ANA at this table.")],
)
def test_a_name_that_cannot_be_is_refused_at_its_field_and_stays_typed(ana, table, name, sentence):
    response = ana.post(reverse("add-member", args=[table.code]), {"name": name})
    page = read_page(response)

    assert (422, sentence, name) == (response.status_code, page.said_at("name"), page.typed("name"))
    assert 4 == table.members.count()


def test_a_witness_adds_nobody(waldo, table):
    assert 403 == waldo.post(reverse("add-member", args=[table.code]), {"name": "Eva"}).status_code
    assert 4 == table.members.count()
