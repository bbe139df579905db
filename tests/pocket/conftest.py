"""The owner's phone, away from a table of four."""

from __future__ import annotations

import pytest

from games.models import Role
from games.play import recording as services
from tests.pocket.books import prepared
from tests.pocket.phones import Pocket
from tests.tables import a_key, a_round, let_in_as, make_user, start


@pytest.fixture
def empty(db, tmp_path):
    return prepared(tmp_path)


@pytest.fixture
def scorer(table):
    user = make_user("sonia")
    let_in_as(user, table, Role.SCORER)
    return user


@pytest.fixture
def running(table, owner):
    """A game of one round."""
    game = start(table, owner, stake=100)
    services.record(game, a_round("ana", beto=5, caro=6, dani=7), after=1, key=a_key(), by=owner)
    return game


@pytest.fixture
def over(table, owner):
    """A game that Ana won: the other three owe her a hundred each."""
    game = start(table, owner, stake=100, reentries=0)
    services.record(game, a_round("ana", beto=105, caro=106, dani=107), after=1, key=a_key(), by=owner)
    return game


@pytest.fixture
def pocket(owner, table, empty, tmp_path):
    """The owner's phone. Request the fixtures whose rows its copy shall contain before this one."""
    return Pocket(owner, empty, tmp_path / "away.sqlite3")
