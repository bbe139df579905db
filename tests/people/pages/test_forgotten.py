"""A forgotten password: a link comes by e-mail to the account's address, and with it another password is set."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Mail, Role, SignInLink
from games.people.addresses import ask_to_confirm, confirm, remove_address
from games.people.deletion import delete_account
from games.people.guests import make_guest
from games.people.outgoing import BY_CLIENT, TO_ADDRESS
from games.people.sign_in_links import make_link
from games.people.tokens import LIVES, make_token
from tests.mails import SITE, arrived, give_address, link_in
from tests.reader import Walker, fields, read_page
from tests.tables import make_table, rows_with

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sends_mail")]

ASK = "/login/forgotten/"
SECRET, NEW = "tres lobas negras", "cuatro comodines"
OLGAS = "olga@example.org"
GONE = "This link no longer works"


@pytest.fixture
def olga(sends_mail):
    user = User.objects.create_user("olga", password=SECRET)
    give_address(user, OLGAS)
    return user


@pytest.fixture
def ask(nobody):
    """`ask()` asks for a link for an address, and returns the link that arrives, None if none does."""

    def ask_for(email=OLGAS):
        assert (302, f"{ASK}sent/") == _place(nobody.post(ASK, {"email": email}))
        return next(map(link_in, arrived()), None)

    return ask_for


def _place(response):
    return response.status_code, response.headers.get("Location")


def gets_in(phone, link):
    """Return whether the link signs this phone in; if not, assert that its page says so."""
    response = phone.post(link)
    if response.status_code == 302:
        return True
    assert (404, GONE) == (response.status_code, read_page(response).only("h1").text)
    return False


# --- reset ------------------------------------------------------------------------------------------------


def test_a_user_who_forgot_the_password_gets_a_link_by_mail_and_sets_a_new_one(phone_of, olga, mailoutbox):
    make_table(olga)
    before, phone, guest = phone_of(olga), phone_of(), phone_of(make_guest())
    make_token(olga, "reloj", Role.OWNER, lasts=LIVES["day"])
    walker = Walker(phone)
    walker.open("/login/")
    walker.follow("Forgot the password?")
    page = walker.press("E-mail me the link", email="Olga@Example.ORG")
    assert (f"{ASK}sent/", "Check your mail") == (walker.address, page.only("h1").text)
    assert [] == mailoutbox  # nothing is sent inside the request

    (mail,) = arrived()
    assert ([OLGAS], "A new password") == (
        mail.to,
        mail.subject,
    )  # the confirmed spelling: Olga@ may belong to somebody else
    page = walker.open(link_in(mail))
    assert "This link signs olga in on this phone" in page.only("main").text
    walker.press("Sign in")
    walker.press("Save", password=NEW)

    assert "/devices/?ended=elsewhere" == walker.address
    assert (None, olga) == (
        authenticate(username="olga", password=SECRET),
        authenticate(username="olga", password=NEW),
    )
    # The user's other phone is signed out; tokens and other people's phones are not.
    assert (302, 200, 200) == tuple(each.get("/yours/").status_code for each in (before, phone, guest))
    assert 1 == olga.tokens.standing().count()


def test_the_mail_names_the_account_and_the_site_and_explains_the_link(olga, ask, nobody):
    nobody.post(ASK, {"email": OLGAS})
    (mail,) = arrived()

    assert mail.body == (
        f"We were asked for a new password for the account olga at {SITE}.\n\n"
        "If that was you, open this link. It works once, within an hour, until a newer one is made:\n\n"
        f"{SITE}{link_in(mail)}\n\n"
        "If it was not you, you need not do anything: your password stays the same.\n"
    )
    assert {"Auto-Submitted": "auto-generated"} == mail.extra_headers


@pytest.mark.parametrize(
    ("language", "subject", "sentence"),
    [
        ("es-AR", "Una contraseña nueva", "Si fuiste vos, abrí este enlace."),
        ("es", "Una contraseña nueva", "Si fuiste tú, abre este enlace."),
        ("en", "A new password", "If that was you, open this link."),
    ],
)
def test_the_mail_is_in_the_language_of_the_page(phone_of, olga, language, subject, sentence):
    phone_of(language=language).post(ASK, {"email": OLGAS})
    (mail,) = arrived()

    assert (subject, True) == (mail.subject, sentence in mail.body)


def test_the_link_uses_the_configured_site_url_and_not_the_requests_host_header(olga, nobody, settings):
    settings.ALLOWED_HOSTS = ["*"]
    nobody.post(ASK, {"email": OLGAS}, headers={"host": "evil.example.com"})

    assert arrived()[0].body.count(f"{SITE}/in/") == 1


def test_the_links_token_is_never_stored_in_the_database(olga, nobody):
    nobody.post(ASK, {"email": OLGAS})
    (mail,) = arrived()
    token = link_in(mail).strip("/").split("/")[-1]
    assert [] == rows_with(token)
    assert 0 == Mail.objects.count()


# --- links that no longer work ----------------------------------------------------------------------------


def test_the_links_hour_begins_when_the_mail_is_sent(phone_of, olga, nobody):
    with time_machine.travel("2026-11-20T21:00Z", tick=False) as clock:
        cache.clear()
        nobody.post(ASK, {"email": OLGAS})
        clock.shift(timedelta(hours=3))  # the mail server was down
        (mail,) = arrived()
        clock.shift(timedelta(minutes=59))

        assert gets_in(phone_of(), link_in(mail))


def test_a_link_made_by_the_operator_revokes_a_mailed_one(phone_of, olga, ask):
    mailed, printed = ask(), f"/in/{make_link(olga)}/"

    assert [False, True] == [gets_in(phone_of(), link) for link in (mailed, printed)]


def test_a_request_by_mail_does_not_revoke_a_valid_link_made_by_the_operator(phone_of, olga, ask):
    with time_machine.travel("2026-11-20T21:00Z", tick=False) as clock:
        cache.clear()
        printed = f"/in/{make_link(olga)}/"
        assert ask() is None
        assert gets_in(phone_of(), printed)
        assert ask()  # the operator's is used

        make_link(olga)
        clock.shift(timedelta(hours=1))
        assert gets_in(phone_of(), ask())  # the operator's is too old


def _changes_the_address(olga):
    ask_to_confirm(olga, "otra@example.org")
    confirm(link_in(arrived()[-1]).strip("/").split("/")[-1])


def _changes_the_password(olga):
    olga.set_password(NEW)
    olga.save()


def _signs_in(olga):
    User.objects.filter(pk=olga.pk).update(last_login="2026-01-01T00:00Z")


def _is_suspended(olga):
    User.objects.filter(pk=olga.pk).update(is_active=False)


@pytest.mark.parametrize(
    "happens",
    [
        *(_changes_the_address, remove_address, _changes_the_password, _signs_in),
        *(_is_suspended, delete_account),
    ],
)
def test_a_change_of_address_or_password_a_sign_in_or_the_accounts_end_revokes_the_link(
    phone_of, olga, ask, happens
):
    link = ask()
    happens(olga)

    assert not gets_in(phone_of(), link)


def test_the_page_of_a_used_link_offers_to_request_another_one(phone_of, olga, ask):
    link = ask()
    gets_in(phone_of(), link)

    assert ASK == read_page(phone_of().get(link)).link("Forgot the password?")


# --- unknown addresses ------------------------------------------------------------------------------------


def test_an_unknown_address_gets_the_same_response_and_no_mail(phone_of, olga):
    answers = []
    for email in (OLGAS, "nobody@example.org"):
        cache.clear()
        phone = phone_of()
        phone.get(ASK)
        with CaptureQueriesContext(connection) as queries:
            response = phone.post(ASK, {"email": email})
        headers = {name: text for name, text in response.headers.items() if name != "X-Request-ID"}
        answers.append(
            (response.status_code, headers, response.content, [query["sql"][:60] for query in queries])
        )

    assert answers[0] == answers[1]
    assert [[OLGAS]] == [mail.to for mail in arrived()]
    assert (0, 1) == (Mail.objects.count(), SignInLink.objects.count())


@pytest.mark.parametrize("who", ["pending", "guest", "suspended", "deleted", "elsewhere"])
def test_an_unconfirmed_address_or_one_of_an_account_that_cannot_sign_in_gets_no_mail(ask, sends_mail, who):
    user = User.objects.create_user("eva", password=SECRET)
    if who == "pending":
        ask_to_confirm(user, OLGAS)
        arrived()
    elif who == "elsewhere":  # an address that the operator typed, which nobody confirmed
        User.objects.update(email=OLGAS)
    else:
        give_address(user, OLGAS)
    if who == "guest":
        user.set_unusable_password()
        user.save()
    elif who == "suspended":
        User.objects.update(is_active=False)
    elif who == "deleted":
        delete_account(user)

    assert ask() is None


def test_an_invalid_address_is_refused_beside_its_field(subtests, nobody, sends_mail):
    for email in ["", "olga", "olga@", "olga@example", "\u017folga@example.org", "a" * 250 + "@b.org"]:
        with subtests.test(email=email):
            response = nobody.post(ASK, {"email": email})
            page = read_page(response)

            assert (422, 0) == (response.status_code, Mail.objects.count())
            assert page.said_at("email")
            assert email == page.typed("email")


def test_an_internationalized_domain_matches_its_ascii_form(phone_of, sends_mail):
    user = User.objects.create_user("nacho", password=SECRET)
    give_address(user, "nacho@xn--piata-pta.example.org")
    phone_of().post(ASK, {"email": "nacho@PIÑATA.example.org"})

    assert ["nacho@xn--piata-pta.example.org"] == [mail.to[0] for mail in arrived()]


# --- rate limits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("email", [OLGAS, "nobody@example.org"])
def test_requests_for_one_address_are_rate_limited_whether_or_not_it_is_known(phone_of, olga, email):
    cache.clear()
    answers = [
        phone_of(REMOTE_ADDR=f"10.0.0.{number}").post(ASK, {"email": email.upper() if number % 2 else email})
        for number in range(TO_ADDRESS.most + 1)
    ]
    page = read_page(answers[-1])

    assert [302] * TO_ADDRESS.most + [429] == [answer.status_code for answer in answers]
    assert ["Too many attempts. Wait 60 minutes, then try again."] == page.alerts
    assert email.casefold() == page.typed("email").casefold()


def test_requests_of_one_phone_are_rate_limited(phone_of, sends_mail):
    phone = phone_of()
    answers = [
        phone.post(ASK, {"email": f"a{number}@example.org"}).status_code
        for number in range(BY_CLIENT.most + 1)
    ]

    assert [302] * BY_CLIENT.most + [429] == answers
    assert BY_CLIENT.most == Mail.objects.count()


# --- without EMAIL_URL ------------------------------------------------------------------------------------


def test_a_site_without_mail_answers_404_on_these_pages_and_does_not_link_to_them(
    phone_of, olga, ask, settings
):
    phone = phone_of(olga)
    link = ask()
    ask_to_confirm(olga, "otra@example.org")
    waiting = link_in(arrived()[-1])
    settings.SENDS_MAIL = False
    unknown = phone.get("/nothing/here/").status_code
    addresses = (ASK, f"{ASK}sent/", "/yours/address/", waiting)
    mentions = [
        page
        for page in ("/", "/login/", "/yours/", "/credentials/", "/devices/", "/yours/delete/", "/in/gone/")
        if any(word in read_page(phone.get(page)).text for word in ("mail", "Forgot", "@example"))
    ]

    assert {404} == {unknown} | {phone.get(where).status_code for where in addresses}
    assert {404} == {phone.post(where, fields(email=OLGAS)).status_code for where in addresses}
    assert [] == mentions
    assert gets_in(phone_of(), link)  # a link that was already sent still works
