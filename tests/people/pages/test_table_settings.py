"""The settings of a table: the number of people with access, and an owner's links to manage the table."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Grant, Role
from tests.reader import open_page
from tests.tables import make_user

pytestmark = pytest.mark.django_db


def _page(client, table):
    return open_page(client, reverse("table-settings", args=[table.code]))


def test_people_with_access_are_counted_by_role(ana, waldo, table):
    rows = [row.text for row in _page(ana, table).only("dl").every("div")]

    assert ["owner of the table 1", "watching 1"] == rows


def test_the_settings_link_to_the_invitations(ana, table):
    assert reverse("invites", args=[table.code]) == _page(ana, table).link("Other permissions")


def test_the_only_owner_is_warned_of_losing_the_phone_until_there_is_another_owner(ana, table, owner):
    notice = "If you lose this phone, you lose the table."
    assert notice in _page(ana, table).only("main").text
    Grant.objects.create(user=make_user("olga"), table=table, role=Role.OWNER)

    assert notice not in _page(ana, table).only("main").text


def test_witnesses_and_scorers_are_not_warned_of_losing_the_phone(phone_of, waldo, table):
    tito = make_user("tito")
    Grant.objects.create(user=tito, table=table, role=Role.SCORER)

    assert [] == [
        phone
        for phone in (waldo, phone_of(tito))
        if "If you lose this phone" in _page(phone, table).only("main").text
    ]


def _behind(client, table, *names):
    """Return those of the URL names to which the page links."""
    led = {link.attrs["href"] for link in _page(client, table).only("main").every("a")}
    return [name for name in names if reverse(name, args=[table.code]) in led]


def test_the_settings_link_an_owner_to_every_page_that_manages_the_table(ana, table):
    names = ("clock", "invites", "export-table", "leave-table", "erase-table")

    assert list(names) == _behind(ana, table, *names)


def test_a_witness_can_only_leave_the_table(waldo, table):
    assert ["leave-table"] == _behind(
        waldo, table, "clock", "invites", "export-table", "leave-table", "erase-table"
    )
    assert [] == _page(waldo, table).every("form")
