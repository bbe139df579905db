"""Opening tables and games; who may do what is in `tests/test_rights.py`."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.utils.timezone import localdate

from games.models import Access
from games.tables import access
from tests.worlds import start

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(table, owner):
    return start(table, owner)


def test_opening_a_game_takes_one_query(game, owner, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert "Mesa de los jueves" == access.game_for(owner, game.code)[0].table.name


def test_a_get_request_must_not_make_a_guest():
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    with pytest.raises(AssertionError):
        access.ensure_guest(request)


def test_an_owner_who_opens_a_game_has_opened_the_table(game, table, owner):
    """Else others could take over a table whose owner only looks at sheets."""
    Access.objects.update(opened_on=None)
    access.game_for(owner, game.code)

    assert localdate() == table.accesses.get(user=owner).opened_on
