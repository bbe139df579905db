"""The page that asks an admitted phone who its user is tonight."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse

from games.tables.views import invitation
from tests.factories import grant_access, make_user
from tests.reader import Walker, open_page, read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(table):
    return reverse("my-face", args=[table.code])


@pytest.fixture
def rosa(table):
    user = make_user("rosa")
    grant_access(user, table, face="beto")
    return user


def test_a_wrong_face_is_left_for_another_a_name_or_none_with_one_tap_each(client_for, address, rosa, game):
    phone = Walker(client_for(rosa))
    phone.open(address)
    phone.press("C Caro")
    assert reverse("sheet", args=[game.code]) == phone.address
    assert "caro" == rosa.accesses.get().person.slug

    phone.open(address)
    page = phone.press("I'm not Caro")
    assert (address, None) == (phone.address, rosa.accesses.get().person)
    assert "Who are you?" in page.only("main").text

    phone.press("That's me", name="Nina")
    named = rosa.accesses.get()
    assert (None, "Nina") == (named.member, named.name)
    for where in (reverse("sheet", args=[game.code]), reverse("lobby", args=[game.table.code]), address):
        assert address == phone.open(where).link("You're Nina tonight An owner has to say yes")
    phone.press("I'm just watching")
    assert "" == rosa.accesses.get().name


def test_who_is_confirmed_is_told_who_can_change_it(client_as, address):
    client = client_as("beto")
    page = open_page(client, address)
    response = client.post(address, {"face": "caro"})

    assert [] == page.every("button", name="face")
    assert "If that is wrong, another owner can change it." in page.only("main").text
    assert 422 == response.status_code
    assert "You are Beto here." in read_page(response).only("main").text


def test_taps_are_limited(client_for, address, rosa, monkeypatch):
    monkeypatch.setattr(invitation, "CLAIM_LIMIT", replace(invitation.CLAIM_LIMIT, most=2))
    client = client_for(rosa)
    statuses = [client.post(address, {"face": "caro"}).status_code for _try in range(3)]

    assert [302, 302, 429] == statuses
