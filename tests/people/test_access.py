"""Permissions at a table; a stranger gets the same response as for a table that does not exist."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import RequestFactory
from django.utils.timezone import now

from games.models import Grant, Role
from games.people import access
from tests.tables import make_table, make_user, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(table, owner):
    return start(table, owner)


@pytest.fixture
def person(table, owner):
    """The users with a role at the table, by role."""
    scorer, witness, late = make_user("sonia"), make_user("waldo"), make_user("lola")
    Grant.objects.create(user=scorer, table=table, role=Role.SCORER)
    Grant.objects.create(user=witness, table=table, role=Role.WITNESS, expires_at=now() + timedelta(hours=1))
    Grant.objects.create(user=late, table=table, role=Role.OWNER, expires_at=now() - timedelta(seconds=1))
    make_table(make_user("eva"), name="Otra")
    return {
        "owner": owner,
        "scorer": scorer,
        "witness": witness,
        "expired": late,
        "stranger": make_user("sara"),
        "nobody": AnonymousUser(),
    }


def request_by(user, method="get"):
    request = getattr(RequestFactory(), method)("/")
    request.user = user
    request.session = SessionStore()
    return request


def test_an_unexpired_grant_gives_its_role(subtests, table, person):
    for who, role in [
        ("owner", "owner"),
        ("scorer", "scorer"),
        ("witness", "witness"),
        ("expired", None),
        ("stranger", None),
        ("nobody", None),
    ]:
        with subtests.test(who=who, role=role):
            assert role == access.role_at(person[who], table)


def test_a_grant_gives_access_to_a_table_and_its_games_with_its_role(subtests, table, game, person):
    for who in ["owner", "scorer", "witness"]:
        with subtests.test(who=who):
            request = request_by(person[who])

            assert table == access.get_table_or_404(request, table.code)
            assert (game, who) == access.open_to(request, game.code)


def test_opening_a_game_takes_one_query(game, owner, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert "Mesa de los jueves" == access.open_to(request_by(owner), game.code)[0].table.name


def test_a_stranger_who_posts_becomes_the_guest_of_the_session():
    request = request_by(AnonymousUser(), "post")
    guest = access.ensure_guest(request)

    assert guest == request.user
    assert str(guest.pk) == request.session["_auth_user_id"]
    assert not guest.has_usable_password()
    assert guest == access.ensure_guest(request)


def test_a_signed_in_user_does_not_become_a_guest(owner):
    assert owner == access.ensure_guest(request_by(owner, "post"))


def test_a_get_request_must_not_make_a_guest():
    with pytest.raises(AssertionError):
        access.ensure_guest(request_by(AnonymousUser()))
