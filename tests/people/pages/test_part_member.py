"""The page to part a merged member."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.money.merging import merge, preview_merge
from games.people.members import add_member
from tests.reader import read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def where(table, owner, play):
    play("ana", "beto")
    twin, ana = add_member(table, "Anita"), table.members.get(slug="ana")
    merge(twin, ana, seen=preview_merge(twin, ana).seen, by=owner)
    return reverse("part-member", args=[table.code, "anita"])


def test_parting_members_needs_a_confirmation_and_a_repeated_tap_changes_nothing(ana, table, where):
    page = read_page(ana.get(where))
    assert "One person since" in page.only("main").text
    for _tap in range(2):
        assert reverse("lobby", args=[table.code]) == ana.post(where).headers["Location"]

    assert "anita" == table.members.get(slug="anita").now.slug


def test_parting_is_refused_after_a_later_game_of_the_merged_member(ana, table, where, play):
    play("ana", "caro")
    page = read_page(ana.get(where))
    assert ["Can't be undone: one of their games was changed since."] == page.alerts
    assert [] == page.every("button", class_="btn go")

    assert 422 == ana.post(where).status_code
    assert "ana" == table.members.get(slug="anita").now.slug


def test_parting_an_unknown_member_is_a_404(ana, table, where):
    assert 404 == ana.post(where.replace("anita", "zulema")).status_code
