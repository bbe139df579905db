"""Signing out, also on a guest's phone that somebody borrowed: the guest is signed in again afterwards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.urls import reverse

from games.models import Role
from games.people import invitations
from games.people.access import role_at
from games.people.guests import make_guest
from games.people.invitations import LASTS
from games.people.lending import COOKIE
from tests.reader import Walker, read_page
from tests.tables import make_table

pytestmark = pytest.mark.django_db

PASSWORD = "tres lobas negras"


@pytest.fixture
def friend(db):
    """`friend("otilia")` returns a user with this name and a password."""

    def named(name):
        return User.objects.create_user(name, password=PASSWORD)

    return named


@pytest.fixture
def guest(db):
    return make_guest()


@pytest.fixture
def own_table(guest):
    """A table that the guest owns."""
    return make_table(guest, name="Mesa de la terraza")


@pytest.fixture
def phone(phone_of, guest, own_table):
    """A phone on which the guest is signed in."""
    return phone_of(guest)


def sign_in(phone, name="otilia", **changes):
    return phone.post("/login/", {"username": name, "password": PASSWORD, "mine": "no", **changes})


def sign_out(phone):
    return phone.post("/logout/")


def user_on(phone):
    """Return the user who is signed in on this phone, after a request; None if nobody is."""
    phone.get("/")
    number = phone.session.get("_auth_user_id")
    return User.objects.get(pk=number) if number else None


def put_cookie(phone, name, value):
    phone.cookies[name] = value


def test_signing_out_ends_the_session(phone_of, friend):
    client = phone_of(friend("olga"))
    response = sign_out(client)

    assert ("/", False) == (response.url, "_auth_user_id" in client.session)


# --- lent -------------------------------------------------------------------------------------------------------------


def test_a_guest_is_signed_in_again_after_the_borrower_of_the_phone_signs_out(
    phone, guest, own_table, friend
):
    """Otilia looks at their tables on the guest's phone and signs out."""
    otilia = friend("otilia")
    others = make_table(otilia, name="Mesa del club")
    walker = Walker(phone)
    walker.open("/")
    walker.follow("Sign in")
    home = walker.press("Sign in", username="otilia", password=PASSWORD, mine="no")
    assert ("Mesa del club" in home.text, "Mesa de la terraza" in home.text) == (True, False)
    assert 404 == phone.get(f"/t/{own_table.code}/").status_code
    assert "This phone's own tables are back" in home.text

    home = walker.press("Sign out This phone's own tables are back")
    assert ("Mesa del club" in home.text, "Mesa de la terraza" in home.text) == (False, True)
    assert [200, 404] == [phone.get(f"/t/{table.code}/").status_code for table in (own_table, others)]
    assert (guest, Role.OWNER, None) == (
        user_on(phone),
        role_at(guest, own_table),
        role_at(otilia, own_table),
    )
    assert COOKIE not in phone.cookies or not phone.cookies[COOKIE].value


def test_the_loans_cookie_is_http_only_and_contains_no_session_key(phone, friend):
    friend("otilia")
    before = phone.cookies[settings.SESSION_COOKIE_NAME].value
    sign_in(phone)
    cookie = phone.cookies[COOKIE]

    assert (True, "Lax", "", settings.SESSION_COOKIE_AGE) == (
        cookie["httponly"],
        cookie["samesite"],
        cookie["secure"],
        cookie["max-age"],
    )
    assert [] == [
        key for key in (before, phone.cookies[settings.SESSION_COOKIE_NAME].value) if key in cookie.value
    ]


def test_the_loans_cookie_is_secure_over_https(phone, friend):
    friend("otilia")
    phone.post("/login/", {"username": "otilia", "password": PASSWORD, "mine": "no"}, secure=True)

    assert phone.cookies[COOKIE]["secure"]


def test_the_loans_key_is_not_accepted_as_a_session_key(phone_of, phone, friend):
    """The cookie contains the key of the loan; as a session key it signs nobody in."""
    friend("otilia")
    sign_in(phone)
    thief = phone_of()
    put_cookie(thief, settings.SESSION_COOKIE_NAME, phone.cookies[COOKIE].value.split(":")[0])

    assert None is user_on(thief)


