"""*Tu cuenta*: name and password, signed-in phones, links for another phone, programs, and privacy."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from games.models import Device, Role
from games.tables.services import devices, guests, links, tokens
from scorekeeper import env
from tests.factories import SECRET, make_table
from tests.reader import Walker, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]

PAGE, PASSWORD = reverse("yours"), reverse("credentials")
NEW = "cuatro comodines"
ANDROID = "Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"


@pytest.fixture
def guest(db):
    return guests.create()


@pytest.fixture
def phone(client_for, guest):
    """A phone of a guest who owns a table."""
    make_table(guest)
    return client_for(guest)


@pytest.fixture
def sign_in(olga, fresh_cache):
    """`sign_in(ANDROID)` returns such a browser, where Olga has signed in and opened the home page."""

    def open_browser(agent=ANDROID):
        phone = Client(headers={"accept-language": "en", "user-agent": agent})
        phone.post("/login/", {"username": "olga", "password": SECRET})
        phone.get("/")
        return phone

    return open_browser


def first_credentials(name="olga", password=SECRET, again=None):
    return {"username": name, "password1": password, "password2": password if again is None else again}


def new_password_fields(old=SECRET, new=NEW):
    return {"old_password": old, "new_password1": new, "new_password2": new}


def device_rows(page):
    return [row.text for row in page.every("ul", class_="card rows")[0].every("li")]


def program_rows(page):
    return [row.text for card in page.every("ul", class_="card rows")[1:] for row in card.every("li")]


def is_signed_in(phone):
    return phone.get("/").wsgi_request.user.is_authenticated


# --- name and password ------------------------------------------------------------------------------------------------


def test_a_guest_who_chose_a_name_and_a_password_finds_the_tables_on_another_phone(phone, nobody, guest):
    walker = Walker(phone)
    walker.open("/")
    walker.follow("Your account")
    page = walker.send("Save", first_credentials())
    assert ("/", str(guest.pk)) == (walker.address, phone.session["_auth_user_id"])
    assert "Your account" in [link.attrs.get("aria-label") for link in page.every("a")]

    nobody.post("/login/", {"username": "olga", "password": SECRET})
    assert "Mesa de los jueves" in read_page(nobody.get("/")).only("main").text


def test_a_refused_name_or_password_is_said_beside_its_field_and_the_name_stays(subtests, phone, guest, olga):
    """The validators are Django's; the names of guests and deleted accounts are ours."""
    for data, field, sentence in [
        (first_credentials(""), "username", "This field is required."),
        (first_credentials("olga"), "username", "A user with that username already exists."),
        (first_credentials("OLGA"), "username", "A user with that username already exists."),
        (first_credentials("Ana Núñez"), "username", "Enter a valid username."),
        (first_credentials("guest-1"), "username", "This name is taken: choose another one."),
        (first_credentials("Deleted-1"), "username", "This name is taken: choose another one."),
        (first_credentials("nacha", "password123"), "password2", "This password is too common."),
        (first_credentials("nacha", SECRET, NEW), "password2", "The two password fields didn’t match."),
    ]:
        with subtests.test(**data):
            response = phone.post(PASSWORD, data)
            page = read_page(response)

            assert 422 == response.status_code
            assert page.said_at(field).startswith(sentence)
            assert (data["username"], "") == (page.typed("username"), page.typed("password1"))
            guest.refresh_from_db()
            assert (True, False) == (guest.username.startswith("guest-"), guest.has_usable_password())


def test_a_name_taken_after_the_forms_check_is_refused_like_any_taken_name(phone, olga, monkeypatch):
    monkeypatch.setattr(UserCreationForm, "clean_username", lambda form: form.cleaned_data["username"])
    monkeypatch.setattr(User, "validate_unique", lambda user, exclude=None: None)
    response = phone.post(PASSWORD, first_credentials())

    assert (422, "This name is taken: choose another one.") == (
        response.status_code,
        read_page(response).said_at("username"),
    )


