"""Signing in with a name and a password; the number of tries is limited."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection

from games.models import Removal, Role
from games.people.access import role_at
from games.people.guesses import HERE, OF_NAME, OF_NAME_HERE
from games.people.guests import make_guest
from games.people.users import called
from tests.reader import fields, read_page
from tests.tables import make_table

pytestmark = pytest.mark.django_db

TRIES = OF_NAME_HERE.most
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


def test_capitals_in_the_name_make_no_difference(nobody):
    assert "/" == nobody.post(ADDRESS, _payload(username="Olga")).url


@pytest.mark.parametrize(
    "changes", [{"password": "x"}, {"username": "nadie"}, {"username": "<b>"}, {"username": "x" * 200}]
)
def test_a_wrong_password_is_told_and_the_name_stays(nobody, changes):
    payload = _payload(**changes)
    response = nobody.post(ADDRESS, payload)
    page = read_page(response)

    assert 422 == response.status_code
    assert ["The name or the password is not right."] == page.alerts
    assert (payload["username"], "") == (page.typed("username"), page.typed("password"))


@pytest.mark.parametrize(("field", "value"), [("username", ""), ("password", "")])
def test_what_cannot_be_is_refused_at_its_field(nobody, field, value):
    response = nobody.post(ADDRESS, _payload(**{field: value}))

    assert 422 == response.status_code
    assert read_page(response).said_at(field)
    assert "_auth_user_id" not in nobody.session


def test_a_wrong_password_is_told_in_spanish(phone_of):
    page = read_page(phone_of(language="es-AR").post(ADDRESS, _payload(password="x")))

    assert ["The name or the password is not right."] != page.alerts
    assert page.alerts


def _fail(phone, times, **changes):
    for _ in range(times):
        assert 422 == phone.post(ADDRESS, _payload(**{"password": "x", **changes})).status_code


def test_after_many_failures_one_has_to_wait(nobody):
    _fail(nobody, TRIES)
    response = nobody.post(ADDRESS, _payload())
    page = read_page(response)

    assert 429 == response.status_code
    assert ["Too many attempts with this name. Wait 15 minutes, then try again."] == page.alerts
    assert "olga" == page.typed("username")
    assert "_auth_user_id" not in nobody.session


@pytest.mark.parametrize("name", [" olga ", "\uff4flga"])
def test_a_name_spelled_differently_is_the_same_name(nobody, name):
    _fail(nobody, TRIES, username=name)

    assert 429 == nobody.post(ADDRESS, _payload()).status_code


def test_the_failures_of_others_at_the_same_address_refuse_nobody(nobody):
    _fail(nobody, TRIES, username="nadie")

    assert 302 == nobody.post(ADDRESS, _payload()).status_code


def test_who_guesses_from_elsewhere_locks_nobody_out(phone_of, nobody):
    _fail(phone_of(REMOTE_ADDR="203.0.113.9"), TRIES)

    assert 302 == nobody.post(ADDRESS, _payload()).status_code


def test_a_name_guessed_from_many_addresses_has_to_wait_for_strangers_and_not_for_its_own_phone(phone_of):
    hers = phone_of(REMOTE_ADDR="198.51.100.7")
    assert 302 == hers.post(ADDRESS, _payload()).status_code
    hers.post("/logout/", fields())
    for number in range(OF_NAME.most // TRIES):
        _fail(phone_of(REMOTE_ADDR=f"203.0.113.{number}"), TRIES)

    assert 429 == phone_of(REMOTE_ADDR="203.0.113.99").post(ADDRESS, _payload()).status_code
    assert 302 == hers.post(ADDRESS, _payload()).status_code


def test_a_proof_of_another_name_or_a_forged_one_helps_nobody(phone_of):
    User.objects.create_user("eva", password="siete de oros")
    guessing = phone_of(REMOTE_ADDR="203.0.113.99")
    assert 302 == guessing.post(ADDRESS, _payload(username="eva", password="siete de oros")).status_code
    guessing.post("/logout/", fields())
    for number in range(OF_NAME.most // TRIES):
        _fail(phone_of(REMOTE_ADDR=f"203.0.113.{number}"), TRIES)

    assert 429 == guessing.post(ADDRESS, _payload()).status_code
    of_eva, of_olga = (sha256(name.encode()).hexdigest() for name in ("eva", "olga"))
    guessing.cookies["known"] = guessing.cookies["known"].value.replace(of_eva, of_olga)
    assert of_olga in guessing.cookies["known"].value
    assert 429 == guessing.post(ADDRESS, _payload()).status_code


def test_a_name_in_letters_of_any_alphabet_gets_a_proof_that_can_be_sent(nobody):
    User.objects.create_user("Łukasz", password="siete de oros")
    response = nobody.post(ADDRESS, _payload(username="Łukasz", password="siete de oros"))

    assert 302 == response.status_code
    assert response.cookies["known"].OutputString().encode("latin-1")  # as a server writes headers


def test_once_an_address_has_to_wait_its_guesses_leave_nothing_on_the_disk(phone_of):
    """The cache drops a third of its counters when it is full, so a blocked address must not add any."""
    guessing = phone_of(REMOTE_ADDR="203.0.113.9")
    for _ in range(HERE.most):
        HERE.take("203.0.113.9")
    HERE.take("203.0.113.9")  # lists the address for operators, in one file for all
    before = _counters()

    assert 429 == guessing.post(ADDRESS, _payload(username="nadie")).status_code
    assert before == _counters()


def _counters():
    return sorted(file.name for file in Path(settings.CACHES["default"]["LOCATION"]).glob("*.djcache"))


def test_many_names_tried_from_one_address_have_to_wait(phone_of):
    guessing, elsewhere = phone_of(REMOTE_ADDR="203.0.113.9"), phone_of(REMOTE_ADDR="203.0.113.10")
    for number in range(HERE.most):
        _fail(guessing, 1, username=f"nadie-{number}")

    page = guessing.post(ADDRESS, _payload())
    assert (429, ["Too many attempts. Wait 15 minutes, then try again."]) == (
        page.status_code,
        read_page(page).alerts,
    )
    assert 302 == elsewhere.post(ADDRESS, _payload()).status_code


def test_a_customer_with_a_network_of_ipv6_is_one_asker(phone_of):
    for number in range(HERE.most):
        _fail(phone_of(REMOTE_ADDR=f"2001:db8:1:2::{number:x}"), 1, username=f"nadie-{number}")

    assert 429 == phone_of(REMOTE_ADDR="2001:db8:1:2:ffff::1").post(ADDRESS, _payload()).status_code
    assert 302 == phone_of(REMOTE_ADDR="2001:db8:1:3::1").post(ADDRESS, _payload()).status_code


def test_a_club_behind_one_address_signs_in_as_often_as_it_likes(phone_of):
    for _ in range(HERE.most + 1):
        assert 302 == phone_of().post(ADDRESS, _payload()).status_code


def test_a_name_is_found_without_reading_every_user():
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # the query planner reads a small table whole
            cursor.execute("SET LOCAL enable_seqscan = off")
        assert "games_folded_name" in called("Olga").explain()


def test_signing_in_is_no_failure_and_forgets_those_before(nobody):
    for _ in range(2):
        _fail(nobody, TRIES - 1)
        assert 302 == nobody.post(ADDRESS, _payload()).status_code
    for _ in range(TRIES + 1):
        assert 302 == nobody.post(ADDRESS, _payload()).status_code


def test_what_was_never_tried_does_not_count(nobody):
    _fail(nobody, TRIES, password="")

    assert 302 == nobody.post(ADDRESS, _payload()).status_code


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_signing_in_never_leads_elsewhere(nobody, target):
    assert "/" == nobody.post(f"{ADDRESS}?next={target}", _payload()).url


def test_whose_tables_a_phone_has_is_asked_and_they_come_along_where_they_are_the_users(phone_of, olga):
    guest = make_guest()
    table = make_table(guest, name="Mesa de la terraza")
    phone = phone_of(guest)
    page = read_page(phone.get(ADDRESS))
    form, _button = page.form_with("Sign in")
    assert "This phone already has tables: Mesa de la terraza. Are they yours?" in page.text
    assert (["no", "yes"], "no") == (form.allowed("mine"), form.fields["mine"])
    assert "/login/" == read_page(phone.get("/")).link("Sign in")
    phone.post(ADDRESS, _payload(mine="yes"))

    assert 200 == phone.get(f"/t/{table.code}/").status_code
    assert (Role.OWNER, None) == (role_at(olga, table), role_at(guest, table))


@pytest.mark.parametrize("changes", [{"mine": "no"}, {}, {"mine": "perhaps"}])
def test_unless_the_user_says_so_the_tables_stay_with_the_phone(phone_of, olga, changes):
    guest = make_guest()
    table = make_table(guest)
    phone = phone_of(guest)
    phone.post(ADDRESS, _payload(**changes))

    assert 404 == phone.get(f"/t/{table.code}/").status_code
    assert (None, Role.OWNER) == (role_at(olga, table), role_at(guest, table))


@pytest.mark.parametrize("what", ["ended", "claim", "over"])
def test_a_guest_without_open_tables_is_put_aside_and_not_brought_along(phone_of, owner, table, olga, what):
    guest = make_guest()
    if what == "claim":
        table.members.filter(slug="ana").update(user=guest)
    else:
        removal = Removal.objects.create(table=table, made_by=owner) if what == "ended" else None
        end = None if removal else datetime(2020, 1, 1, tzinfo=UTC)
        table.grants.create(user=guest, role=Role.SCORER, removal=removal, expires_at=end)
    phone = phone_of(guest)
    phone.post(ADDRESS, _payload())

    assert not table.grants.filter(user=olga).exists()
    assert not table.members.filter(user=olga).exists()
    phone.post("/logout/")
    assert str(guest.pk) == phone.session["_auth_user_id"]


def test_nothing_is_asked_on_a_phone_without_tables(phone_of, nobody):
    for phone in (nobody, phone_of(make_guest())):
        assert "Are they yours?" not in read_page(phone.get(ADDRESS)).text


def test_what_was_chosen_stays_after_a_wrong_password(phone_of):
    guest = make_guest()
    make_table(guest)
    page = read_page(phone_of(guest).post(ADDRESS, _payload(password="x", mine="yes")))

    assert "yes" == page.form_with("Sign in")[0].fields["mine"]


def test_a_password_that_was_wrong_brings_nothing_along(phone_of, olga):
    guest = make_guest()
    table = make_table(guest)
    phone_of(guest).post(ADDRESS, _payload(password="x", mine="yes"))

    assert (Role.OWNER, None) == (role_at(guest, table), role_at(olga, table))


def test_who_signs_in_under_another_name_leaves_the_first_one_everything(phone_of, owner, table, olga):
    owner.set_password("cuatro lobas negras")
    owner.save()
    phone = phone_of(owner)
    assert "Are they yours?" not in read_page(phone.get(ADDRESS)).text
    phone.post(ADDRESS, _payload())

    assert (Role.OWNER, None) == (role_at(owner, table), role_at(olga, table))
