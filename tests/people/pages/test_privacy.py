"""The page about privacy: public, linked from sign-in and invitations, in agreement with what `clean` deletes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.urls import reverse
from django.utils.timezone import now

from games.models import Role, Table
from games.people.invitations import LASTS, make_invite
from scorekeeper.environment import env_contact
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db

ADDRESS = "/privacy/"
NAME = "OPERATOR_CONTACT"


def shown(client) -> str:
    return read_page(client.get(ADDRESS)).only("main").text


def test_the_home_sign_in_and_invitation_pages_link_to_the_privacy_page(nobody, table, owner):
    _invite, token = make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)
    for address in ("/", "/login/", reverse("invitation", args=[token])):
        walker = Walker(nobody)
        walker.open(address)
        assert "What is stored" in walker.follow("Privacy").text


def test_the_privacy_page_links_a_signed_in_user_to_their_account(ana, nobody):
    walker = Walker(ana)
    walker.open(ADDRESS)
    walker.follow("Your account")

    assert reverse("yours") == walker.address
    assert "delete your account" not in shown(nobody)


@pytest.mark.parametrize(
    ("contact", "address"),
    [
        ("ana@example.org", "mailto:ana@example.org"),
        ("https://example.org/@ana", "https://example.org/@ana"),
    ],
)
def test_the_operator_is_named_if_there_is_a_contact(nobody, settings, contact, address):
    settings.OPERATOR_CONTACT = contact
    page = read_page(nobody.get(ADDRESS))

    assert address == page.link(contact)
    assert "who gave you the address" not in page.text


def test_without_a_contact_the_page_refers_to_the_person_who_shared_the_site(nobody, settings):
    settings.OPERATOR_CONTACT = ""
    assert "Ask the person who gave you the address of this site." in shown(nobody)


def test_the_page_uses_the_readers_regional_spanish(phone_of):
    assert "De vos: un nombre y" in shown(phone_of(language="es-AR"))
    assert "De ti: un nombre y" in shown(phone_of(language="es-MX"))


@pytest.mark.parametrize(
    "written", ["", "ana@example.org", "http://example.org/contact", "https://example.org"]
)
def test_a_contact_is_a_mail_or_web_address(monkeypatch, written):
    monkeypatch.setenv(NAME, written)
    assert written == env_contact(NAME)


@pytest.mark.parametrize("written", ["Ana", "javascript:alert(1)", "a@b?subject=c", "ask ana@example.org"])
def test_any_other_contact_is_refused(monkeypatch, written):
    monkeypatch.setenv(NAME, written)
    with pytest.raises(ImproperlyConfigured, match="mail address"):
        env_contact(NAME)


def test_the_page_names_the_days_after_which_clean_deletes_tables(nobody, table):
    assert "then 7 days to restore it" in shown(nobody)
    assert "until 90 days without a visit" in shown(nobody)
    assert "400 days after the last visit" in shown(nobody)

    Table.objects.update(created_at=now() - timedelta(days=91))
    call_command("clean")
    assert Table.objects.get().erased_at
    Table.objects.update(erased_at=now() - timedelta(days=8))
    call_command("clean")
    assert [] == list(Table.objects.all())