def test_a_new_password_requires_the_old_one_and_ends_every_other_session(sign_in, olga):
    phone, computer = sign_in(), sign_in(FIREFOX)
    tokens.create(olga, "reloj")
    wrong = phone.post(PASSWORD, new_password_fields("x"))
    assert (422, True) == (
        wrong.status_code,
        read_page(wrong).said_at("old_password").startswith("The current password is wrong."),
    )

    walker = Walker(phone)
    walker.open(PAGE)
    page = walker.send("Save", new_password_fields())
    assert "All other devices were signed out." in page.text
    assert "Programs with a token keep working." in page.text
    assert (1, [True, False]) == (len(device_rows(page)), [is_signed_in(each) for each in (phone, computer)])
    assert olga == authenticate(username="olga", password=NEW)
    assert [phone.session.session_key] == list(Device.objects.values_list("session_key", flat=True))


def test_the_page_begins_with_who_one_is_the_theme_and_rows_with_their_values(sign_in, olga):
    make_table(olga, name="Los jueves")
    page = read_page(sign_in().get(PAGE))

    assert "olga 1 table · owner of Los jueves" in page.only("div", class_="cloth whoami").text
    assert ["Auto", "Light", "Dark", "Paper"] == [
        key.text for key in page.only("form", class_="seg").every("button")
    ]
    assert [
        "Language English",
        "Name and password olga",
        "Your devices only this one",
        "Sign in on another phone with a link",
        "Other programs no programs",
        "Privacy What this site stores, and for how long",
        "Delete the account",
    ] == [row.text for row in page.every("summary")]


# --- phones -----------------------------------------------------------------------------------------------------------


def test_a_user_finds_another_device_on_the_list_and_signs_it_out(sign_in, time_machine):
    """Olga forgot to sign out on Thursday and does it on Sunday from a phone."""
    time_machine.move_to("2026-11-19T23:00Z", tick=False)
    computer = sign_in(FIREFOX)
    time_machine.move_to("2026-11-22T23:00Z", tick=False)
    phone = sign_in(ANDROID)
    walker = Walker(phone)
    page = walker.open(PAGE)
    assert [
        "Chrome on Android · this device since Sun 22 Nov · last seen Sun 22 Nov",
        "Firefox on Linux since Thu 19 Nov · last seen Thu 19 Nov Sign out that device",
    ] == device_rows(page)

    page = walker.press("Sign out that device")
    assert ["Chrome on Android · this device since Sun 22 Nov · last seen Sun 22 Nov"] == device_rows(page)
    assert (True, False) == (is_signed_in(phone), is_signed_in(computer))
    assert [phone.session.session_key] == list(Device.objects.values_list("session_key", flat=True))


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        (ANDROID, "Chrome on Android"),
        (f"{ANDROID} SamsungBrowser/28.0", "Samsung Internet on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1) AppleWebKit Version/18 Mobile/15E Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/142.0 Safari/537.36 Edg/142.0", "Edge on Windows"),
        ("<script>Android</script>" + "x" * 9000, "Android"),
    ],
)  # fmt: skip
def test_of_a_user_agent_the_browser_and_the_system_are_read(agent, label):
    assert label == " on ".join(filter(None, devices.parse_user_agent(agent)))


def test_a_device_is_unlisted_after_signing_out_and_after_its_guest_joined_an_account(
    sign_in, client_for, guest, olga
):
    sign_in().post("/logout/")
    assert 0 == Device.objects.count()
    make_table(guest)
    theirs = client_for(guest)
    theirs.get("/")
    ticked = guest.accesses.get().pk
    theirs.post("/login/", {"username": "olga", "password": SECRET, "along": ticked})

    assert [olga.pk] == list(Device.objects.values_list("user", flat=True))


def test_a_device_whose_session_expired_is_not_listed(sign_in, olga):
    sign_in(FIREFOX)
    Session.objects.all().delete()

    assert 1 == len(device_rows(read_page(sign_in().get(PAGE))))


# --- links for another phone ------------------------------------------------------------------------------------------


