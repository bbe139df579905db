"""Leaving a table from its settings."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games.models import Grant, Role
from games.people.claims import claim
from games.people.invitations import LASTS, accept_invite, make_invite
from games.people.leaving import leave
from games.people.removals import put_out
from tests.reader import Walker, read_page
from tests.tables import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(table):
    return reverse("table-settings", args=[table.code])


def test_a_witness_who_leaves_loses_access_and_their_member(phone_of, table, game, owner, address):
    """Waldo, who has claimed Beto, leaves: the home page loses the table, its pages answer 404, the claim ends."""
    waldo = make_user("waldo")
    accept_invite(make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)[0], waldo)
    claim(table.members.get(slug="beto"), waldo, is_agreed=True)
    walker = Walker(phone_of(waldo))
    question = walker.open(address)
    assert "To return you need a new invitation." in question.text
    assert "Beto stays at the table with all games and accounts, but is no longer you." in question.text
    home = walker.press("Leave")

    assert table.name not in home.text
    assert 404 == walker.client.get(reverse("sheet", args=[game.code])).status_code
    assert table.members.get(slug="beto").user is None
    assert 1 == game.records.count()


def test_the_only_owner_cannot_leave_and_reads_to_invite_another_owner_first(ana, table, address):
    fold = read_page(ana.get(address)).only("details", id="leave")
    refused = ana.post(reverse("leave-table", args=[table.code]))

    assert "Invite another owner first; then you can leave" in fold.text
    assert [] == fold.every("form")
    assert f"{reverse('invites', args=[table.code])}?role=owner" == fold.link("Invite people")
    assert 422 == refused.status_code
    assert ["A table always needs an owner. Invite another owner first."] == read_page(refused).alerts
    assert "open" in read_page(refused).only("details", id="leave").attrs


def test_a_leaving_first_owner_reads_who_becomes_the_first_owner(ana, phone_of, table, owner, address):
    beto = make_user("beto")
    accept_invite(make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)[0], beto, name="Beto")
    Grant.objects.create(user=make_user("waldo"), table=table, role=Role.WITNESS)
    anas = Walker(ana)
    assert "Beto becomes the first owner." in anas.open(address).text
    assert table.name not in anas.press("Leave").text
    invites_page = read_page(phone_of(beto).get(reverse("invites", args=[table.code])))
    assert "the first owner" in invites_page.only("main").text


def test_owners_see_a_list_of_the_people_who_left(ana, phone_of, table, owner):
    """Olga, an owner, and Waldo leave; Sonia is removed. Ana's page lists the first two, with their roles."""
    for name, role in (("Olga", Role.OWNER), ("Waldo", Role.WITNESS), ("Sonia", Role.SCORER)):
        accept_invite(
            make_invite(table, role, lasts=LASTS["day"], by=owner)[0], make_user(name.lower()), name=name
        )
    where = reverse("table-settings", args=[table.code])
    assert [] == read_page(ana.get(where)).every("details", id="left")
    for name in ("olga", "waldo"):
        leave(table, by=User.objects.get(username=name))
    put_out(table.grants.get(user__username="sonia"), by=owner)
    fold = read_page(ana.get(where)).only("details", id="left")

    assert ["Waldo", "Olga"] == [name.text for name in fold.every("b")]
    assert "Olga · owner of the table" in fold.text
    assert "To return they need a new invitation." in fold.text
    assert [] == [*fold.every("form"), *fold.every("a")]
    watching = make_user("wanda")
    Grant.objects.create(user=watching, table=table, role=Role.WITNESS)
    assert [] == read_page(phone_of(watching).get(where)).every("details", id="left")


def test_a_person_who_returned_by_a_new_invitation_is_not_listed_as_having_left(ana, table, owner):
    olga, where = make_user("olga"), reverse("table-settings", args=[table.code])
    accept_invite(make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)[0], olga, name="Olga")
    leave(table, by=olga)
    assert 1 == len(read_page(ana.get(where)).every("details", id="left"))
    accept_invite(make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)[0], olga)

    assert [] == read_page(ana.get(where)).every("details", id="left")
