"""Ana's table and its game, and clients of Ana and of users with fewer rights."""

from __future__ import annotations

import pytest

from games.models import Grant, Role
from tests.api.conftest import Program
from tests.tables import make_table, make_user


@pytest.fixture
def ana(program_for, owner):
    return program_for(owner)


@pytest.fixture
def person(table):
    """`person(role)` returns a new user with this role at the table."""

    def one(role: Role | str) -> object:
        user = make_user(f"{role}-of-ana")
        Grant.objects.create(user=user, table=table, role=role)
        return user

    return one


@pytest.fixture
def waldo(program_for, person):
    """Return the client of a witness."""
    return program_for(person(Role.WITNESS))


@pytest.fixture
def stranger(program_for, db):
    """Return the client of a user who has access only to another table."""
    user = make_user("sara")
    make_table(user, name="Otra mesa")
    return program_for(user)


@pytest.fixture
def nobody(db):
    return Program()


def round_of(closer, **hands):
    """Return a round as JSON for the API."""
    return {
        "kind": "round_played",
        "data": {
            "closer": closer,
            "closing": "out",
            "hands": [[player, str(hand)] for player, hand in hands.items()],
        },
    }


def event(kind, /, **data):
    """Return any other event as JSON for the API."""
    return {"kind": kind, "data": data}


def totals(answer):
    """Return the total of each player by id, from a response that contains a game's state."""
    return {player["id"]: player["total"] for player in answer.body["players"]}
