"""Adding a member to a table before any game."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.timezone import now

from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


def test_somebody_new_sits_at_the_table_with_the_next_colour(ana, table):
    walker = Walker(ana)
    walker.open(reverse("table", args=[table.code]))
    page = walker.press("Add", name="Eva")

    assert "Eva" in page.only("div", id="people").text
    assert ("eva", 5) == table.members.values_list("slug", "colour").get(name="Eva")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("", "Enter a name."), ("ANA", "This table already has a member called ANA. Choose another name.")],
)
def test_a_name_that_cannot_be_is_refused_at_its_field_and_stays_typed(ana, table, name, sentence):
    response = ana.post(reverse("add-member", args=[table.code]), {"name": name})
    page = read_page(response)

    assert (422, sentence, name) == (response.status_code, page.said_at("name"), page.typed("name"))
    assert 4 == table.members.count()


def test_who_no_longer_plays_is_found_from_the_refusal_and_brought_back(ana, table):
    table.members.filter(slug="dani").update(retired_at=now())
    walker = Walker(ana)
    walker.open(reverse("table", args=[table.code]))
    page = walker.press("Add", name=" dani ")

    assert "This table already has a member called dani. Choose another name." == page.said_at("name")
    walker.open(page.link("Dani is no longer playing: bring them back"))
    walker.press("Dani plays again")
    assert table.members.active().filter(slug="dani").exists()


def test_who_plays_is_not_brought_back(ana, table):
    page = read_page(ana.post(reverse("add-member", args=[table.code]), {"name": "Dani"}))

    assert "bring them back" not in page.only("main").text