def test_a_guest_opens_their_tables_on_a_second_phone_with_a_link_made_on_the_first(phone, client_for, guest):
    """The first phone stays signed in, and the link is shown once."""
    walker = Walker(phone)
    walker.open(PAGE)
    link = walker.press("Create the link").every("textarea")[0].text
    assert link not in walker.open(PAGE).text

    second = Walker(client_for())
    assert "the tables of your other phone open on this one too" in second.open(link).text
    assert "Mesa de los jueves" in second.press("Sign in").only("main").text
    assert (True, 2) == (is_signed_in(phone), devices.list_devices(guest).count())


def test_a_users_own_link_is_not_used_up_where_they_are_signed_in_already(phone, client_for):
    walker = Walker(phone)
    walker.open(PAGE)
    link = walker.press("Create the link").every("textarea")[0].text

    assert "You are signed in here already" in walker.open(link).text
    assert (409, 302) == (phone.post(link).status_code, client_for().post(link).status_code)


def test_a_users_own_link_does_not_let_the_phone_choose_a_password_without_the_old_one(client_for, olga):
    page = read_page(client_for(olga).post(reverse("link-for-phone")))
    second = client_for()
    second.post(page.every("textarea")[0].text)

    assert read_page(second.get(PAGE)).every("input", name="old_password")


# --- programs ---------------------------------------------------------------------------------------------------------


def test_a_user_makes_a_token_sees_its_secret_once_and_revokes_it(ana, owner, table, time_machine):
    time_machine.move_to("2026-11-20T21:00Z", tick=False)
    walker = Walker(ana)
    walker.open(PAGE)
    page = walker.press("Create the token", name="reloj", table=table.code)
    secret = page.only("textarea").text
    token = tokens.find(secret)

    assert token is not None
    assert (owner, table) == (token.user, token.table)
    assert now() + timedelta(days=365) == token.expires_at
    assert ["reloj Mesa de los jueves until Sat 20 Nov 2027 · never used yet Revoke"] == program_rows(page)

    assert secret not in walker.open(PAGE).text
    page = walker.press("Revoke")
    assert ([], None) == (program_rows(page), tokens.find(secret))


def test_a_token_with_the_tick_only_reads_and_says_so(ana, owner, table):
    ana.post(reverse("make-token"), {"name": "pantalla", "table": table.code, "reads_only": "on"})

    assert owner.tokens.get().reads_only
    assert program_rows(read_page(ana.get(PAGE)))[0].startswith(
        "pantalla Mesa de los jueves · read-only until"
    )


# --- privacy ----------------------------------------------------------------------------------------------------------


def test_the_home_sign_in_and_link_pages_lead_a_stranger_to_what_is_stored(nobody, table, owner):
    _link, token = links.create_personal(table, role=Role.WITNESS, by=owner)
    for address in ("/", "/login/", reverse("invitation", args=[token])):
        assert PAGE in {
            link.attrs.get("href", "").split("#")[0] for link in read_page(nobody.get(address)).every("a")
        }
    page = read_page(nobody.get(PAGE))

    assert "400 days after the last visit" in page.text
    assert "Delete the account" not in page.text


def test_the_operator_is_named_if_there_is_a_contact(nobody, settings):
    assert "Ask the person who gave you the address of this site." in read_page(nobody.get(PAGE)).text
    site = "https://example.org/@ana"
    for contact, address in [("ana@example.org", "mailto:ana@example.org"), (site, site)]:
        settings.OPERATOR_CONTACT = contact
        assert address == read_page(nobody.get(PAGE)).link(contact)


@pytest.mark.parametrize("written", ["Ana", "javascript:alert(1)", "a@b?subject=c", "ask ana@example.org"])
def test_any_other_contact_is_refused(monkeypatch, written):
    monkeypatch.setenv("OPERATOR_CONTACT", written)
    with pytest.raises(ImproperlyConfigured, match="mail address"):
        env.get_contact("OPERATOR_CONTACT")
