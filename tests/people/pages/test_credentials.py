"""A guest chooses a name and a password, with which the guest's tables open on any phone."""

from __future__ import annotations

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.urls import reverse

from games.people.guests import make_guest
from games.views.people.credentials import TRIES, FirstCredentials
from tests.reader import fields, read_page
from tests.tables import make_table

pytestmark = pytest.mark.django_db

ADDRESS = reverse("credentials")
SECRET = "tres lobas negras"


@pytest.fixture
def guest(db):
    return make_guest()


@pytest.fixture
def phone(phone_of, guest):
    make_table(guest)
    return phone_of(guest)


@pytest.fixture
def olga(db):
    return User.objects.create_user("olga", password=SECRET)


def test_a_guest_who_chose_a_name_and_a_password_finds_the_tables_on_another_phone(phone, nobody, guest):
    assert ADDRESS == read_page(phone.get("/")).link("Name and password Your tables on any phone")
    response = phone.post(ADDRESS, fields(username="olga", password=SECRET))
    assert (302, "/") == (response.status_code, response.url)
    assert str(guest.pk) == phone.session["_auth_user_id"]  # and stays signed in

    nobody.post("/login/", fields(username="olga", password=SECRET))
    assert "Mesa de los jueves" in read_page(nobody.get("/")).only("main").text


def test_an_invalid_name_or_password_is_refused_beside_its_field_and_the_name_stays_in_the_form(
    subtests, phone, guest, olga
):
    for changes, field, sentence in [
        ({"username": ""}, "username", "This field is required."),
        ({"username": "olga"}, "username", "This name is taken: choose another one."),
        ({"username": "OLGA"}, "username", "This name is taken: choose another one."),
        (
            {"username": "Ana Núñez"},
            "username",
            "A name can have letters, digits and @ . + - _, but no spaces.",
        ),
        ({"username": "guest-1"}, "username", "This name is taken: choose another one."),
        ({"password": ""}, "password", "This field is required."),
        ({"password": "corta"}, "password", "This password is too short."),
        ({"password": "password123"}, "password", "This password is too common."),
        ({"username": "nacha1990", "password": "nacha1990"}, "password", "The password is too similar"),
    ]:
        with subtests.test(changes=changes):
            sent = fields(**{"username": "nacha", "password": SECRET, **changes})
            response = phone.post(ADDRESS, sent)
            page = read_page(response)

            assert 422 == response.status_code
            assert page.said_at(field).startswith(sentence)
            assert (sent["username"], "") == (page.typed("username"), page.typed("password"))
            guest.refresh_from_db()
            assert (True, False) == (guest.username.startswith("guest-"), guest.has_usable_password())


def test_a_name_taken_after_the_forms_check_is_refused_like_any_taken_name(phone, guest, olga, monkeypatch):
    monkeypatch.setattr(FirstCredentials, "clean_username", lambda form: form.cleaned_data["username"])
    response = phone.post(ADDRESS, fields(username="olga", password=SECRET))

    assert (422, "This name is taken: choose another one.") == (
        response.status_code,
        read_page(response).said_at("username"),
    )


def test_changing_the_password_requires_the_current_one_and_keeps_the_user_signed_in(phone_of, olga):
    phone = phone_of(olga)
    assert ADDRESS == read_page(phone.get("/")).link("Change the password signed in as olga")
    wrong = phone.post(ADDRESS, fields(current="x", password="cuatro comodines"))
    assert (422, "The current password is not right.") == (
        wrong.status_code,
        read_page(wrong).said_at("current"),
    )
    assert (
        "/devices/?ended=elsewhere"
        == phone.post(ADDRESS, fields(current=SECRET, password="cuatro comodines")).url
    )

    assert olga == authenticate(username="olga", password="cuatro comodines")
    assert 200 == phone.get(ADDRESS).status_code  # and is still signed in


def test_guesses_of_the_current_password_are_rate_limited(phone_of, olga):
    phone = phone_of(olga)
    for _ in range(TRIES):
        assert 422 == phone.post(ADDRESS, fields(current="x", password="cuatro comodines")).status_code
    response = phone.post(ADDRESS, fields(current=SECRET, password="cuatro comodines"))

    assert 429 == response.status_code
    assert ["Too many attempts. Wait 15 minutes, then try again."] == read_page(response).alerts
    assert olga == authenticate(username="olga", password=SECRET)


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_anonymous_user_is_redirected_to_sign_in(nobody, method):
    response = getattr(nobody, method)(ADDRESS, fields(username="olga", password=SECRET))

    assert (302, reverse("login")) == (response.status_code, response.url)
    assert not User.objects.exists()


def test_the_sign_in_page_explains_where_to_choose_a_name_and_a_password(nobody):
    sentence = (
        "You need no account. On the phone with your tables, “Name and password” on the first "
        "page lets you open them here too."
    )
    assert sentence in read_page(nobody.get("/login/")).only("main").text
