"""A season of four games, and clients that read it."""

from __future__ import annotations

import pytest

from games.models import Grant, Role
from tests.tables import make_user


@pytest.fixture
def season_played(play):
    """The newest of four games. Ana won two of the first three, Beto one; Ana won the newest against Caro."""
    play("ana", "beto", "dani", days=30)
    play("beto", "ana", "dani", days=20)
    play("ana", "dani", "beto", days=10)
    return play("ana", "caro", days=3)


@pytest.fixture
def watching(program_for, table):
    """Return the client of a witness, who can read the season like everybody with a grant."""
    user = make_user("waldo")
    Grant.objects.create(user=user, table=table, role=Role.WITNESS)
    return program_for(user)
