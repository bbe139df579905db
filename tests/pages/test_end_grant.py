"""Letting somebody in no longer."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import invitations
from games.invitations import LASTS
from games.models import Grant, Role
from tests.pages.reader import read_page
from tests.tables import make_table, make_user

pytestmark = pytest.mark.django_db


def end(client, table, grant):
    return client.post(reverse("end-grant", args=[table.code, grant.pk]))


def test_whose_grant_is_ended_is_a_stranger(ana, waldo, table, game):
    response = end(ana, table, table.grants.get(role=Role.WITNESS))

    assert reverse("invites", args=[table.code]) == response.url
    assert 404 == waldo.get(reverse("sheet", args=[game.code])).status_code


def test_who_is_put_out_does_not_come_back_by_the_link_he_has(ana, phone_of, table, owner):
    _invite, token = invitations.make_invite(table, Role.WITNESS, lasts=LASTS["week"], by=owner)
    link, phone = reverse("invitation", args=[token]), phone_of()
    phone.post(link)
    end(ana, table, table.grants.get(role=Role.WITNESS))

    assert [404, 404] == [phone.get(link).status_code, phone.post(link).status_code]
    assert 404 == phone_of().get(link).status_code


def test_what_ending_does_is_said_where_it_is_done(ana, table, owner):
    page = reverse("invites", args=[table.code])
    said = "the invitation they came in by lets nobody else in"
    assert said not in read_page(ana.get(page)).only("main").text
    invite, _token = invitations.make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)
    invitations.accept_invite(invite, make_user("wanda"))

    assert said in read_page(ana.get(page)).only("main").text


def test_the_pen_is_taken_back(ana, phone_of, table, game):
    sonia = make_user("sonia")
    grant = Grant.objects.create(user=sonia, table=table, role=Role.SCORER)
    phone = phone_of(sonia)
    assert 200 == phone.get(reverse("play-round", args=[game.code])).status_code
    end(ana, table, grant)

    assert 404 == phone.get(reverse("play-round", args=[game.code])).status_code


def test_the_last_owner_stays(ana, owner, table):
    response = end(ana, table, table.grants.get(user=owner))

    assert 422 == response.status_code
    assert ["A table is never without an owner: let another owner in first."] == read_page(response).alerts
    assert table.grants.filter(user=owner).exists()


def test_an_owner_may_go_where_another_one_stays(ana, owner, table):
    Grant.objects.create(user=make_user("olga"), table=table, role=Role.OWNER)

    assert "/" == end(ana, table, table.grants.get(user=owner)).url


def test_nobody_is_put_out_of_another_table(ana, table):
    other = make_table(make_user("olga"))

    assert 404 == end(ana, table, other.grants.get()).status_code
    assert 1 == other.grants.count()
