"""The app on the home screen: the browser makes a link that signs the same user in to the app."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.people.deletion import delete_account
from games.people.guests import make_guest
from games.people.sign_in_links import make_link
from tests.reader import Walker, fields, read_page
from tests.tables import make_table, rows_with

pytestmark = pytest.mark.django_db

PAGE = "/home-screen/"
SECRET = "tres lobas negras"
GONE = "This link no longer works"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1"
)
IPAD = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15"
ANDROID = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36"


@pytest.fixture
def guest(db):
    """A guest with a table, known by their browser alone."""
    guest = make_guest()
    make_table(guest)
    return guest


@pytest.fixture
def olga(db):
    """A user with a name and a password."""
    olga = User.objects.create_user("olga", password=SECRET)
    make_table(olga)
    return olga


def link_from(browser):
    """Make a link in this browser, and return its address within the site."""
    return read_page(browser.post(PAGE)).only("textarea").text.removeprefix("http://testserver")


def user_of(client):
    return client.session.get("_auth_user_id")


def is_gone(phone, link):
    answers = [phone.get(link), phone.post(link)]
    return {(404, GONE)} == {(answer.status_code, read_page(answer).only("h1").text) for answer in answers}


# --- moved ------------------------------------------------------------------------------------------------


def test_a_guest_signs_in_to_the_app_with_a_link_made_in_the_browser(phone_of, guest):
    safari, home_screen = phone_of(guest), phone_of()
    browser, app = Walker(safari), Walker(home_screen)
    browser.open(PAGE)
    page = browser.press("Make the link")
    link = page.only("textarea").text
    assert "It works once, within an hour" in page.only("main").text

    app.open("/link/")
    page = app.press("Open", link=link)
    assert "the tables of the browser are in this app too" in page.only("main").text
    page = app.press("Sign in")

    assert ("/", str(guest.pk)) == (app.address, user_of(home_screen))
    assert "Mesa de los jueves" in page.only("main").text
    assert 200 == safari.get("/yours/").status_code


def test_a_link_for_the_home_screen_does_not_let_its_user_set_a_password(phone_of, olga):
    app = phone_of()
    assert "/" == app.post(link_from(phone_of(olga))).url

    assert [] != read_page(app.get("/credentials/")).every("input", name="current")


def test_the_links_token_is_not_stored_and_its_page_is_not_cached(phone_of, guest):
    browser = phone_of(guest)
    answer = browser.post(PAGE)
    token = read_page(answer).only("textarea").text.strip("/").split("/")[-1]

    assert [] == rows_with(token)
    assert ("private, no-store", "same-origin") == (answer["Cache-Control"], answer["Referrer-Policy"])
    assert token not in browser.get(PAGE).content.decode()


# --- offered ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "is_offered"), [(IPHONE, True), (IPAD, True), (ANDROID, False), ("", False)]
)
def test_the_link_is_offered_in_browsers_whose_app_has_a_session_of_its_own(
    phone_of, guest, agent, is_offered
):
    signed_in = read_page(phone_of(guest).get("/", headers={"user-agent": agent}))
    unknown = read_page(phone_of().get("/", headers={"user-agent": agent}))

    assert is_offered == bool(signed_in.every("a", href=PAGE))
    assert is_offered == bool(unknown.every("div", class_="notice at-home-screen"))
    assert [] == unknown.every("a", href=PAGE) + signed_in.every("div", class_="notice at-home-screen")


# --- links that no longer work ----------------------------------------------------------------------------


def test_a_newer_link_replaces_only_the_one_made_in_the_same_browser(phone_of, olga):
    browser, tablet = phone_of(olga), phone_of(olga)
    first, other, newer = link_from(browser), link_from(tablet), link_from(browser)

    assert is_gone(phone_of(), first)
    assert [302, 302] == [phone_of().post(link).status_code for link in (other, newer)]


def test_a_link_for_the_home_screen_does_not_revoke_one_for_a_lost_password(phone_of, olga):
    for_password = f"/in/{make_link(olga)}/"
    link = link_from(phone_of(olga))

    assert ["/credentials/", "/"] == [phone_of().post(one).url for one in (for_password, link)]


def signs_out(browser, phone_of, olga):
    browser.post("/logout/")


def is_signed_out_from_elsewhere(browser, phone_of, olga):
    device = olga.devices.get(session_key=browser.session.session_key)
    phone_of(olga).post(f"/devices/{device.pk}/end/")


def gets_another_password(browser, phone_of, olga):
    browser.post("/credentials/", fields(current=SECRET, password="cuatro comodines"))


def gets_another_password_elsewhere(browser, phone_of, olga):
    gets_another_password(phone_of(olga), phone_of, olga)


def lets_somebody_else_sign_in(browser, phone_of, olga):
    User.objects.create_user("nacha", password=SECRET)
    browser.post("/login/", {"username": "nacha", "password": SECRET})


def is_deleted(browser, phone_of, olga):
    olga.grants.all().delete()
    delete_account(olga)


@pytest.mark.parametrize(
    "end",
    [
        signs_out,
        is_signed_out_from_elsewhere,
        gets_another_password,
        gets_another_password_elsewhere,
        lets_somebody_else_sign_in,
        is_deleted,
    ],
)
def test_a_link_ends_with_its_browsers_session_and_with_the_account(phone_of, olga, end):
    browser = phone_of(olga)
    link = link_from(browser)
    end(browser, phone_of, olga)

    assert is_gone(phone_of(), link)


# --- on the wrong device ----------------------------------------------------------------------------------


def test_opening_the_link_in_its_own_browser_is_refused_and_does_not_use_it_up(phone_of, guest):
    browser = phone_of(guest)
    link = link_from(browser)
    page = read_page(browser.get(link))

    assert "Paste the link into the app on the home screen." in page.only("main").text
    assert [] == page.every("form")
    assert 409 == browser.post(link).status_code
    assert 302 == phone_of().post(link).status_code


def test_a_guests_link_is_refused_in_an_app_that_has_tables_of_its_own(phone_of, guest):
    link = link_from(phone_of(guest))
    other = make_guest()
    make_table(other, name="Mesa de la abuela")
    app = phone_of(other)
    answers = [app.get(link), app.post(link), app.post(link, {"mine": "yes"})]

    assert [200, 409, 409] == [answer.status_code for answer in answers]
    assert "This app has tables of its own already." in read_page(answers[1]).only("main").text
    assert str(other.pk) == user_of(app)
    assert 302 == phone_of().post(link).status_code  # the refusals did not use it up


def test_a_registered_users_link_asks_whose_the_tables_in_the_app_are(phone_of, olga):
    link = link_from(phone_of(olga))
    other = make_guest()
    make_table(other, name="Mesa de la abuela")
    app = phone_of(other)
    assert "Mesa de la abuela. Are they yours?" in read_page(app.get(link)).only("main").text
    app.post(link)
    assert str(olga.pk) == user_of(app)
    app.post("/logout/")

    assert str(other.pk) == user_of(app)
