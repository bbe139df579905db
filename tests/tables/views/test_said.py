"""Confirmations on the page that follows an action: shown once, and never because of an address."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.reader import Walker, read_page
from tests.tables.views.test_yours import NEW, first_credentials, new_password_fields

pytestmark = pytest.mark.django_db


def test_the_next_page_says_once_what_was_done(subtests, ana, table):
    def member_url(page, member="caro"):
        return reverse(page, args=[table.code, member])

    walker, lobby = Walker(ana), reverse("lobby", args=[table.code])
    for page, button, data, sentence in [
        (member_url("member"), "Remove Caro from future games", {}, "Caro no longer plays"),
        (member_url("member"), "Caro plays again", {}, "Caro plays again"),
        (member_url("account"), "Save", {"account": "caro.mp"}, "The changes were saved."),
        (reverse("change-settings", args=[table.code, "name"]), "Save", {}, "The changes were saved."),
        (lobby, "Add", {"name": "Eva"}, "Added: Eva"),
        (
            f"{member_url('member', 'eva')}?into=caro",
            "They're the same person",
            {},
            "Eva counts as Caro now",
        ),
        (reverse("yours"), "Save", first_credentials(), "Your name and password were saved."),
        (reverse("yours"), "Save", new_password_fields(), "Your password was changed."),
        (reverse("yours"), "Sign out", {}, "You are signed out."),
        (reverse("login"), "Sign in", {"username": "olga", "password": NEW}, "You are signed in as olga."),
    ]:
        with subtests.test(sentence):
            walker.open(page)
            walker.send(button, data)
            assert [sentence] == [notice[: len(sentence)] for notice in walker.page.notices]
            assert [] == walker.open(walker.address).notices


def test_what_was_done_is_said_on_no_other_page(ana, table):
    lobby, member = (reverse(page, args=[table.code]) for page in ("lobby", "add-member"))
    ana.post(f"{member}caro/", {"act": "retire"})  # the network is gone before the answer arrives
    response = ana.post(member, {"name": "x" * 500})

    assert 422 == response.status_code
    assert "no longer plays" not in response.content.decode()
    assert [] == read_page(ana.get(f"{member}beto/")).notices
    assert ["Caro no longer plays"] == read_page(ana.get(lobby)).notices


def test_an_address_makes_no_page_say_that_something_was_done(ana, table):
    for page in (
        f"{reverse('lobby', args=[table.code])}?merged=caro",
        f"{reverse('table-settings', args=[table.code])}?imported=1",
        f"{reverse('yours')}?changed=password",
    ):
        assert [] == read_page(ana.get(page)).notices
