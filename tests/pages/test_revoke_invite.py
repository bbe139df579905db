"""Revoking an invitation: whoever came in by it is out at once."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import invitations
from games.invitations import LASTS
from games.models import Grant, Invite, Role
from tests.pages.reader import read_page
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

    assert (302, reverse("invites", args=[table.code])) == (response.status_code, response.url)
    assert 404 == phone.get(sheet).status_code


def test_others_stay(ana, waldo, table, game, invite):
    revoke(ana, table, invite)

    assert 200 == waldo.get(reverse("sheet", args=[game.code])).status_code


def test_the_table_keeps_an_owner(ana, owner, table):
    mine, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)
    Grant.objects.filter(user=owner).update(invite=mine)
    response = revoke(ana, table, mine)

    assert 422 == response.status_code
    assert ["A table is never without an owner: let another owner in first."] == read_page(response).alerts
    assert None is Invite.objects.get(pk=mine.pk).revoked_at


def test_an_owner_who_revokes_what_let_him_in_goes_home(phone_of, owner, table):
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)
    wanda = make_user("wanda")
    invitations.accept_invite(invite, wanda)

    assert "/" == revoke(phone_of(wanda), table, invite).url


def test_an_invitation_of_another_table_is_not_there(ana, owner, table):
    other = make_table(make_user("olga"))
    theirs, _token = invitations.make_invite(other, Role.WITNESS, lasts=LASTS["day"], by=owner)

    assert 404 == revoke(ana, table, theirs).status_code
    assert None is Invite.objects.get(pk=theirs.pk).revoked_at


@pytest.mark.parametrize("number", [0, 10**18, 10**30])
def test_an_invitation_there_is_not_is_not_there(ana, table, number):
    assert 404 == ana.post(f"/t/{table.code}/invites/{number}/revoke/").status_code
