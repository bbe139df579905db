"""The user of a session is read with it, and is always the one that Django would find."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, get_user
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils.timezone import now

from games.models import Device
from scorekeeper.middleware import UserMiddleware
from scorekeeper.sessions import SessionStore
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def change_session(key, **values):
    session = SessionStore(key)
    session.update(values)
    session.save()


# What happens between two requests of a phone where Olga is signed in, and whether that lasts.
CHANGES = {
    "nothing": (lambda _key: None, True),
    "its device is forgotten": (lambda _key: Device.objects.all().delete(), True),
    "its device is another user's": (lambda _key: Device.objects.update(user=make_user("sara")), True),
    "the account is blocked": (lambda _key: User.objects.update(is_active=False), False),
    "the password changes": (lambda _key: User.objects.update(password="another"), False),
    "the session expires": (
        lambda _key: Session.objects.update(expire_date=now() - timedelta(seconds=1)),
        False,
    ),
    "the session is deleted": (lambda _key: Session.objects.all().delete(), False),
    "the user is deleted": (lambda _key: User.objects.all().delete(), False),
    "the session is of an unknown backend": (
        lambda key: change_session(key, **{BACKEND_SESSION_KEY: "elsewhere.Backend"}),
        False,
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_the_user_of_a_session_is_the_one_that_django_finds(what):
    olga, phone = make_user("olga"), Client()
    phone.force_login(olga)
    phone.get("/")  # stores the device
    change, is_signed_in = CHANGES[what]
    change(phone.session.session_key)

    request = RequestFactory().get("/")
    request.session = SessionStore(phone.cookies["sessionid"].value)
    UserMiddleware(lambda _request: HttpResponse()).process_request(request)
    django_request = RequestFactory().get("/")
    django_request.session = SessionStore(phone.cookies["sessionid"].value)

    assert get_user(django_request) == request.user
    assert is_signed_in == request.user.is_authenticated
