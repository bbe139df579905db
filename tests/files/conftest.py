"""Two tables with the same people, for the tests of a table's file."""

from __future__ import annotations

import pytest

from tests.factories import make_table, make_user


@pytest.fixture
def home(owner):
    """The table at the site."""
    return make_table(owner)


@pytest.fixture
def cabin():
    """The table on a phone: another table, whose people have the same names."""
    return make_table(make_user("cabin"), people=("Beto", "Ana", "Caro", "Dani"), name="La cabaña")
