"""Fixtures for the tests of a table's people."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from games.tables.services import links, lobby
from tests.factories import confirm_as_member, make_user

EVENING = datetime(2026, 11, 25, 22, tzinfo=ZoneInfo("America/Argentina/Buenos_Aires"))


@pytest.fixture
def evening(time_machine):
    """Ten in the evening. `time_machine.shift` moves the clock on."""
    time_machine.move_to(EVENING, tick=False)


@pytest.fixture
def users(table, owner, members_by_slug):
    """The users of Ana, who owns the table, and of Beto, Caro and Dani, who are confirmed for good and only watch."""
    confirm_as_member(owner, members_by_slug["ana"])
    names = ("beto", "caro", "dani")
    known = {slug: confirm_as_member(make_user(f"user_{slug}"), members_by_slug[slug]).user for slug in names}
    return {"ana": owner, **known}


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