# --- attacked ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forged", ["{key}:{time}:nobody-signed-this", "{key}", "nonsense", ""])
def test_a_forged_cookie_does_not_sign_the_guest_in(phone, friend, forged):
    friend("otilia")
    sign_in(phone)
    key, time, _signature = phone.cookies[COOKIE].value.split(":")
    put_cookie(phone, COOKIE, forged.format(key=key, time=time))
    sign_out(phone)

    assert None is user_on(phone)


def test_a_stolen_cookie_does_not_work_on_another_phone(phone_of, phone, friend, guest):
    otilia = friend("otilia")
    sign_in(phone)
    stolen = phone.cookies[COOKIE].value
    for thief in (phone_of(), phone_of(otilia), phone_of(make_guest())):
        put_cookie(thief, COOKIE, stolen)
        assert "this phone's tables" not in read_page(thief.get("/")).text
        sign_out(thief)
        assert guest != user_on(thief)

    sign_out(phone)
    assert guest == user_on(phone)


def test_a_stolen_cookie_does_not_work_after_the_end_of_the_loan(phone_of, phone, friend, guest):
    otilia = friend("otilia")
    sign_in(phone)
    thief = phone_of(otilia)
    put_cookie(thief, COOKIE, phone.cookies[COOKIE].value)
    sign_out(phone)
    sign_out(thief)

    assert (guest, None) == (user_on(phone), user_on(thief))


def test_two_users_can_borrow_a_phone_one_after_the_other(phone, friend, guest):
    for name in ("otilia", "pablo"):
        friend(name)
    for name in ("otilia", "pablo"):
        sign_in(phone, name)
        assert name == user_on(phone).username
        sign_out(phone)
        assert guest == user_on(phone)


def test_a_second_borrower_who_signs_in_over_the_first_takes_no_tables_of_the_guest(
    phone, friend, guest, own_table
):
    for name in ("otilia", "pablo"):
        friend(name)
    sign_in(phone, "otilia")
    sign_in(phone, "pablo", mine="yes")  # ignored: the tables on the phone are Otilia's

    assert "pablo" == user_on(phone).username
    sign_out(phone)
    assert (guest, Role.OWNER) == (user_on(phone), role_at(guest, own_table))


def test_a_sign_out_tapped_twice_keeps_the_guest_signed_in(phone_of, phone, friend, guest):
    """The second request has the same cookies as the first one, and its response comes last."""
    friend("otilia")
    sign_in(phone)
    second = phone_of()
    for name in (COOKIE, settings.SESSION_COOKIE_NAME):
        put_cookie(second, name, phone.cookies[name].value)
    sign_out(phone)
    sign_out(second)

    assert [guest] * 2 == [user_on(phone), user_on(second)]


def test_a_sign_in_tapped_twice_keeps_the_way_back_to_the_guest(phone_of, phone, friend, guest):
    friend("otilia")
    second = phone_of()
    put_cookie(second, settings.SESSION_COOKIE_NAME, phone.cookies[settings.SESSION_COOKIE_NAME].value)
    sign_in(phone)
    sign_in(second)
    sign_out(second)

    assert guest == user_on(second)


def test_a_late_request_with_the_ended_session_gets_a_404_and_sets_no_session_cookie(
    phone_of, phone, friend, time_machine
):
    time_machine.move_to(datetime(2026, 11, 20, 21, tzinfo=UTC), tick=False)
    otilia = friend("otilia")
    table = make_table(otilia)
    sign_in(phone)
    late = phone_of()
    for name, morsel in phone.cookies.items():
        late.cookies[name] = morsel.value
    key = late.cookies[settings.SESSION_COOKIE_NAME].value
    sign_out(phone)
    response = late.get(f"/t/{table.code}/")

    assert 404 == response.status_code
    assert settings.SESSION_COOKIE_NAME not in response.cookies
    assert ["_session_expiry", "ended"] == sorted(Session.objects.get(pk=key).get_decoded())
    assert timedelta(minutes=1) == Session.objects.get(pk=key).expire_date - datetime.now(UTC)


def test_signing_out_in_a_second_tab_does_not_sign_the_guest_out(phone, friend, guest, own_table):
    """The second tab still shows a page of the borrower."""
    friend("otilia")
    sign_in(phone)
    sign_out(phone)
    sign_out(phone)

    assert guest == user_on(phone)
    assert 200 == phone.get(f"/t/{own_table.code}/").status_code


