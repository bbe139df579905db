"""The page of an invitation's link: opening it changes nothing, and one button accepts the invitation."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.urls import reverse

from games.models import Grant, Invite, Role
from games.people import invitations
from games.people.invitations import ACCEPTED, LASTS, WRONG
from games.people.staying import keep_grant
from tests.reader import read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]

PREVIEWS = ("WhatsApp/2.23.20.0", "TelegramBot (like TwitterBot)", "facebookexternalhit/1.1", "Slackbot")


def link_to(table, by, role=Role.WITNESS, *, lasts="day"):
    """Return the path of a new invitation of this user's."""
    _invite, token = invitations.make_invite(table, role, lasts=LASTS[lasts], by=by)
    return reverse("invitation", args=[token])


@pytest.fixture
def link(table, owner):
    return link_to(table, owner)


def stored():
    """Return everything in the database that opening an invitation must not change."""
    return (
        list(Grant.objects.order_by("pk").values()),
        list(Invite.objects.order_by("pk").values()),
        User.objects.count(),
        Session.objects.count(),
    )


def role_of(client, table):
    user = client.session.get("_auth_user_id")
    return table.grants.standing().filter(user=user).values_list("role", flat=True).first() if user else None


# --- opened -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_opening_the_link_of_an_invitation_changes_nothing(nobody, link, method):
    before = stored()
    response = getattr(nobody, method)(link)

    assert response.status_code in (200, 405)
    assert set() == set(response.cookies) - {"csrftoken"}
    assert before == stored()


@pytest.mark.parametrize(
    ("role", "offer"),
    [
        (Role.WITNESS, "Watch the score sheet live and report wrong hands."),
        (Role.SCORER, "Record and correct the rounds on your phone."),
        (Role.OWNER, "Own the table: record, and decide who else has access."),
    ],
)
def test_the_page_of_an_invitation_explains_its_role_and_has_one_button(nobody, table, owner, role, offer):
    response = nobody.get(link_to(table, owner, role))
    page = read_page(response)

    assert (200, "noindex") == (response.status_code, response["X-Robots-Tag"])
    assert offer in page.only("main").text
    assert [["Accept"]] == [[button.text for button in form.buttons] for form in page.every("form")]


def test_the_page_of_an_invitation_shows_neither_members_nor_games(nobody, finished, table, owner):
    text = read_page(nobody.get(link_to(table, owner))).only("html").text

    assert [] == [name for name in ("Ana", "Beto", "Caro", "Dani", finished.code) if name in text]


# --- accepting --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", list(Role))
def test_a_stranger_who_accepts_gets_the_role_and_is_redirected_to_the_game(nobody, table, game, owner, role):
    response = nobody.post(link_to(table, owner, role))

    assert (302, f"/g/{game.code}/", role) == (response.status_code, response.url, role_of(nobody, table))
    assert 200 == nobody.get(response.url).status_code


def test_after_accepting_the_address_has_no_token(nobody, link, game):
    response = nobody.post(link, follow=True)
    token = link.strip("/").split("/")[-1]

    assert [(f"/g/{game.code}/", 302)] == response.redirect_chain
    assert token not in response.content.decode()
    # With scripts too, the address of the response replaces the invitation's.
    form, _button = read_page(nobody.get(link)).form_with("Accept")
    assert "true" == form.attrs["hx-replace-url"]


def test_accepting_an_invitation_to_a_table_without_games_redirects_to_the_home_page(nobody, table, owner):
    response = nobody.post(link_to(table, owner))

    assert "/" == response.url
    assert table.name in read_page(nobody.get("/")).only("main").text


def test_a_second_tap_on_a_single_use_invitation_signs_the_same_guest_in(taps_on, table, owner):
    link = link_to(table, owner, Role.SCORER)
    key, phones = taps_on(link)
    answers = [phone.post(link, {"key": key}).status_code for phone in phones]

    assert [302, 302] == answers
    assert 1 == table.grants.filter(role=Role.SCORER).count()


