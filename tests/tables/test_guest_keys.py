"""A form's idempotency key: two taps on one phone create one guest; on another phone the key has no effect."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse

from games.models import Game, Table
from tests.reader import read_page

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

NEW = reverse("new-table")
SEATS = {"variant": "loba_menos", "new-1": "Ana", "new-2": "Beto", "option-stake": "100"}


@pytest.fixture
def new_table_form(client_for):
    """A phone that has loaded the form of a new table, and the fields that it is about to send."""
    phone = client_for(enforce_csrf_checks=True)
    form, _button = read_page(phone.get(NEW)).form_with("Start")
    return phone, {**form.fields, **SEATS}


def csrf_cookie(phone):
    return phone.cookies[settings.CSRF_COOKIE_NAME].value


def repeat_post(client_for, data, before):
    """Send the form again with the CSRF cookie `before` and no session. Return client and response."""
    again = client_for(enforce_csrf_checks=True)
    again.cookies[settings.CSRF_COOKIE_NAME] = before
    return again, again.post(NEW, data)


def session_user_id(phone):
    return phone.session.get("_auth_user_id")


def test_two_taps_on_one_phone_make_one_guest_and_one_table(client_for, new_table_form):
    phone, data = new_table_form
    before = csrf_cookie(phone)
    first = phone.post(NEW, data)
    again, second = repeat_post(client_for, data, before)

    assert (302, first.url) == (second.status_code, second.url)
    assert (1, 1, 1) == (User.objects.count(), Table.objects.count(), Game.objects.count())
    assert session_user_id(phone) == session_user_id(again)


@pytest.mark.parametrize("is_first", [True, False])
def test_another_phones_idempotency_key_signs_neither_in_as_the_other(client_for, new_table_form, is_first):
    """A thief sends the key from another phone, with that phone's CSRF token, in the same minute."""
    phone, data = new_table_form
    thief = client_for(enforce_csrf_checks=True)
    form, _button = read_page(thief.get(NEW)).form_with("Start")
    forms = [(phone, data), (thief, {**form.fields, **SEATS, "key": data["key"]})]
    answers = {who: who.post(NEW, form_data) for who, form_data in (reversed(forms) if is_first else forms)}
    game = answers[phone].url

    assert session_user_id(phone) != session_user_id(thief)
    assert (200, 404) == (phone.get(game).status_code, thief.get(game).status_code)


@pytest.mark.parametrize("key", ["k", "kkkkkkkkkkkkkkkk.00000000000000000000"])
def test_an_invalid_key_makes_a_new_guest_at_each_tap(client_for, new_table_form, key):
    phone, data = new_table_form
    before = csrf_cookie(phone)
    phone.post(NEW, {**data, "key": key})
    again, _response = repeat_post(client_for, {**data, "key": key}, before)

    assert (2, 2) == (User.objects.count(), Table.objects.count())
    assert session_user_id(phone) != session_user_id(again)
