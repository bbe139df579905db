"""Handing the table over: another owner becomes the first, whom nobody else can remove."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Role
from games.people import invitations
from games.people.invitations import LASTS
from tests.reader import Walker, read_page
from tests.tables import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def beto(table, owner):
    user = make_user("beto")
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)
    invitations.accept_invite(invite, user, name="Beto")
    return user


def address(table):
    return reverse("hand-over", args=[table.code])


def grant_of(table, user):
    return table.grants.get(user=user)


def test_the_first_owner_hands_the_table_over_and_can_then_be_removed(phone_of, ana, table, owner, beto):
    walker = Walker(ana)
    walker.open(reverse("invites", args=[table.code]))
    page = walker.follow("Hand over")
    assert ["Beto"] == [label.only("b").text for label in page.every("label", class_="opt")]
    walker.press("Hand the table over", grant=str(grant_of(table, beto).pk))

    assert beto == table.grants.owning()[0].user
    betos = Walker(phone_of(beto))
    betos.open(reverse("invites", args=[table.code]))
    betos.follow("Remove")
    betos.press("Remove")
    assert 404 == ana.get(reverse("invites", args=[table.code])).status_code
    assert [beto] == [grant.user for grant in table.grants.owning()]


def test_without_a_chosen_person_the_form_comes_back(ana, table, beto):
    response = ana.post(address(table))

    assert (422, "Choose another owner of the table.") == (
        response.status_code,
        read_page(response).said_at("grant"),
    )


def test_only_another_owner_can_be_chosen(subtests, ana, waldo, table, owner, beto):
    chosen = {"oneself": grant_of(table, owner).pk, "waldo": table.grants.get(role=Role.WITNESS).pk}
    for who in ["oneself", "waldo", "9" * 30, "x"]:
        with subtests.test(who=who):
            response = ana.post(address(table), {"grant": chosen.get(who, who)})

            assert (422, owner) == (response.status_code, table.grants.owning()[0].user)


def test_an_owner_who_is_not_the_first_gets_403(phone_of, table, owner, beto):
    phone = phone_of(beto)
    for answer in (
        phone.get(address(table)),
        phone.post(address(table), {"grant": grant_of(table, beto).pk}),
    ):
        assert 403 == answer.status_code
        assert "Only the first owner can hand the table over." == read_page(answer).only("h1").text
    assert owner == table.grants.owning()[0].user


def test_a_repeated_tap_to_hand_over_is_not_refused(ana, table, beto):
    answers = [ana.post(address(table), {"grant": grant_of(table, beto).pk}) for _ in range(2)]

    assert [reverse("invites", args=[table.code])] * 2 == [answer.url for answer in answers]


def test_the_only_owner_gets_a_link_to_invite_another_owner(ana, table):
    page = read_page(ana.get(address(table)))

    assert f"/t/{table.code}/invites/?role=owner" == page.link("Invite people")
