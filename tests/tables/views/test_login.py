"""Signing in with a name and a password, with limited tries; and signing out."""

from __future__ import annotations

import pytest

from games.models import Role
from games.tables.services import authorization, guests
from games.tables.views.login import ADDRESS_SHORT_LIMIT, NAME_AT_ADDRESS_LIMIT, NAME_LIMIT
from tests.factories import SECRET, make_table
from tests.reader import Walker, fields, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window", "olga")]

TRIES = NAME_AT_ADDRESS_LIMIT.most
ADDRESS = "/login/"


def _payload(**changes):
    return fields(**{"username": "olga", "password": SECRET, **changes})


def test_a_user_signs_in_with_name_in_any_case_and_password(nobody, olga):
    response = nobody.post(ADDRESS, _payload(username="Olga"))

    assert (302, "/") == (response.status_code, response.url)
    assert str(olga.pk) == nobody.session["_auth_user_id"]


def test_a_wrong_name_or_password_is_refused_and_the_name_stays_in_the_form(subtests, nobody):
    for changes in [{"password": "x"}, {"username": "nadie"}, {"username": "<b>"}, {"username": "x" * 200}]:
        with subtests.test(changes=changes):
            payload = _payload(**changes)
            response = nobody.post(ADDRESS, payload)
            page = read_page(response)

            assert 422 == response.status_code
            assert ["Wrong name or password."] == page.alerts
            assert (payload["username"], "") == (page.typed("username"), page.typed("password"))


def _fail(phone, times, **changes):
    for _ in range(times):
        assert 422 == phone.post(ADDRESS, _payload(**{"password": "x", **changes})).status_code


@pytest.mark.parametrize("name", ["olga", " olga ", "\uff4flga"])
def test_many_failures_with_a_name_however_spelled_are_rate_limited(nobody, name):
    _fail(nobody, TRIES, username=name)
    response = nobody.post(ADDRESS, _payload())
    page = read_page(response)

    assert 429 == response.status_code
    assert ["Too many attempts with this name. Wait 15 minutes, then try again."] == page.alerts
    assert "olga" == page.typed("username")
    assert "_auth_user_id" not in nobody.session


@pytest.mark.parametrize(
    ("where", "changes"),
    [({}, {"username": "nadie"}), ({"REMOTE_ADDR": "203.0.113.9"}, {}), ({}, {"password": ""})],
    ids=["another name", "another address", "no password"],
)
def test_other_failures_do_not_block_a_user(client_for, nobody, where, changes):
    _fail(client_for(**where) if where else nobody, TRIES, **changes)

    assert 302 == nobody.post(ADDRESS, _payload()).status_code


def test_guesses_from_many_addresses_block_the_name_but_not_where_it_signed_out(client_for):
    user_phone, lent, new = (client_for(REMOTE_ADDR=f"203.0.113.{number}") for number in (97, 98, 99))
    rounds = range(NAME_LIMIT.most // TRIES)
    for phone in (user_phone, lent):
        phone.post(ADDRESS, _payload())
        phone.post("/logout/")
    for number in rounds:
        _fail(client_for(REMOTE_ADDR=f"203.0.113.{number}"), TRIES)
    assert [302, 429] == [phone.post(ADDRESS, _payload()).status_code for phone in (user_phone, new)]

    user_phone.post("/logout/")
    # A copy of a phone's cookie guesses no more often than others, and locks no other phone out.
    for number in rounds:
        lent.defaults["REMOTE_ADDR"] = f"198.51.100.{number}"
        _fail(lent, TRIES)
    lent.defaults["REMOTE_ADDR"] = "203.0.113.98"
    assert [302, 429] == [phone.post(ADDRESS, _payload()).status_code for phone in (user_phone, lent)]


def test_failures_with_many_names_from_one_address_are_rate_limited(client_for):
    guessing, other_phone = client_for(REMOTE_ADDR="203.0.113.9"), client_for(REMOTE_ADDR="203.0.113.10")
    for number in range(ADDRESS_SHORT_LIMIT.most):
        _fail(guessing, 1, username=f"nadie-{number}")

    page = guessing.post(ADDRESS, _payload())
    assert (429, ["Too many attempts. Wait 2 minutes, then try again."]) == (
        page.status_code,
        read_page(page).alerts,
    )
    assert 302 == other_phone.post(ADDRESS, _payload()).status_code


def test_a_phone_that_was_signed_in_is_not_kept_out_by_others_at_its_address(client_for):
    user_phone, guessing = client_for(REMOTE_ADDR="203.0.113.9"), client_for(REMOTE_ADDR="203.0.113.9")
    user_phone.post(ADDRESS, _payload())
    user_phone.post("/logout/")
    for number in range(ADDRESS_SHORT_LIMIT.most):
        _fail(guessing, 1, username=f"nadie-{number}")

    assert 302 == user_phone.post(ADDRESS, _payload()).status_code


def test_a_successful_sign_in_resets_the_failures(nobody):
    for _ in range(2):
        _fail(nobody, TRIES - 1)
        assert 302 == nobody.post(ADDRESS, _payload()).status_code
    for _ in range(TRIES + 1):
        assert 302 == nobody.post(ADDRESS, _payload()).status_code


def test_a_wrong_password_moves_no_table_and_keeps_the_ticks_of_the_form(client_for, olga):
    guest = guests.create()
    table, _other = (make_table(guest, name=name) for name in ("Mesa de la terraza", "Otra mesa"))
    phone = client_for(guest)
    walker = Walker(phone)
    walker.open(ADDRESS)
    ticked = str(table.accesses.get().pk)
    page = walker.press("Sign in", **_payload(password="x", along=ticked))

    assert (Role.OWNER, None) == (authorization.find_role(guest, table), authorization.find_role(olga, table))
    assert [True, False] == ["checked" in box.attrs for box in page.every("input", name="along")]
    walker.press("Sign in", password=SECRET)
    assert (Role.OWNER, None) == (authorization.find_role(olga, table), authorization.find_role(guest, table))


def test_signing_in_as_another_registered_user_moves_no_tables(client_for, owner, table, olga):
    owner.set_password("cuatro lobas negras")
    owner.save()
    phone = client_for(owner)
    assert "come along" not in read_page(phone.get(ADDRESS)).text
    phone.post(ADDRESS, _payload())

    assert (Role.OWNER, None) == (authorization.find_role(owner, table), authorization.find_role(olga, table))


# --- signing out ------------------------------------------------------------------------------------------------------


def test_signing_out_ends_the_session_but_not_by_get(client_for, olga):
    phone = client_for(olga)

    assert (405, str(olga.pk)) == (phone.get("/logout/").status_code, phone.session["_auth_user_id"])
    assert ("/", False) == (phone.post("/logout/").url, "_auth_user_id" in phone.session)


def test_a_guest_who_could_not_sign_in_again_is_not_signed_out(client_for):
    guest = guests.create()
    phone = client_for(guest)

    assert ("/", str(guest.pk)) == (phone.post("/logout/").url, phone.session["_auth_user_id"])
