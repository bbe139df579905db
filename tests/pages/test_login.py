"""Signing in with a name and a password, a few tries at a time."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.views.login import TRIES
from tests.pages.reader import fields, read_page

pytestmark = pytest.mark.django_db

ADDRESS = "/login/"


def _payload(**changes):
    return fields(**{"username": "olga", "password": "tres lobas negras", **changes})


@pytest.fixture(autouse=True)
def olga(db):
    return User.objects.create_user("olga", password="tres lobas negras")


def test_who_has_a_password_finds_her_tables(nobody, olga):
    response = nobody.post(ADDRESS, _payload())

    assert (302, "/") == (response.status_code, response.url)
    assert str(olga.pk) == nobody.session["_auth_user_id"]


@pytest.mark.parametrize(
    "changes", [{"password": "x"}, {"username": "nadie"}, {"username": "<b>"}, {"username": "x" * 200}]
)
def test_a_wrong_password_is_told_and_the_name_stays(nobody, changes):
    payload = _payload(**changes)
    response = nobody.post(ADDRESS, payload)
    page = read_page(response)

    assert 422 == response.status_code
    assert ["This name and this password do not belong together."] == page.alerts
    assert (payload["username"], "") == (page.typed("username"), page.typed("password"))


@pytest.mark.parametrize(("field", "value"), [("username", ""), ("password", ""), ("username", "a\x00b")])
def test_what_cannot_be_is_refused_at_its_field(nobody, field, value):
    response = nobody.post(ADDRESS, _payload(**{field: value}))

    assert 422 == response.status_code
    assert read_page(response).said_at(field)
    assert "_auth_user_id" not in nobody.session


def test_a_wrong_password_is_told_in_spanish(phone_of):
    page = read_page(phone_of(language="es-AR").post(ADDRESS, _payload(password="x")))

    assert ["This name and this password do not belong together."] != page.alerts
    assert page.alerts


def test_after_many_tries_one_has_to_wait(nobody):
    for _ in range(TRIES):
        nobody.post(ADDRESS, _payload(password="x"))
    response = nobody.post(ADDRESS, _payload())

    assert 429 == response.status_code
    assert ["Too many tries. Wait a while."] == read_page(response).alerts
    assert "_auth_user_id" not in nobody.session


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_signing_in_never_leads_elsewhere(nobody, target):
    assert "/" == nobody.post(f"{ADDRESS}?next={target}", _payload()).url


def test_signing_out_forgets_who_it_was(phone_of, olga):
    client = phone_of(olga)
    response = client.post("/logout/")

    assert ("/", False) == (response.url, "_auth_user_id" in client.session)
