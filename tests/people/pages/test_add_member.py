"""Adding a member to a table before any game."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.timezone import now

from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


def test_an_added_member_gets_the_next_colour(ana, table):
    walker = Walker(ana)
    walker.open(reverse("table", args=[table.code]))
    page = walker.press("Add", name="Eva")

    assert "Eva" in page.only("div", id="people").text
    assert ("eva", 5) == table.members.values_list("slug", "colour").get(name="Eva")


def test_an_empty_or_taken_name_is_refused_beside_its_field_and_stays_in_the_form(subtests, ana, table):
    for name, sentence in [
        ("", "Enter a name."),
        ("ANA", "This table already has a member called Ana. Choose another name."),
    ]:
        with subtests.test(name=name):
            response = ana.post(reverse("add-member", args=[table.code]), {"name": name})
            page = read_page(response)

            assert (422, sentence, name) == (response.status_code, page.said_at("name"), page.typed("name"))
            assert 4 == table.members.count()


def test_the_refusal_of_a_retired_members_name_links_to_bringing_that_member_back(ana, table):
    table.members.filter(slug="dani").update(retired_at=now())
    walker = Walker(ana)
    walker.open(reverse("table", args=[table.code]))
    page = walker.press("Add", name=" dani ")

    assert "This table already has a member called Dani. Choose another name." == page.said_at("name")
    walker.open(page.link("Dani is no longer playing: bring them back"))
    walker.press("Dani plays again")
    assert table.members.active().filter(slug="dani").exists()


def test_the_refusal_of_an_active_members_name_does_not_offer_to_bring_them_back(ana, table):
    page = read_page(ana.post(reverse("add-member", args=[table.code]), {"name": "Dani"}))

    assert "bring them back" not in page.only("main").text
