"""Tokens of people at a table: who keeps its accounts, who only watches and is a member, who is neither."""

from __future__ import annotations

import pytest

from games.models import Grant, Role
from games.people.tokens import LIVES, make_token
from tests.api.conftest import Program
from tests.tables import make_table, make_user


@pytest.fixture
def token_of(table):
    """`token_of(user, role)`: a program with a token of this user's."""

    def one(user, role):
        _token, secret = make_token(user, "bot", role, lasts=LIVES["day"])
        return Program(headers={"accept-language": "en", "authorization": f"Bearer {secret}"})

    return one


@pytest.fixture
def watching(table):
    """`watching(name)`: a user who only watches."""

    def one(name):
        user = make_user(name)
        Grant.objects.create(user=user, table=table, role=Role.WITNESS)
        return user

    return one


@pytest.fixture
def anas(token_of, owner, claims):
    """The token of Ana, who owns the table and plays there."""
    return token_of(claims(owner, "ana"), Role.OWNER)


@pytest.fixture
def betos(token_of, watching, claims):
    """The token of Beto, a member with the role of a witness: it may record whatever Beto may."""
    return token_of(claims(watching("beto_himself"), "beto"), Role.SCORER)


@pytest.fixture
def waldos(token_of, watching):
    """The token of somebody who watches and does not play."""
    return token_of(watching("waldo"), Role.WITNESS)


@pytest.fixture
def saras(token_of, db):
    """The token of somebody with another table."""
    sara = make_user("sara")
    make_table(sara, name="Otra mesa")
    return token_of(sara, Role.OWNER)
