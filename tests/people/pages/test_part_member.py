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


def test_it_is_asked_about_and_a_tap_repeated_does_no_more(ana, table, where):
    page = read_page(ana.get(where))
    assert "One person since" in page.only("main").text
    for _tap in range(2):
        assert reverse("table", args=[table.code]) == ana.post(where).headers["Location"]

    assert "anita" == table.members.get(slug="anita").now.slug


def test_what_came_after_is_named_and_keeps_them_one(ana, table, where, play):
    play("ana", "caro")
    page = read_page(ana.get(where))
    assert ["Can't be undone: one of their games was changed since."] == page.alerts
    assert [] == page.every("button", class_="btn go")

    assert 422 == ana.post(where).status_code
    assert "ana" == table.members.get(slug="anita").now.slug


def test_who_is_nobody_there_is_not_parted(ana, table, where):
    assert 404 == ana.post(where.replace("anita", "zulema")).status_code
