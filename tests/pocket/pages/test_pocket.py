"""The copy as a phone asks for it: once whole, and then only where it has changed."""

from __future__ import annotations

import gzip

import pytest

from games.people.guests import make_guest
from games.people.users import mark_of
from games.pocket.copying import copy_for
from tests.tables import make_table, make_user

pytestmark = pytest.mark.django_db


def test_a_phone_is_given_the_copy_of_whose_it_is(ana, owner, finished):
    answer = ana.get("/pocket/")

    assert copy_for(owner) == answer.json()
    assert mark_of(owner) == answer.json()["person"] == ana.get("/").context["person"]
    assert "private, no-cache" == answer.headers["Cache-Control"]


def test_it_travels_compressed(ana, finished):
    answer = ana.get("/pocket/", headers={"accept-encoding": "gzip"})

    assert "gzip" == answer.headers["Content-Encoding"]
    assert finished.code in gzip.decompress(answer.content).decode()


def test_who_has_it_as_it_is_is_given_nothing(ana, finished, pay):
    for encoding in ("identity", "gzip"):
        mark = ana.get("/pocket/", headers={"accept-encoding": encoding}).headers["ETag"]
        again = ana.get("/pocket/", headers={"if-none-match": mark})

        assert (304, b"") == (again.status_code, again.content)
    pay("beto", "ana", 100)

    assert 200 == ana.get("/pocket/", headers={"if-none-match": mark}).status_code


def test_nobody_is_asked_to_sign_in(nobody):
    assert "/login/" == nobody.get("/pocket/").headers["Location"]


def test_a_phone_that_was_lent_takes_nothing_of_whose_it_is_not(phone_of):
    guest, friend = make_guest(), make_user("otilia")
    friend.set_password("tres lobas negras")
    friend.save()
    make_table(guest)
    make_table(friend)
    phone = phone_of(guest)
    phone.post("/login/", {"username": "otilia", "password": "tres lobas negras", "mine": "no"})

    assert 403 == phone.get("/pocket/").status_code
