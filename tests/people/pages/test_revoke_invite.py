"""Revoking an invitation, after a confirmation: those who accepted it lose access until it is undone."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Invite, Removal, Role
from games.people import invitations
from games.people.invitations import LASTS
from tests.reader import read_page
from tests.tables import make_table, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def invite(table, owner):
    return invitations.make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)[0]


def revoke(client, table, invite):
    return client.post(reverse("revoke-invite", args=[table.code, invite.pk]))


def test_who_came_in_by_it_is_out_at_once(ana, phone_of, table, game, invite):
    wanda = make_user("wanda")
    invitations.accept_invite(invite, wanda)
    phone = phone_of(wanda)
    sheet = reverse("sheet", args=[game.code])
    assert 200 == phone.get(sheet).status_code
    response = revoke(ana, table, invite)

    assert (302, f"/t/{table.code}/invites/?undo={Removal.objects.get().pk}") == (
        response.status_code,
        response.url,
    )
    assert 404 == phone.get(sheet).status_code
    read_page(ana.get(response.url)).form_with("Undo")
    ana.post(reverse("undo-removal", args=[table.code, Removal.objects.get().pk]))
    assert 200 == phone.get(sheet).status_code


def test_what_ends_is_asked_about_first(ana, table, owner, invite):
    waldo = make_user("guest-w")
    invitations.accept_invite(invite, waldo, name="Wanda")
    page = read_page(ana.get(reverse("revoke-invite", args=[table.code, invite.pk])))

    assert "Wanda" in page.only("ul", class_="card rows").text
    assert "Revoke the invitation?" in page.only("h1").text
    assert ["Revoke"] == [button.text for button in page.every("button")]
    assert None is Invite.objects.get().revoked_at


def test_an_invitation_nobody_came_in_by_is_asked_about_too(ana, table, invite):
    page = read_page(ana.get(reverse("revoke-invite", args=[table.code, invite.pk])))

    assert "Nobody at the table used it" in page.text


def test_a_tap_repeated_ends_nothing_more(ana, table, invite):
    first, second = revoke(ana, table, invite), revoke(ana, table, invite)

    assert (first.url, 1) == (second.url, Removal.objects.count())


def test_an_owner_who_revokes_the_invitation_they_came_by_goes_home(phone_of, owner, table):
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)
    wanda = make_user("wanda")
    invitations.accept_invite(invite, wanda)

    assert "/" == revoke(phone_of(wanda), table, invite).url


def test_an_invitation_of_another_table_is_not_there(ana, owner, table):
    olga = make_user("olga")
    other = make_table(olga)
    theirs, _token = invitations.make_invite(other, Role.WITNESS, lasts=LASTS["day"], by=olga)

    assert 404 == revoke(ana, table, theirs).status_code
    assert None is Invite.objects.get(pk=theirs.pk).revoked_at


@pytest.mark.parametrize("number", [0, 10**18, 10**30])
def test_an_invitation_there_is_not_is_not_there(ana, table, number):
    assert 404 == ana.post(f"/t/{table.code}/invites/{number}/revoke/").status_code
