"""An account's e-mail address: added with the password, confirmed by a link, replaced and removed."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import IntegrityError
from django.urls import reverse

from games.management import mailing
from games.models import Address, Mail
from games.notebook.own import write_own
from games.notebook.writing import write_table
from games.people.addresses import (
    ConfirmationGone,
    address_of,
    as_stored,
    ask_to_confirm,
    confirm,
    make_confirmation,
    remove_address,
)
from games.people.deletion import delete_account
from games.people.guests import make_guest
from games.people.outgoing import TO_ADDRESS
from games.people.sign_in_links import make_link
from games.pocket.copying import copy_for
from games.views.people.credentials import TRIES
from tests.mails import SITE, arrived, give_address, link_in
from tests.reader import Walker, fields, read_page
from tests.tables import make_table

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sends_mail")]

PAGE = reverse("address")
SECRET = "tres lobas negras"
OLGAS = "olga@example.org"
GONE = "This link no longer works"


@pytest.fixture
def olga(sends_mail):
    return User.objects.create_user("olga", password=SECRET)


@pytest.fixture
def phone(phone_of, olga):
    return phone_of(olga)


def send(phone, address=OLGAS, **more):
    return phone.post(PAGE, fields(address=address, current=SECRET, **more))


def refused(response):
    return response.status_code == 404 and GONE == read_page(response).only("h1").text


# --- confirmed ---------------------------------------------------------------------------------------------


def test_an_address_is_used_once_it_is_confirmed_by_the_mailed_link(phone, phone_of, olga):
    walker = Walker(phone)
    walker.open("/yours/")
    walker.follow("E-mail address To get in again if you forget the password")
    page = walker.press("E-mail me the link", address=OLGAS, current=SECRET)
    assert [f"We sent a link to {OLGAS}."] == [notice.partition(" Open")[0] for notice in page.notices]
    assert "" == address_of(olga).confirmed

    (mail,) = arrived()
    assert ([OLGAS], "Is this your address?") == (mail.to, mail.subject)
    assert mail.body == (
        f"olga wants to use this address at {SITE}, to get in again after forgetting the password.\n\n"
        f"If that is you, open this link within an hour:\n\n{SITE}{link_in(mail)}\n\n"
        "If it is not you, you need not do anything: this address will not be used.\n"
    )
    other = Walker(phone_of())  # the mail is read on another device
    other.open(link_in(mail))
    page = other.press("Yes, both are mine")

    assert "This address now belongs to the account olga." in page.only("main").text
    assert OLGAS == address_of(olga).confirmed
    assert OLGAS in read_page(phone.get("/yours/")).only("main").text
    assert [] == arrived()


def test_opening_the_link_without_pressing_the_button_confirms_nothing(phone_of, olga, phone):
    send(phone)
    link = link_in(arrived()[0])
    responses = [getattr(phone_of(), method)(link) for method in ("get", "head", "options")]

    assert [200, 200, 405] == [response.status_code for response in responses]
    assert ("private, no-store", "same-origin", "noindex") == tuple(
        responses[0][name] for name in ("Cache-Control", "Referrer-Policy", "X-Robots-Tag")
    )
    assert "" == address_of(olga).confirmed


def test_confirming_an_address_twice_changes_nothing(phone_of, olga, phone):
    send(phone)
    link = link_in(arrived()[0])
    answers = [phone_of().post(link).status_code for _tap in range(2)]

    assert ([200, 200], OLGAS) == (answers, address_of(olga).confirmed)


@pytest.mark.parametrize("is_taken", [False, True])
def test_an_expired_link_is_reported_and_the_address_stays_in_the_form(phone, olga, is_taken):
    if is_taken:  # the page does not reveal this
        give_address(User.objects.create_user("eva", password=SECRET), OLGAS)
    with time_machine.travel("2026-11-20T21:00Z", tick=False) as clock:
        cache.clear()
        ask_to_confirm(olga, OLGAS)
        notices = [read_page(phone.get(PAGE)).notices]
        arrived()
        clock.shift(timedelta(minutes=59))
        notices.append(read_page(phone.get(PAGE)).notices)
        clock.shift(timedelta(minutes=1))
        late = read_page(phone.get(PAGE))

    waits = f"We sent a link to {OLGAS}. Open it within an hour; until then the address is not in use."
    assert [[waits], [waits]] == notices
    assert [
        f"The link for {OLGAS} has expired and the address was not confirmed. Ask for another link."
    ] == late.notices
    assert OLGAS == late.typed("address")


def test_a_confirmation_mail_unsent_for_a_day_is_reported_as_expired(phone, olga):
    ask_to_confirm(olga, OLGAS)
    Mail.objects.update(made_at="2026-01-01T00:00Z")

    assert ["The link for"] == [notice[:12] for notice in read_page(phone.get(PAGE)).notices]


# --- authentication ---------------------------------------------------------------------------------------


def test_a_wrong_password_is_refused_beside_its_field_and_the_address_stays_in_the_form(phone, olga):
    response = phone.post(PAGE, fields(address=OLGAS, current="guess"))
    page = read_page(response)

    assert (422, OLGAS) == (response.status_code, page.typed("address"))
    assert "The current password is not right." == page.said_at("current")
    assert (0, 0) == (Mail.objects.count(), Address.objects.count())


def test_wrong_passwords_on_the_address_page_count_for_the_common_rate_limit(phone):
    guesses = [phone.post(PAGE, fields(address=OLGAS, current="guess")).status_code for _ in range(TRIES)]

    assert {422} == set(guesses)
    assert (429, 429) == (
        send(phone).status_code,
        phone.post("/credentials/", fields(current=SECRET, password="cinco sotas")).status_code,
    )


def test_a_user_signed_in_by_a_link_needs_no_password_to_add_an_address(phone_of, olga):
    phone = phone_of()
    phone.post(f"/in/{make_link(olga)}/")
    assert [] == read_page(phone.get(PAGE)).every("input", name="current")

    assert (302, 1) == (phone.post(PAGE, fields(address=OLGAS)).status_code, len(arrived()))


def test_a_guest_is_redirected_to_choose_a_name_and_a_password_first(phone_of, sends_mail):
    guest = phone_of(make_guest())

    assert ("/credentials/", "/login/") == (guest.get(PAGE).url, phone_of().get(PAGE).url)
    assert PAGE not in guest.get("/yours/").content.decode()


def test_the_mails_to_one_address_are_rate_limited(phone):
    cache.clear()
    answers = [send(phone).status_code for _time in range(TO_ADDRESS.most + 1)]

    assert [302] * TO_ADDRESS.most + [429] == answers
    assert OLGAS == read_page(send(phone)).typed("address")


# --- links that confirm nothing ---------------------------------------------------------------------------


def test_a_newer_link_invalidates_the_previous_one(phone, phone_of, olga):
    send(phone, "old@example.org")
    older = link_in(arrived()[0])
    send(phone)

    assert refused(phone_of().post(older))
    assert 200 == phone_of().post(link_in(arrived()[0])).status_code
    assert OLGAS == address_of(olga).confirmed


def test_a_link_expires_after_an_hour(phone_of, olga):
    with time_machine.travel("2026-11-20T21:00Z", tick=False) as clock:
        ask_to_confirm(olga, OLGAS)
        link = link_in(arrived()[0])
        clock.shift(timedelta(minutes=60))

        assert refused(phone_of().get(link))
        assert refused(phone_of().post(link))


@pytest.mark.parametrize("happens", ["removed", "deleted", "suspended"])
def test_removal_of_the_address_and_the_end_of_the_account_invalidate_the_link(
    phone, phone_of, olga, happens
):
    send(phone)
    link = link_in(arrived()[0])
    if happens == "removed":
        phone.post(PAGE, fields(current=SECRET, remove="yes"))
    elif happens == "deleted":
        delete_account(olga)
    else:
        User.objects.update(is_active=False)

    assert refused(phone_of().post(link))


def test_a_mail_to_an_address_that_was_corrected_before_sending_is_not_sent(phone):
    send(phone, "typo@example.org")
    send(phone)

    assert [[OLGAS]] == [mail.to for mail in arrived()]


# --- an address of two accounts ---------------------------------------------------------------------------


@pytest.mark.parametrize("address", [OLGAS, "OLGA@example.org"])
def test_a_taken_address_gets_the_same_response_as_a_free_one_and_a_mail_that_says_so(
    phone_of, olga, address
):
    give_address(olga, OLGAS)
    eva = User.objects.create_user("eva", password=SECRET)
    answers = [(send(phone_of(eva), each), arrived()) for each in ("eva@example.org", address)]
    (free, _mail), (taken, mails) = answers

    assert (free.status_code, free.url) == (taken.status_code, taken.url)
    assert [([address], "Another account has this address")] == [(mail.to, mail.subject) for mail in mails]
    assert "/address/" not in mails[0].body
    assert f"We sent a link to {address}." in read_page(phone_of(eva).get(PAGE)).only("main").text
    assert (OLGAS, "") == (address_of(olga).confirmed, address_of(eva).confirmed)


def test_an_address_pending_for_two_accounts_goes_to_the_first_that_confirms_it(phone_of, olga):
    eva = User.objects.create_user("eva", password=SECRET)
    for user in (olga, eva):
        ask_to_confirm(user, OLGAS)
    olgas, evas = map(link_in, arrived())

    assert 200 == phone_of().post(evas).status_code
    assert refused(phone_of().post(olgas))
    assert ("", OLGAS) == (address_of(olga).confirmed, address_of(eva).confirmed)


def test_a_database_constraint_refuses_the_same_address_in_capitals_for_another_account(olga):
    give_address(olga, OLGAS)

    with pytest.raises(IntegrityError):
        Address.objects.create(user=make_guest(), confirmed=OLGAS.upper())


def test_a_mail_for_one_address_never_confirms_another_requested_meanwhile(olga, monkeypatch):
    ask_to_confirm(olga, "another@example.org")
    waits = Mail.objects.get()

    def ask_for_olgas(user, _address):
        ask_to_confirm(user, OLGAS)
        return False

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(mailing, "is_taken", ask_for_olgas)
        text = mailing.compose(waits)
    assert text is not None
    with pytest.raises(ConfirmationGone):
        confirm(link_in(text).strip("/").split("/")[-1])
    assert make_confirmation(olga, "another@example.org") is None

    assert [[OLGAS]] == [message.to for message in arrived()]
    assert OLGAS == address_of(olga).pending


# --- changed and removed ----------------------------------------------------------------------------------


def test_the_old_address_gets_a_mail_once_a_new_one_is_confirmed(phone, phone_of, olga):
    give_address(olga, OLGAS)
    send(phone, "new@example.org")
    (mail,) = arrived()
    assert (["new@example.org"], OLGAS) == (mail.to, address_of(olga).confirmed)
    phone_of().post(link_in(mail))
    (notice,) = arrived()

    assert ("new@example.org", [OLGAS]) == (address_of(olga).confirmed, notice.to)
    assert notice.body.startswith(f"The e-mail address of the account olga at {SITE} was changed.")
    assert "new@example.org" not in notice.body
    assert "your password is known" in notice.body


def test_a_removed_address_gets_a_mail_and_becomes_free_for_another_account(phone, phone_of, olga):
    give_address(olga, OLGAS)
    walker = Walker(phone)
    walker.open(PAGE)
    page = walker.press("Remove the address", current=SECRET)
    assert OLGAS not in page.only("main").text
    (notice,) = arrived()
    assert ([OLGAS], "Your account's address was removed") == (notice.to, notice.subject)

    give_address(User.objects.create_user("eva", password=SECRET), OLGAS)
    assert "" == address_of(olga).confirmed


def test_requesting_and_removing_another_accounts_address_does_not_drop_mails_to_it(olga, phone_of):
    give_address(olga, OLGAS)
    eva = User.objects.create_user("eva", password=SECRET)
    phone_of().post("/login/forgotten/", {"email": OLGAS})
    ask_to_confirm(olga, "otra@example.org")
    for victims in (OLGAS, "otra@example.org"):
        ask_to_confirm(eva, victims)
        remove_address(eva)

    assert [OLGAS, "otra@example.org"] == sorted(mail.to[0] for mail in arrived())


def test_a_removed_address_gets_no_sign_in_link_that_was_still_in_the_outbox(olga, phone_of):
    give_address(olga, OLGAS)
    phone_of().post("/login/forgotten/", {"email": OLGAS.capitalize()})
    remove_address(olga)

    assert ["Your account's address was removed"] == [mail.subject for mail in arrived()]


def test_the_former_address_gets_a_mail_although_the_new_one_is_removed_at_once(olga):
    give_address(olga, OLGAS)
    ask_to_confirm(olga, "new@example.org")
    confirm(link_in(arrived()[0]).strip("/").split("/")[-1])
    remove_address(olga)

    assert ["new@example.org", OLGAS] == sorted(mail.to[0] for mail in arrived())


def test_removing_an_address_requires_the_password(phone, olga):
    give_address(olga, OLGAS)

    assert 422 == phone.post(PAGE, fields(current="guess", remove="yes")).status_code
    assert OLGAS == address_of(olga).confirmed


# --- stored -----------------------------------------------------------------------------------------------


def test_an_address_is_exported_with_the_users_data_but_not_with_a_table_or_a_phones_copy(olga):
    table = make_table(olga)
    give_address(olga, OLGAS)
    ask_to_confirm(olga, "new@example.org")
    own = write_own(olga)

    assert (True, True) == (OLGAS in own, "new@example.org" in own)
    assert "example.org" not in write_table(table)
    assert "example.org" not in str(copy_for(olga))


def test_deleting_an_account_deletes_its_address_and_unsent_mails(phone_of, olga):
    give_address(olga, OLGAS)
    phone_of().post("/login/forgotten/", {"email": OLGAS})
    ask_to_confirm(olga, "new@example.org")
    delete_account(olga)

    assert (0, 0, []) == (Address.objects.count(), Mail.objects.count(), arrived())


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("Olga@Example.ORG", "Olga@example.org"), ("a@Ñandú.ar", "a@xn--and-6ma2c.ar")],
)
def test_the_domain_of_an_address_is_stored_in_ascii_and_lower_case(typed, stored):
    assert stored == as_stored(typed)
