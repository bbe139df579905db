"""API tokens of people with different rights: an owner, a member, a witness who is no member, a stranger."""

from __future__ import annotations

import pytest

from games.models import Grant, Role
from games.people.tokens import LIVES, make_token
from tests.api.conftest import Program
from tests.tables import make_user


@pytest.fixture
def token_of(table):
    """`token_of(user)` returns a client with a token of this user."""

    def one(user, **limits):
        _token, secret = make_token(user, "bot", lasts=LIVES["day"], **limits)
        return Program(headers={"accept-language": "en", "authorization": f"Bearer {secret}"})

    return one


@pytest.fixture
def watching(table):
    """`watching(name)` returns a user who is a witness at the table."""

    def one(name):
        user = make_user(name)
        Grant.objects.create(user=user, table=table, role=Role.WITNESS)
        return user

    return one


@pytest.fixture
def anas(token_of, owner, claims):
    """Return a client with a token of Ana, an owner and member of the table."""
    return token_of(claims(owner, "ana"))


@pytest.fixture
def betos(token_of, watching, claims):
    """Return a client with a token of Beto, a member with a witness grant; the token does not limit it."""
    return token_of(claims(watching("beto_himself"), "beto"))
