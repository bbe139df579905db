"""Ana's table and its game, for programs of Ana and of users with fewer rights."""

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
    """`person(role)` is somebody with this role at the table."""

    def one(role: Role | str) -> object:
        user = make_user(f"{role}-of-ana")
        Grant.objects.create(user=user, table=table, role=role)
        return user

    return one


@pytest.fixture
def waldo(program_for, person):
    """The program of a witness."""
    return program_for(person(Role.WITNESS))


@pytest.fixture
def stranger(program_for, db):
    """Somebody with a table of her own."""
    user = make_user("sara")
    make_table(user, name="Otra mesa")
    return program_for(user)


@pytest.fixture
def nobody(db):
    return Program()


def round_of(closer, closing="out", **hands):
    """A round as it is sent."""
    return {
        "kind": "round_played",
        "data": {
            "closer": closer,
            "closing": closing,
            "hands": [[player, str(hand)] for player, hand in hands.items()],
        },
    }


def event(kind, /, **data):
    """Any other event as it is sent."""
    return {"kind": kind, "data": data}


def totals(answer):
    """The total of each, from an answer with a state."""
    return {player["id"]: player["total"] for player in answer.body["players"]}
