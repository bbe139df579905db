"""Deleting an account: all access ends, and records stay under a user without a name."""

from __future__ import annotations

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.urls import reverse
from django.utils.timezone import now

from games.models import Access, Device, Link, Payment, Record, Role, Table, Token
from games.tables.services import guests, links, lobby, membership, tokens
from games.tables.views.yours import ATTEMPT_LIMIT
from tests.factories import confirm_as_member, grant_access, make_table, make_user
from tests.reader import Walker, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]

ADDRESS, PAGE = reverse("delete-account"), reverse("yours")
SECRET = "tres lobas negras"


@pytest.fixture
def olga(table, owner):
    """A second owner of the table, confirmed as the member Beto."""
    user = User.objects.create_user("olga", password=SECRET, first_name="Olga", email="o@example.org")
    lobby.set_role(confirm_as_member(user, table.members.get(slug="beto")), Role.OWNER, by=owner)
    return user


@pytest.fixture
def phone(client_for, olga):
    return client_for(olga)


def delete(phone, **data):
    return phone.post(ADDRESS, {"current": SECRET, **data})


def test_deleting_an_account_ends_its_sessions_tokens_links_and_accesses(
    phone, client_for, olga, table, finished
):
    """Olga deletes the account on one phone. The other phone is signed out, and the name no longer signs in."""
    other = client_for(olga)
    other.get("/")
    _token, secret = tokens.create(olga, "reloj")
    _link, link = links.create_personal(table, by=olga, role=Role.WITNESS)
    links.create_sign_in(olga)
    walker = Walker(phone)
    walker.open(PAGE)
    assert "This can't be undone." in walker.page.text
    page = walker.press("Delete the account", current=SECRET)

    assert ["Your account no longer exists."] == page.notices
    assert [404, 404] == [each.get(f"/t/{table.code}/people/").status_code for each in (phone, other)]
    assert (None, None, None) == (
        authenticate(username="olga", password=SECRET),
        tokens.find(secret),
        links.find(link, None),
    )
    assert [0] * 4 == [rows.count() for rows in (Device.objects, Token.objects, Link.objects, olga.accesses)]
    assert not [
        row for row in Session.objects.all() if str(olga.pk) == row.get_decoded().get("_auth_user_id")
    ]


def test_a_deleted_accounts_row_is_anonymized_and_its_member_is_free(phone, olga, table, members_by_slug):
    delete(phone)
    olga.refresh_from_db()

    assert olga.username.startswith("deleted-")
    assert ("", "", "", None, False, False) == (
        *(olga.first_name, olga.last_name, olga.email, olga.last_login),
        *(olga.is_active, olga.has_usable_password()),
    )
    assert (False, "Beto") == (table.members.get(slug="beto").has_phone, members_by_slug["beto"].name)


def test_deleting_an_account_clears_its_payment_details(phone, olga, table, members_by_slug):
    """Olga is Beto, and Dani was merged into Beto. A viewer claims to be Caro, unconfirmed."""
    members_by_slug["dani"].merged_into = members_by_slug["beto"]
    members_by_slug["dani"].save()
    confirm_as_member(olga, members_by_slug["dani"])
    grant_access(make_user("waldo"), table, face="caro")
    for slug in ("ana", "beto", "caro"):
        membership.set_payment_details(members_by_slug[slug], f"{slug}.mp")
    assert "Your payment details disappear from every table." in read_page(phone.get(PAGE)).text
    version = Table.objects.get(pk=table.pk).version
    delete(phone)

    assert version + 1 == Table.objects.get(pk=table.pk).version
    assert {"ana": "ana.mp", "beto": "", "caro": "caro.mp", "dani": ""} == dict(
        table.members.values_list("slug", "account")
    )


def test_records_of_a_deleted_account_stay_without_a_name_and_pass_the_audit(
    phone, ana, olga, finished, table, pay, write, capsys
):
    paid = pay("beto", "ana", 100, by=olga)
    before = (list(Record.objects.values()), list(Payment.objects.values()))
    delete(phone)

    assert before == (list(Record.objects.values()), list(Payment.objects.values()))
    where = reverse("payment", args=[table.code, paid.pk])
    assert "a deleted account" in read_page(ana.get(where)).text.lower()
    call_command("check_books")
    file = ana.get(reverse("download", args=[table.code, "table"])).content.decode()
    assert ("olga" in file.lower(), "deleted-" in file) == (False, False)


def test_the_only_owner_of_a_table_cannot_delete_the_account_until_another_owner_is_added(
    client_for, olga, table
):
    club_table = make_table(olga, name="Mesa del club")
    gone = make_table(olga, name="Borrada")
    type(gone).objects.filter(pk=gone.pk).update(erased_at=now())
    phone = client_for(olga)
    page = read_page(phone.get(PAGE))
    (link,) = page.only("details", id="delete").every("a")
    assert ("Mesa del club", reverse("lobby", args=[club_table.code])) == (link.text, link.attrs["href"])
    assert [] == page.every("form", action=ADDRESS)

    response = delete(phone)
    assert 409 == response.status_code
    assert read_page(response).link("Mesa del club")
    assert olga == authenticate(username="olga", password=SECRET)
    Access.objects.create(user=make_user("pablo"), table=club_table, role=Role.OWNER)
    assert 200 == delete(phone).status_code
    assert ["pablo"] == list(club_table.accesses.values_list("user__username", flat=True))


def test_a_wrong_password_does_not_delete_the_account_and_guesses_are_rate_limited(phone, olga):
    wrong = ["", "TRES LOBAS NEGRAS", *["x"] * ATTEMPT_LIMIT.most][: ATTEMPT_LIMIT.most]
    answers = [delete(phone, current=password) for password in wrong]
    assert {(422, "The current password is wrong.")} == {
        (answer.status_code, read_page(answer).said_at("current")) for answer in answers
    }
    assert 429 == delete(phone).status_code
    assert olga == authenticate(username="olga", password=SECRET)


@pytest.mark.parametrize(("language", "word"), [("en", " Delete "), ("es-AR", "borrar")])
def test_a_guest_types_a_word_instead_of_a_password_to_delete_the_account(client_for, language, word):
    guest = guests.create()
    phone = client_for(guest, language=language)
    for wrong in ("", "x", "guest"):
        assert 422 == phone.post(ADDRESS, {"word": wrong}).status_code
    assert 200 == phone.post(ADDRESS, {"word": word}).status_code
    guest.refresh_from_db()

    assert not guest.is_active
    assert not phone.get("/").wsgi_request.user.is_authenticated


def test_whom_a_deleted_account_let_in_confirmed_and_put_in_charge_stays(phone, olga, table):
    link, _token = links.create_personal(
        table, by=olga, role=Role.WITNESS, member=table.members.get(slug="caro")
    )
    access = lobby.set_role(links.redeem_personal(link, make_user("wanda")), Role.OWNER, by=olga)
    delete(phone)
    access.refresh_from_db()

    assert (Role.OWNER, True) == (access.role, access.is_lasting)
    assert Role.WITNESS == lobby.set_role(access, Role.WITNESS, by=access.user).role
