"""Undoing a removal: only the user who removed somebody may, and only while they own the table."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Removal, Role
from games.people import invitations
from games.people.invitations import LASTS
from games.people.removals import put_out
from tests.reader import read_page
from tests.tables import make_table, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def beto(table, owner):
    user = make_user("beto")
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)
    invitations.accept_invite(invite, user)
    return user


@pytest.fixture
def removal(table, owner, waldo):
    return put_out(table.grants.get(role=Role.WITNESS), by=owner)


def undo(client, table, removal):
    return client.post(reverse("undo-removal", args=[table.code, removal.pk]))


def test_a_repeated_undo_is_not_refused_and_the_undo_bar_disappears(ana, table, removal):
    page = f"/t/{table.code}/invites/?undo={removal.pk}"
    assert "Undo" in read_page(ana.get(page)).text
    undo(ana, table, removal)

    assert 302 == undo(ana, table, removal).status_code
    assert "Undo" not in read_page(ana.get(page)).text


def test_another_owner_cannot_undo_a_removal_and_sees_no_undo(phone_of, table, removal, beto):
    phone = phone_of(beto)
    response = undo(phone, table, removal)

    assert (422, ["Only the person who did this can undo it."]) == (
        response.status_code,
        read_page(response).alerts,
    )
    assert "Undo" not in read_page(phone.get(f"/t/{table.code}/invites/?undo={removal.pk}")).text
    assert None is Removal.objects.get().undone_at


def test_undoing_a_removal_of_another_table_is_a_404(phone_of, table, removal):
    olga = make_user("olga")
    other = make_table(olga)

    assert 404 == undo(phone_of(olga), other, removal).status_code
    assert None is Removal.objects.get().undone_at


def test_an_invalid_removal_in_the_address_shows_no_undo(subtests, ana, table):
    for number in ["x", "", "9" * 30, "-1", "0"]:
        with subtests.test(number=number):
            response = ana.get(f"/t/{table.code}/invites/?undo={number}")

            assert 200 == response.status_code
            assert "Undo" not in read_page(response).text
