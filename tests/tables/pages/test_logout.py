"""Signing out ends the session of a user with a password; a guest could not sign in again and stays."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.tables.guests import make_guest

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(db):
    return User.objects.create_user("olga", password="tres lobas negras")


def test_signing_out_ends_the_session(phone_of, olga):
    phone = phone_of(olga)

    assert ("/", False) == (phone.post("/logout/").url, "_auth_user_id" in phone.session)


def test_a_guest_is_not_signed_out(phone_of):
    guest = make_guest()
    phone = phone_of(guest)

    assert ("/", str(guest.pk)) == (phone.post("/logout/").url, phone.session["_auth_user_id"])


def test_signing_out_by_get_is_a_405(phone_of, olga):
    phone = phone_of(olga)

    assert 405 == phone.get("/logout/").status_code
    assert str(olga.pk) == phone.session["_auth_user_id"]
