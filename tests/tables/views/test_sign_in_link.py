"""A sign-in link of the operator signs the user in to set a new password; every such link works once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import authenticate
from django.utils.timezone import now

from games.tables.services import links
from games.tables.views.login import WRONG_LINK_LIMIT
from tests.commands import run_command
from tests.factories import SECRET, make_table, rows_containing
from tests.reader import Walker, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]

NEW = "cuatro comodines"
GONE = "This link no longer works"


@pytest.fixture
def link(olga):
    return f"/in/{links.create_sign_in(olga, is_operators=True)}/"


def session_user_id(client):
    return client.session.get("_auth_user_id")


def password_fields(password=NEW):
    return {"new_password1": password, "new_password2": password}


def refusal_pages(client, link):
    """Return the statuses and headings of the refusals that a phone gets, for GET and POST."""
    answers = [client.get(link), client.post(link)]
    return {(answer.status_code, read_page(answer).only("h1").text) for answer in answers}


# --- reset ------------------------------------------------------------------------------------------------


def test_a_user_signs_in_with_the_operators_link_and_sets_a_new_password(client_for, olga, settings):
    settings.SITE_URL = "http://testserver"
    make_table(olga)
    before, phone = client_for(olga), client_for()
    link = run_command("let_in", "olga").split()[0]
    walker = Walker(phone)
    page = walker.open(link)
    assert ("Sign in", None) == (page.only("h1").text, session_user_id(phone))
    assert "This link signs olga in on this phone" in page.only("main").text

    page = walker.press("Sign in")
    assert ("/you/", str(olga.pk)) == (walker.address, session_user_id(phone))
    assert [] == page.every("input", name="old_password")
    assert (
        200 == before.get("/you/").status_code
    )  # the other phone stays signed in until the password changes

    walker.send("Save", password_fields())
    assert "/you/" == walker.address
    assert (None, olga) == (
        authenticate(username="olga", password=SECRET),
        authenticate(username="olga", password=NEW),
    )
    assert [False, True] == [
        "_auth_user_id" in each.get("/you/").wsgi_request.session for each in (before, phone)
    ]
    assert "Mesa de los jueves" in read_page(phone.get("/")).only("main").text


# --- opened -----------------------------------------------------------------------------------------------


def test_a_phone_can_set_a_password_without_the_old_one_once_and_for_an_hour(client_for, link, time_machine):
    time_machine.move_to(now(), tick=False)
    phone = client_for()
    phone.post(link)
    time_machine.shift(timedelta(minutes=59))
    assert [] == read_page(phone.get("/you/")).every("input", name="old_password")
    time_machine.shift(timedelta(minutes=1))
    assert [] != read_page(phone.get("/you/")).every("input", name="old_password")
    time_machine.shift(-timedelta(minutes=1))

    assert [302, 422] == [
        phone.post("/you/password/", password_fields(word)).status_code for word in (NEW, "cinco sotas")
    ]


def test_the_token_of_a_sign_in_link_is_not_stored_in_the_database(nobody, link):
    nobody.post(link)
    token = link.strip("/").split("/")[-1]
    assert [] == rows_containing(token)


# --- links that no longer work ----------------------------------------------------------------------------


def test_a_used_link_and_one_after_which_another_was_made_sign_nobody_in(client_for, olga, link):
    newer = f"/in/{links.create_sign_in(olga)}/"
    assert {(404, GONE)} == refusal_pages(client_for(), link)
    assert 302 == client_for().post(newer).status_code

    assert {(404, GONE)} == refusal_pages(client_for(), newer)


def test_guesses_of_sign_in_links_and_invitations_share_a_rate_limit(client_for, link):
    guesser = client_for()
    guesses = [guesser.get(f"/in/guess{number}/").status_code for number in range(WRONG_LINK_LIMIT.most)]

    assert {404} == set(guesses)
    assert [429, 429] == [guesser.post("/in/guess/").status_code, guesser.get("/i/guess/").status_code]
    assert "Wait 15 minutes" in read_page(guesser.get("/in/guess/")).only("main").text
    assert 302 == guesser.post(link).status_code  # a valid link works regardless of guesses


# --- on the phone -----------------------------------------------------------------------------------------


def test_a_second_tap_of_the_same_form_also_signs_in(form_key_and_clients, olga, link):
    key, (first, second) = form_key_and_clients(link)
    answers = [phone.post(link, {"key": key}).status_code for phone in (first, second)]

    assert [302, 302] == answers
    assert [str(olga.pk)] * 2 == [session_user_id(phone) for phone in (first, second)]


def test_another_phones_idempotency_key_does_not_sign_in(client_for, form_key_and_clients, link):
    key, (first, _second) = form_key_and_clients(link)
    first.post(link, {"key": key})
    thief = client_for()
    thief.get(link)

    assert (404, None) == (thief.post(link, {"key": key}).status_code, session_user_id(thief))
