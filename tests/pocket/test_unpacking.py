"""A copy unpacked on a phone: every page equals the site's, to the byte."""

from __future__ import annotations

import pytest
from django.utils.timezone import now

from games.models import Role
from games.people.guests import make_guest
from games.people.invitations import make_spare
from games.pocket.copying import copy_for
from games.pocket.rooms import READ, WRITE
from games.pocket.unpacking import OtherVersion, unpack
from tests.pocket.books import (
    a_full_table,
    addresses,
    let_in,
    prepared,
    readers_of,
    shown_on_the_phone,
    shown_to,
)
from tests.tables import kept_for_a_module, make_table, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def owner(django_db_setup, django_db_blocker):
    with kept_for_a_module(django_db_blocker):
        yield make_user("olga")


@pytest.fixture(scope="module")
def table(owner):
    return a_full_table(owner)


@pytest.fixture(scope="module")
def readers(table, owner):
    return readers_of(table, owner)


@pytest.fixture
def one_minute(monkeypatch):
    """Set the clock of a night's text to the same minute at the site and on the phone."""
    minute = now()
    monkeypatch.setattr("games.money.evening.now", lambda: minute)


def agree(reader, places, folder):
    """Check that these pages are the same at the site and on the reader's phone; return them."""
    here = shown_to(reader, places)
    assert here == shown_on_the_phone(prepared(folder), copy_for(reader), places)
    return here


@pytest.mark.usefixtures("one_minute")
@pytest.mark.parametrize("who", ["owner", pytest.param("witness", marks=pytest.mark.slow)])
def test_one_page_of_each_kind_from_the_copy_equals_the_sites(readers, table, tmp_path, who):
    places = dict(addresses(table))
    here = agree(readers[who], list(places.values()), tmp_path)

    assert places.keys() == READ | WRITE
    assert {200} < {status for status, _headers, _body in here.values()} <= {200, 302, 403, 404, 405}


@pytest.mark.slow
@pytest.mark.usefixtures("one_minute")
@pytest.mark.parametrize("who", ["owner", "scorer", "witness", "member who watches"])
def test_every_page_from_the_copy_equals_the_sites(readers, table, tmp_path, who):
    assert agree(readers[who], [place for _name, place in addresses(table)], tmp_path)


def test_a_guests_phone_shows_the_same_warning_of_losing_a_table_as_the_site(db, tmp_path):
    """One of the guest's tables has a spare link, and one another owner; the phone does not know the link."""
    guest = make_guest()
    alone, spare, both = (make_table(guest, name=name) for name in ("Jueves", "Viernes", "Sábado"))
    make_spare(spare, by=guest)
    let_in(both, Role.OWNER, "sara")
    agree(guest, ["/", *(f"/t/{table.code}/" for table in (alone, spare, both))], tmp_path)
    lost = {one["table"][0][1]: one["is_only_way_in"] for one in copy_for(guest)["tables"]}

    assert {alone.code: True, spare.code: False, both.code: False} == lost


def test_a_copy_of_another_release_is_refused(owner):
    with pytest.raises(OtherVersion):
        unpack({**copy_for(owner), "version": "0"})
