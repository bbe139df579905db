"""Removing a person from a table: a page shows first what ends with it, and one tap undoes it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Grant, Removal, Role
from games.people import invitations, removals
from games.people.guests import make_guest
from games.people.invitations import LASTS
from games.people.tokens import LIVES, make_token
from tests.reader import Walker, read_page
from tests.tables import make_table, make_user

pytestmark = pytest.mark.django_db


def end(client, table, grant):
    return client.post(reverse("end-grant", args=[table.code, grant.pk]))


def test_the_page_warns_that_a_removal_ends_invitations_if_there_are_any(ana, table, owner):
    page = reverse("invites", args=[table.code])
    sentence = "Removing someone also ends the invitations they made and the one they used."
    assert sentence not in read_page(ana.get(page)).only("main").text
    invite, _token = invitations.make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)
    invitations.accept_invite(invite, make_user("wanda"))

    assert sentence in read_page(ana.get(page)).only("main").text


def test_removing_a_grant_of_another_table_is_a_404(ana, table):
    other = make_table(make_user("olga"))

    assert 404 == end(ana, table, other.grants.get()).status_code
    assert 1 == other.grants.count()


# --- removed ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def beto(table, owner):
    """Make a second owner, who is a guest."""
    user = make_guest()
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)
    invitations.accept_invite(invite, user, name="Beto")
    return user


def link_on(page):
    return page.only("textarea", id="link").text.removeprefix("http://testserver")


def test_a_removed_owner_and_their_invitation_lose_access_until_the_removal_is_undone(
    phone_of, ana, table, game, beto
):
    """Ana and Beto own the table, and Beto has made a link. Ana removes Beto and restores the grant."""
    betos, friends = Walker(phone_of(beto)), phone_of()
    betos.open(reverse("invites", args=[table.code]))
    link = link_on(betos.press("Show the invitation", role="owner"))
    anas = Walker(ana)
    anas.open(reverse("invites", args=[table.code]))
    question = anas.follow("Remove")
    assert "Remove Beto?Mesa de los jueves" == question.only("h1").text.replace("? ", "?")
    assert ["Beto · owner of the table invited by you", "owner of the table made by Beto"] == [
        row.text.split(" · made")[0] for row in question.every("li")
    ]
    done = anas.press("Remove")
    assert "Without access now: Beto" in done.text

    sheet = reverse("sheet", args=[game.code])
    assert [404, 404, 404] == [
        betos.client.get(sheet).status_code,
        betos.client.post(link).status_code,
        friends.post(link).status_code,
    ]
    anas.press("Undo")
    assert 200 == betos.client.get(sheet).status_code
    assert 302 == friends.post(link).status_code


def test_the_removal_page_offers_to_remove_people_who_used_the_persons_invitations(
    phone_of, ana, table, game, beto
):
    phones = {}
    for name in ("Waldo", "Wanda"):
        phones[name] = phone_of(make_guest())
        _invite, token = invitations.make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=beto)
        phones[name].post(reverse("invitation", args=[token]), {"name": name})
    walker = Walker(ana)
    question = walker.open(reverse("end-grant", args=[table.code, table.grants.get(user=beto).pk]))
    assert ["Waldo", "Wanda"] == [label.only("b").text for label in question.every("label", class_="opt")]
    assert "Their other phones and the people who used these invitations stay unless ticked" in question.text
    wanda = table.grants.get(user__first_name="Wanda")
    done = walker.press("Remove", also=str(wanda.pk))
    assert "Without access now: Beto and Wanda" in done.text

    sheet = reverse("sheet", args=[game.code])
    assert [200, 404] == [phone.get(sheet).status_code for phone in phones.values()]


def test_removing_a_second_phone_preselects_only_the_same_persons_first_phone(
    phone_of, ana, table, game, beto
):
    """Beto's second phone is removed, so the first one is ticked too, unlike Caro's, whom Beto invited."""
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["day"], by=beto)
    caro, second, third = make_user("caro"), make_user("second"), make_user("third")
    invitations.accept_invite(invite, caro)
    invitations.accept_invite(invitations.make_spare(table, by=beto)[0], second)
    invitations.accept_invite(invitations.make_spare(table, by=caro)[0], third)
    response = ana.get(reverse("end-grant", args=[table.code, table.grants.get(user=second).pk]))
    boxes = read_page(response).every("input", type="checkbox")
    ticked = {box.attrs["value"] for box in boxes if "checked" in box.attrs}

    assert (3, {str(table.grants.get(user=beto).pk)}) == (len(boxes), ticked)


def test_a_refused_removal_keeps_the_ticked_boxes(ana, phone_of, owner, table, beto):
    caro = make_user("caro")
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["day"], by=beto)
    invitations.accept_invite(invite, caro)
    waldo = make_user("waldo")
    invitations.accept_invite(
        invitations.make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)[0], waldo
    )
    first = table.grants.get(user=owner)
    response = phone_of(caro).post(
        reverse("end-grant", args=[table.code, first.pk]), {"also": str(table.grants.get(user=waldo).pk)}
    )
    page = read_page(response)

    assert (422, ["Nobody can remove the first owner. The first owner can hand the table over."]) == (
        response.status_code,
        page.alerts,
    )
    assert [str(table.grants.get(user=waldo).pk)] == [
        box.attrs["value"] for box in page.every("input", type="checkbox") if "checked" in box.attrs
    ]


def test_the_first_owner_cannot_be_removed_by_another_owner(phone_of, table, owner, beto):
    page = read_page(phone_of(beto).get(reverse("invites", args=[table.code])))

    assert [] == [link for link in page.every("a") if link.text == "Remove"]


def test_an_owner_other_than_the_first_can_leave_the_table(phone_of, ana, table, beto):
    assert "Leave" not in [link.text for link in read_page(ana.get(f"/t/{table.code}/invites/")).every("a")]
    walker = Walker(phone_of(beto))
    walker.open(reverse("invites", args=[table.code]))
    assert "To return you need a new invitation." in walker.follow("Leave").text
    walker.press("Leave")

    assert ("/", 404) == (walker.address, walker.client.get(f"/t/{table.code}/").status_code)


def test_a_repeated_tap_removes_once(ana, waldo, table):
    grant = table.grants.get(role=Role.WITNESS)
    first, second = end(ana, table, grant), end(ana, table, grant)

    assert (first.url, 1) == (second.url, Removal.objects.count())


def test_an_owner_who_is_removed_during_their_own_removal_request_gets_a_404(
    phone_of, ana, waldo, table, owner, beto, monkeypatch
):
    """Beto's request passed the check, then waited for the lock of the one who removed Beto."""
    grant, put_out = table.grants.get(role=Role.WITNESS), removals.put_out

    def slower(grant_to_end, **how):
        put_out(table.grants.get(user=beto), by=owner)
        return put_out(grant_to_end, **how)

    monkeypatch.setattr("games.people.removals.put_out", slower)

    assert 404 == end(phone_of(beto), table, grant).status_code
    assert table.grants.standing().filter(pk=grant.pk).exists()


def test_the_removal_page_names_the_tokens_that_end_with_the_person(ana, table, owner):
    """Sonia has two tokens for this table, which the page names, and one for all tables, which it does not.

    The latter does not concern Ana.
    """
    sonia = make_user("sonia")
    grant = Grant.objects.create(user=sonia, table=table, role=Role.SCORER)
    for name, at in (("reloj", table), ("planilla", table), ("todas", None)):
        make_token(sonia, name, lasts=LIVES["day"], table=at)
    where = reverse("end-grant", args=[table.code, grant.pk])
    sentence = "This also ends the tokens of 2 programs: planilla, reloj"

    assert sentence in read_page(ana.get(where)).only("main").text
    sonia.tokens.filter(name="planilla").revoke()
    text = read_page(ana.get(where)).only("main").text
    assert "This also ends the token of a program: reloj" in text
    assert "todas" not in text
