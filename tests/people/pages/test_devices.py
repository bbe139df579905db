"""The devices a user is signed in on; signing out elsewhere; a new password signs out all others."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from games.models import Device, Role
from games.people.devices import BROWSERS, SYSTEMS, devices_of, told_by
from games.people.guests import make_guest
from games.people.tokens import LIVES, make_token
from games.shown.people.devices import device_in_words
from tests.reader import Walker, read_page
from tests.tables import make_table

pytestmark = pytest.mark.django_db

ADDRESS = reverse("devices")
SECRET = "tres lobas negras"
ANDROID = "Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"


@pytest.fixture
def olga(db):
    return User.objects.create_user("olga", password=SECRET)


@pytest.fixture
def signed_in(olga, fresh_cache):
    """`signed_in(ANDROID)` returns such a browser, on which Olga has signed in and opened the home page."""

    def on(agent=ANDROID):
        phone = Client(headers={"accept-language": "en", "user-agent": agent})
        phone.post("/login/", {"username": "olga", "password": SECRET})
        phone.get("/")
        return phone

    return on


def rows(page):
    return [row.text for row in page.only("ul", class_="card rows").every("li")]


def is_in(phone):
    return phone.get("/").wsgi_request.user.is_authenticated


def test_a_user_finds_another_device_on_the_list_and_signs_it_out(signed_in, time_machine):
    """Olga forgot to sign out on Thursday and does it on Sunday from a phone."""
    time_machine.move_to("2026-11-19T23:00Z", tick=False)
    computer = signed_in(FIREFOX)
    time_machine.move_to("2026-11-22T23:00Z", tick=False)
    phone = signed_in(ANDROID)
    walker = Walker(phone)
    walker.open("/")
    walker.follow("Your account Devices, other programs")
    page = walker.follow("Your devices Where you are signed in")
    assert [
        "Chrome on Android · this device since Sun 22 Nov · seen today",
        "Firefox on Linux since Thu 19 Nov · seen last Thu 19 Nov Sign out that device",
    ] == rows(page)

    page = walker.press("Sign out that device")
    assert ["Chrome on Android · this device since Sun 22 Nov · seen today"] == rows(page)
    assert (True, False) == (is_in(phone), is_in(computer))


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        (ANDROID, "Chrome on Android"),
        (FIREFOX, "Firefox on Linux"),
        (f"{ANDROID} SamsungBrowser/28.0", "Samsung Internet on Android"),
        (f"{ANDROID} OPR/92", "Opera on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1) AppleWebKit Version/18 Mobile/15E Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1) CriOS/142 Mobile/15E Safari/604.1", "Chrome on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/142.0 Safari/537.36 Edg/142.0", "Edge on Windows"),
        ("Mozilla/5.0 (X11; CrOS x86_64) Chrome/142.0 Safari/537.36", "Chrome on ChromeOS"),
        ("curl/8.0", "A browser"),
        ("", "A browser"),
        ("<script>Android</script>" + "x" * 9000, "Android"),
    ],
)  # fmt: skip
def test_a_user_agent_becomes_a_readable_device_name(agent, label):
    browser, system = told_by(agent)

    assert label == device_in_words(Device(browser=browser, system=system))


def test_only_the_browser_and_the_system_of_a_user_agent_are_stored(signed_in):
    signed_in(f"{ANDROID} secret/1")
    kept = Device.objects.values_list("browser", "system").get()

    assert ("Chrome", "Android") == kept
    assert max(map(len, [*BROWSERS, *SYSTEMS])) <= 20


def test_changing_the_password_ends_every_other_session_and_says_so(signed_in, olga):
    phone, computer, tablet = signed_in(), signed_in(FIREFOX), signed_in("")
    make_token(olga, "reloj", Role.OWNER, lasts=LIVES["day"])
    walker = Walker(phone)
    walker.open("/credentials/")
    assert "Changing it signs out all other devices at once." in walker.page.text
    page = walker.press("Save", current=SECRET, password="cuatro comodines")

    assert "All other devices were signed out." in page.text
    assert "Programs you let in keep working." in page.text
    assert 1 == len(rows(page))
    assert [True, False, False] == [is_in(each) for each in (phone, computer, tablet)]
    assert [phone.session.session_key] == list(
        Session.objects.filter(session_key__in=Device.objects.values("session_key")).values_list(
            "session_key", flat=True
        )
    )


def test_changing_the_password_keeps_the_date_since_which_a_device_is_signed_in(signed_in, time_machine):
    time_machine.move_to("2026-11-19T23:00Z", tick=False)
    phone = signed_in()
    time_machine.move_to("2026-11-22T23:00Z", tick=False)
    phone.post("/credentials/", {"current": SECRET, "password": "cuatro comodines"})

    assert ["Chrome on Android · this device since Thu 19 Nov · seen today"] == rows(
        read_page(phone.get(ADDRESS))
    )


def test_the_page_does_not_claim_a_sign_out_that_did_not_happen(signed_in):
    phone = signed_in()
    for address in (ADDRESS, f"{ADDRESS}?ended=x"):
        assert "All other devices were signed out" not in read_page(phone.get(address)).text


# --- guests, lent phones ----------------------------------------------------------------------------------------------


def test_a_guest_cannot_sign_out_their_only_device(phone_of):
    guest = make_guest()
    make_table(guest)
    phone = phone_of(guest)
    page = read_page(phone.get(ADDRESS))
    phone.post(reverse("end-device", args=[Device.objects.get().pk]))

    assert 1 == len(rows(page))
    assert "only this device opens your tables" in page.text
    assert is_in(phone)


def test_a_lent_phone_is_listed_for_both_users_until_the_borrower_signs_it_out_from_elsewhere(
    signed_in, phone_of, olga
):
    guest = make_guest()
    hers = make_table(guest, name="Mesa de la terraza")
    lent = phone_of(guest)
    lent.get("/")
    lent.post("/login/", {"username": "olga", "password": SECRET, "mine": "no"})
    lent.get("/")
    own = signed_in(FIREFOX)
    assert (2, 1) == (devices_of(olga).count(), devices_of(guest).count())
    walker = Walker(own)
    walker.open(ADDRESS)
    walker.press("Sign out that device")
    assert "was signed out" in read_page(lent.get("/")).text
    lent.post("/logout/")

    assert 200 == lent.get(f"/t/{hers.code}/").status_code
    assert (1, 1) == (devices_of(olga).count(), devices_of(guest).count())


def test_a_device_is_unlisted_after_signing_out_and_after_its_guest_joined_an_account(
    signed_in, phone_of, olga
):
    phone = signed_in()
    phone.post("/logout/")
    assert 0 == Device.objects.count()
    guest = make_guest()
    make_table(guest)
    hers = phone_of(guest)
    hers.get("/")
    hers.post("/login/", {"username": "olga", "password": SECRET, "mine": "yes"})

    assert [olga.pk] == list(Device.objects.values_list("user", flat=True))


def test_a_device_whose_session_expired_is_not_listed_and_is_deleted_at_the_next_sign_in(signed_in, olga):
    signed_in(FIREFOX)
    Session.objects.all().delete()
    assert 0 == devices_of(olga).count()
    phone = signed_in()

    assert (1, 1) == (Device.objects.count(), len(rows(read_page(phone.get(ADDRESS)))))


# --- other users, partial requests ------------------------------------------------------------------------------------


def test_a_partial_request_does_not_update_the_list_of_devices(
    phone_of, olga, time_machine, django_assert_num_queries
):
    time_machine.move_to("2026-11-19T23:00Z", tick=False)
    phone = phone_of(olga)
    phone.get("/", headers={"HX-Request": "true"})
    assert 0 == Device.objects.count()
    phone.get("/")
    time_machine.move_to("2026-11-21T23:00Z", tick=False)
    phone.get("/", headers={"HX-Request": "true"})
    assert "2026-11-19" == str(Device.objects.get().seen_on)
    phone.get("/")

    assert "2026-11-21" == str(Device.objects.get().seen_on)


def test_a_session_older_than_the_list_of_devices_is_listed_with_its_next_page(phone_of, olga):
    phone = phone_of(olga)
    phone.get("/")
    Device.objects.all().delete()
    session = phone.session
    del session["noted_under"]
    session.save()
    phone.get(ADDRESS)

    assert 1 == devices_of(olga).count()