def test_an_owner_who_accepts_a_witness_invitation_stays_an_owner(ana, link, table, game):
    response = ana.get(link)
    assert "You keep the permissions you have" in read_page(response).only("main").text
    ana.post(link)

    assert Role.OWNER == role_of(ana, table)


def test_a_witness_reads_whether_accepting_again_extends_their_access(phone_of, table, owner):
    again = "Accept again for another 24 hours."
    with time_machine.travel("2026-11-20T21:00Z", tick=False) as clock:
        link, phone = link_to(table, owner, lasts="hour"), phone_of()
        assert again not in read_page(phone.get(link)).only("main").text
        phone.post(link)
        assert again in read_page(phone.get(link)).only("main").text
        clock.shift(timedelta(hours=1))
        page = read_page(phone.get(link))
        until = table.grants.get(role=Role.WITNESS).expires_at
        phone.post(link)

        assert again not in page.only("main").text
        assert "This invitation has ended and can't extend your access." in page.only("main").text
        assert until == table.grants.get(role=Role.WITNESS).expires_at


def test_a_witness_with_permanent_access_reads_of_no_expiry(phone_of, table, owner):
    link, phone = link_to(table, owner, lasts="hour"), phone_of()
    phone.post(link)
    assert "24 hours" in read_page(phone.get(link)).only("main").text
    keep_grant(table.grants.get(role=Role.WITNESS))

    assert "24 hours" not in read_page(phone.get(link)).only("main").text


def test_a_guests_name_is_trimmed_and_shown_to_the_owner(nobody, ana, link, table):
    nobody.post(link, {"name": "  Waldo "})

    assert "Waldo" in read_page(ana.get(reverse("invites", args=[table.code]))).only("main").text


def test_a_too_long_name_is_refused_and_gives_no_access(nobody, link):
    before = stored()
    response = nobody.post(link, {"name": "W" * 21})
    page = read_page(response)

    assert (422, before) == (response.status_code, stored())
    assert ("At most 20 characters fit here.", "W" * 21) == (page.said_at("name"), page.typed("name"))


# --- expired and used -------------------------------------------------------------------------------------------------


@pytest.fixture
def unknown(nobody):
    """The response to a link that belongs to no invitation."""
    return nobody.get("/i/nobodyMadeThisOne/").content.decode()


def plain(response):
    return response.content.decode()


def test_an_expired_invitation_answers_like_an_unknown_one(phone_of, table, owner, unknown):
    with time_machine.travel("2026-11-20T21:00Z", tick=False) as clock:
        link = link_to(table, owner, lasts="hour")
        clock.shift(timedelta(hours=1))
        before = stored()
        late = phone_of()
        answers = [late.get(link), late.post(link)]

    assert [404, 404] == [answer.status_code for answer in answers]
    assert unknown == plain(answers[0])
    assert before == stored()


def test_the_404_page_of_an_invitation_says_that_it_may_have_expired(nobody):
    page = read_page(nobody.get("/i/nobodyMadeThisOne/"))

    assert "If you had one, it may have ended." in page.only("main").text


# --- limits -----------------------------------------------------------------------------------------------------------


def test_guesses_of_invitation_links_are_rate_limited_per_address(phone_of):
    guesser, guess = phone_of(), "/i/guess/"
    guesses = [guesser.get(f"/i/guess{number}/").status_code for number in range(WRONG.most)]
    before = stored()

    assert {404} == set(guesses)
    assert [429, 429] == [guesser.get(guess).status_code, guesser.post(guess).status_code]
    assert before == stored()
    assert "Wait 15 minutes" in read_page(guesser.get(guess)).only("main").text
    assert 404 == phone_of(REMOTE_ADDR="203.0.113.9").get(guess).status_code


def test_guests_made_by_one_invitation_are_rate_limited_per_address(phone_of, link):
    answers = [phone_of().post(link).status_code for _ in range(ACCEPTED.most)]
    before = stored()

    assert {302} == set(answers)
    assert 429 == phone_of().post(link).status_code
    assert before == stored()
    assert 302 == phone_of(REMOTE_ADDR="203.0.113.9").post(link).status_code
