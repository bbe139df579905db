"""The page that passes the pen (scorekeeping for a time), and the permissions of the phone with the pen."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.models import Role
from games.people.faces import agree, tap_face
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def witness(waldo, table, who, owner):
    """Return the witness Waldo, whose tap on a member's face was confirmed."""
    user = User.objects.get(username="waldo")
    agree(tap_face(who["beto"], user), by=owner, role=Role.SCORER)
    return user


def test_an_owner_passes_the_pen_to_a_confirmed_member_who_records_until_it_ends(
    ana, waldo, witness, table, game
):
    owning = Walker(ana)
    owning.open(reverse("more", args=[game.code]))
    owning.follow("Let someone else keep score")
    owning.press("B Beto")
    assert "Beto keeps the score until" in owning.page.only("ul", id="pens").text
    assert 200 == waldo.get(reverse("play-round", args=[game.code])).status_code

    owning.press("End scorekeeping: Beto")
    assert 403 == waldo.get(reverse("play-round", args=[game.code])).status_code


def test_the_pen_cannot_be_passed_to_an_unconfirmed_member(ana, waldo, table, who):
    tap_face(who["beto"], User.objects.get(username="waldo"))
    page = read_page(ana.get(reverse("pen", args=[table.code])))

    assert "Nobody can take it yet" in page.only("main").text


def test_passing_the_pen_to_a_grant_of_another_table_is_a_404(ana, stranger, table):
    other = User.objects.get(username="sara").grants.get()

    assert 404 == ana.post(reverse("pen", args=[table.code]), {"grant": other.pk}).status_code


def test_passing_the_pen_to_an_unconfirmed_phone_is_refused(ana, waldo, table):
    grant = table.grants.get(user__username="waldo")
    response = ana.post(reverse("pen", args=[table.code]), {"grant": grant.pk})

    assert 422 == response.status_code
    assert "this has changed meanwhile." in read_page(response).only("main").text