def test_a_sign_out_form_of_an_old_page_is_refused_by_its_csrf_token(phone_of, guest, own_table, friend):
    friend("otilia")
    phone = phone_of(guest, enforce_csrf_checks=True)
    form, _button = read_page(phone.get("/login/")).form_with("Sign in")
    phone.post("/login/", {**form.fields, "username": "otilia", "password": PASSWORD})
    tab = read_page(phone.get("/")).form_with("Sign out This phone's own tables are back")[0].fields
    assert 302 == phone.post("/logout/", tab).status_code

    assert 403 == phone.post("/logout/", tab).status_code
    assert guest == user_on(phone)


def test_an_expired_session_of_the_guest_is_not_restored(phone, friend, guest):
    friend("otilia")
    session_key = phone.cookies[settings.SESSION_COOKIE_NAME].value
    sign_in(phone)
    Session.objects.filter(session_key=session_key).delete()
    assert "are back" not in read_page(phone.get("/")).text
    sign_out(phone)

    assert None is user_on(phone)


def test_a_guest_who_got_a_password_during_the_loan_has_to_sign_in(phone, friend, guest, own_table):
    friend("otilia")
    sign_in(phone)
    guest.username = "greta"
    guest.set_password(PASSWORD)
    guest.save()
    sign_out(phone)
    assert None is user_on(phone)
    sign_in(phone, "greta")

    assert guest == user_on(phone)
    assert 200 == phone.get(f"/t/{own_table.code}/").status_code


def test_the_guests_session_does_not_expire_during_the_loan(phone_of, guest, own_table, friend, time_machine):
    begin = datetime(2026, 11, 19, 21, 0, tzinfo=UTC)
    time_machine.move_to(begin, tick=False)
    phone = phone_of(guest)
    friend("otilia")
    time_machine.move_to(begin + timedelta(days=390), tick=False)
    sign_in(phone)
    time_machine.move_to(begin + timedelta(days=430), tick=False)
    phone.get("/")
    sign_out(phone)

    assert guest == user_on(phone)


def test_a_borrower_signed_out_by_a_new_password_leaves_a_way_back_to_the_guest(
    phone, phone_of, friend, guest, own_table
):
    otilia = friend("otilia")
    sign_in(phone)
    otilia.set_password("cuatro lobas negras")
    otilia.save()
    home = read_page(phone.get("/"))
    assert "The user who signed in on this phone was signed out." in home.text
    walker = Walker(phone)
    walker.open("/")

    assert "Mesa de la terraza" in walker.press("Back to this phone's tables").text
    assert guest == user_on(phone)


def test_after_a_loan_ended_by_a_new_password_the_guest_accepts_an_invitation_as_themselves(
    phone, friend, guest, owner, table
):
    """Otilia's new password has ended the loan; the guest opens an invitation before any other page."""
    otilia = friend("otilia")
    sign_in(phone)
    otilia.set_password("cuatro lobas negras")
    otilia.save()
    _invite, token = invitations.make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)
    phone.post(reverse("invitation", args=[token]))

    assert (guest, Role.WITNESS) == (user_on(phone), role_at(guest, table))


def test_a_borrower_can_change_their_password_on_the_lent_phone(phone_of, phone, friend, guest):
    otilia = friend("otilia")
    sign_in(phone)
    new = "cuatro lobas negras"
    assert (
        "/devices/?ended=elsewhere" == phone.post("/credentials/", {"current": PASSWORD, "password": new}).url
    )
    thief = phone_of(otilia)
    put_cookie(thief, COOKIE, phone.cookies[COOKIE].value)
    sign_out(thief)
    assert None is user_on(thief)
    sign_out(phone)

    assert guest == user_on(phone)


def test_a_guest_without_a_loan_is_not_signed_out(phone, guest):
    """A guest has no password, so that signing out would lose the account."""
    assert ("/", guest) == (sign_out(phone).url, user_on(phone))


def test_signing_out_by_get_is_a_405(phone, guest, friend):
    friend("otilia")
    sign_in(phone)

    assert 405 == phone.get("/logout/").status_code
    assert "otilia" == user_on(phone).username
