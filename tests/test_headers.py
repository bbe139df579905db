"""Headers behind HTTPS: secure cookies, and the same security headers on every kind of response."""

from __future__ import annotations

from contextlib import closing
from http import HTTPStatus

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.tables.guests import make_guest
from tests.reader import fields
from tests.worlds import make_table

pytestmark = pytest.mark.django_db

HTTPS = {"x-forwarded-proto": "https"}


@pytest.fixture(autouse=True)
def behind_https(settings):
    """Apply the settings of `HTTPS=1`."""
    settings.SECURE_SSL_REDIRECT = True
    settings.WHITENOISE_USE_FINDERS = True  # in place of a collected folder
    settings.SECURE_HSTS_SECONDS = 60
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    for kind in ("SESSION", "CSRF", "LANGUAGE"):
        setattr(settings, f"{kind}_COOKIE_SECURE", True)


@pytest.fixture
def phone():
    return Client(headers=HTTPS)


def cookies_of(client):
    return {name: bool(cookie["secure"]) for name, cookie in client.cookies.items()}


def test_every_cookie_stays_behind_https(phone):
    guest = make_guest()
    make_table(guest)
    User.objects.create_user("olga", password="tres lobas negras")
    phone.force_login(guest)
    phone.get(reverse("login"))
    phone.post(reverse("set-theme"), {"theme": "dark"})
    phone.post(reverse("set_language"), {"language": "en"})
    signed_in = phone.post(reverse("login"), fields(username="olga", password="tres lobas negras"))

    assert 302 == signed_in.status_code
    sent = {"sessionid", "csrftoken", "theme", "django_language"}
    assert (sent, {True}) == (set(cookies_of(phone)), set(cookies_of(phone).values()))


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/", 200),
        ("/no-such-page/", 404),
        ("/static/app.css", 200),
        ("/sw.js", 200),
        ("/manifest.webmanifest", 200),
        ("/api/v1/variants/", 200),
        ("/api/v1/tables/nosuchtable/", 404),
        ("/api/", 200),
    ],
)
def test_every_kind_of_answer_is_kept_to_https_and_taken_for_what_it_says(phone, address, status):
    with closing(phone.get(address)) as answer:
        headers = tuple(
            answer.headers.get(name) for name in ("Strict-Transport-Security", "X-Content-Type-Options")
        )
    assert (status, "max-age=60", "nosniff") == (answer.status_code, *headers)


@pytest.mark.parametrize("address", ["/", "/no-such-page/", "/static/app.css", "/api/v1/variants/", "/sw.js"])
def test_whoever_comes_by_http_is_sent_to_https(client, address):
    answer = client.get(address)

    assert (HTTPStatus.MOVED_PERMANENTLY, f"https://testserver{address}") == (
        answer.status_code,
        answer.headers.get("Location"),
    )
