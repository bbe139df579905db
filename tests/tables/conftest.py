"""Fixtures for the tests of a table's people."""

from __future__ import annotations

import pytest

from games.tables.services import links, lobby
from tests.factories import make_user


@pytest.fixture
def tonight_link(table, owner):
    return links.get_or_create_tonight(table, by=owner)


@pytest.fixture
def enter_tonight(table, tonight_link):
    """`enter_tonight("rosa", "beto")` admits a new user by tonight's link as Beto, and returns the access."""

    def enter(name, face="", *, new_name="", network="here"):
        member = table.members.get(slug=face) if face else None
        until = tonight_link.expires_at
        return lobby.enter(table, make_user(name), until=until, face=member, name=new_name, network=network)

    return enter
