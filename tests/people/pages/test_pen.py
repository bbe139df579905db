"""The page that passes the pen, and what the phone with the pen may do."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.models import Role
from games.people.access import role_at
from games.people.faces import agree, tap_face
from tests.reader import Walker, read_page
from tests.tables import let_in_as, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def witness(waldo, table, who, owner):
    """Waldo, whose face a scorer confirmed."""
    user = User.objects.get(username="waldo")
    agree(tap_face(who["beto"], user), by=owner, role=Role.SCORER)
    return user


def test_an_owner_taps_a_confirmed_face_which_records_then(ana, waldo, witness, table, game):
    owning = Walker(ana)
    owning.open(reverse("more", args=[game.code]))
    owning.follow("Pass the pen")
    owning.press("B Beto")
    assert "Beto keeps the score until" in owning.page.only("ul", id="pens").text
    assert 200 == waldo.get(reverse("play-round", args=[game.code])).status_code

    owning.press("Take it back: Beto")
    assert 403 == waldo.get(reverse("play-round", args=[game.code])).status_code


def test_without_a_confirmed_face_there_is_nobody_to_pass_it_to(ana, waldo, table, who):
    tap_face(who["beto"], User.objects.get(username="waldo"))
    page = read_page(ana.get(reverse("pen", args=[table.code])))

    assert "Nobody can take it yet" in page.only("main").text


@pytest.mark.parametrize("role", [Role.WITNESS, Role.SCORER])
def test_only_an_owner_passes_it(phone_of, witness, table, role):
    sonia = make_user("sonia")
    let_in_as(sonia, table, role)
    where, grant = reverse("pen", args=[table.code]), table.grants.get(user=witness)

    assert 403 == phone_of(sonia).post(where, {"grant": grant.pk}).status_code
    assert Role.WITNESS == role_at(witness, table)


def test_a_grant_of_another_table_is_not_there(ana, stranger, table):
    other = User.objects.get(username="sara").grants.get()

    assert 404 == ana.post(reverse("pen", args=[table.code]), {"grant": other.pk}).status_code


def test_a_phone_that_nobody_confirmed_is_refused(ana, waldo, table):
    grant = table.grants.get(user__username="waldo")
    response = ana.post(reverse("pen", args=[table.code]), {"grant": grant.pk})

    assert 422 == response.status_code
    assert "this has changed meanwhile." in read_page(response).only("main").text
