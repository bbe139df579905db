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


def test_revoking_an_invitation_removes_the_people_who_used_it_until_it_is_undone(
    ana, phone_of, table, game, invite
):
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


def test_the_confirmation_names_the_people_who_used_the_invitation(ana, table, owner, invite):
    waldo = make_user("guest-w")
    invitations.accept_invite(invite, waldo, name="Wanda")
    page = read_page(ana.get(reverse("revoke-invite", args=[table.code, invite.pk])))

    assert "Wanda" in page.only("ul", class_="card rows").text
    assert "Revoke the invitation?" in page.only("h1").text
    assert ["Revoke"] == [button.text for button in page.every("button")]
    assert None is Invite.objects.get().revoked_at


def test_revoking_an_unused_invitation_also_needs_a_confirmation(ana, table, invite):
    page = read_page(ana.get(reverse("revoke-invite", args=[table.code, invite.pk])))

    assert "Nobody at the table used it" in page.text


def test_a_repeated_tap_revokes_an_invitation_once(ana, table, invite):
    first, second = revoke(ana, table, invite), revoke(ana, table, invite)

    assert (first.url, 1) == (second.url, Removal.objects.count())


def test_an_owner_who_revokes_their_own_invitation_is_redirected_to_the_home_page(phone_of, owner, table):
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)
    wanda = make_user("wanda")
    invitations.accept_invite(invite, wanda)

    assert "/" == revoke(phone_of(wanda), table, invite).url


def test_revoking_an_invitation_of_another_table_is_a_404(ana, owner, table):
    olga = make_user("olga")
    other = make_table(olga)
    theirs, _token = invitations.make_invite(other, Role.WITNESS, lasts=LASTS["day"], by=olga)

    assert 404 == revoke(ana, table, theirs).status_code
    assert None is Invite.objects.get(pk=theirs.pk).revoked_at


def test_revoking_an_unknown_invitation_is_a_404(subtests, ana, table):
    for number in [0, 10**18, 10**30]:
        with subtests.test(number=number):
            assert 404 == ana.post(f"/t/{table.code}/invites/{number}/revoke/").status_code
