"""A member's lost phone: an owner makes a link, and another phone takes the place of the lost one."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.urls import reverse

from games.models import Grant, Invite, Member, Removal, Role
from games.people.access import role_at
from games.people.guests import make_guest
from games.people.invitations import LASTS, accept_invite, make_invite, make_new_phone
from tests.people.pages.test_invitation import PREVIEWS
from tests.reader import Walker, read_page
from tests.tables import a_key, make_table, make_user

pytestmark = pytest.mark.django_db

REPLACED = "A new phone replaced this one"
ROUND = {
    "closer": "ana",
    "closing": "out",
    "hand-ana": "",
    "hand-beto": "23",
    "hand-caro": "12",
    "hand-dani": "9",
}


@pytest.fixture
def beto(table, owner, claims):
    """Make a guest who is a scorer and the confirmed member Beto."""
    guest = make_guest()
    accept_invite(make_invite(table, Role.SCORER, lasts=LASTS["day"], by=owner)[0], guest, name="Betito")
    return claims(guest, "beto")


@pytest.fixture
def lost(phone_of, beto):
    return phone_of(beto)


@pytest.fixture
def link(table, owner, beto):
    return link_for(table, owner)


def link_for(table, owner, slug="beto"):
    _invite, token = make_new_phone(table.members.get(slug=slug), by=owner)
    return reverse("invitation", args=[token])


def stored():
    """Return everything in the database that looking at a page must not change."""
    return (
        *(list(kind.objects.order_by("pk").values()) for kind in (Grant, Invite, Member, Removal)),
        User.objects.count(),
        Session.objects.count(),
    )


def user_of(client):
    return User.objects.get(pk=client.session["_auth_user_id"])


def is_beto(table, user):
    return table.members.get(slug="beto").is_of(user)


# --- replaced ---------------------------------------------------------------------------------------------


def test_a_new_phone_replaces_a_members_lost_phone_and_records(ana, lost, beto, phone_of, table, game):
    elsewhere = make_table(beto, name="Otra mesa")
    sheet, write = reverse("sheet", args=[game.code]), reverse("play-round", args=[game.code])
    live = read_page(lost.get(sheet)).only(id="news").attrs

    owner = Walker(ana)
    owner.open(reverse("member", args=[table.code, "beto"]))
    page = owner.follow("The new phone of Beto")
    assert "then loses access to this table" in page.only("main").text
    link = owner.press("Make the link").only("textarea", id="link").text

    fresh = phone_of()
    new = Walker(fresh)
    page = new.open(link)
    assert "This phone will be Beto at this table." in page.only("main").text
    new.press("I am Beto: use this phone")
    assert (sheet, True) == (new.address, is_beto(table, user_of(fresh)))
    fresh.post(write, {**ROUND, "after": "1", "key": a_key()})
    assert (2, user_of(fresh)) == (game.records.count(), game.records.last().recorded_by)

    assert 404 == lost.get(live["data-live"], headers={"X-Ticket": live["data-ticket"]}).status_code
    for answer in (lost.get(sheet), lost.post(write, {**ROUND, "after": "2", "key": a_key()})):
        assert (404, REPLACED) == (answer.status_code, read_page(answer).only("h1").text)
    assert 2 == game.records.count()
    assert 200 == lost.get(reverse("table", args=[elsewhere.code])).status_code
    for phone in (ana, fresh):
        text = read_page(phone.get(reverse("table-settings", args=[table.code]))).only(id="new-phones").text
        assert text.startswith("Beto on a new phone since")
        assert text.endswith("the old phone has no access")


def test_an_owner_undoes_a_replacement_and_the_old_phone_is_the_member_again(
    ana, lost, beto, phone_of, table, link
):
    fresh = phone_of()
    fresh.post(link)
    owner = Walker(ana)
    owner.open(reverse("invites", args=[table.code]))
    owner.press("Undo: Beto")

    assert (200, True) == (lost.get(reverse("table", args=[table.code])).status_code, is_beto(table, beto))
    assert Role.SCORER == role_at(user_of(fresh), table)  # stays until somebody removes it
    assert [] == owner.page.every(id="new-phones")


# --- opened -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "head"])
def test_opening_the_link_changes_nothing(phone_of, link, method):
    before = stored()
    for bot in ("Mozilla/5.0", *PREVIEWS):
        response = getattr(phone_of(HTTP_USER_AGENT=bot), method)(link)
        assert (200, "noindex", "private, no-store") == (
            response.status_code,
            response["X-Robots-Tag"],
            response["Cache-Control"],
        )

    assert before == stored()


def test_opening_the_owners_page_makes_no_link(ana, table, beto):
    before = stored()

    assert 200 == ana.get(reverse("new-phone", args=[table.code, "beto"])).status_code
    assert before == stored()


def test_the_links_page_shows_the_role_and_has_one_button(nobody, link):
    page = read_page(nobody.get(link))

    assert "Record and correct the rounds on your phone." in page.only("main").text
    assert [["I am Beto: use this phone"]] == [
        [button.text for button in form.buttons] for form in page.every("form")
    ]


def test_the_new_guest_gets_the_members_name(phone_of, link):
    phone = phone_of()
    phone.post(link)

    assert ("Beto", False) == (user_of(phone).first_name, user_of(phone).has_usable_password())


# --- links that no longer work ----------------------------------------------------------------------------


def test_a_link_that_no_longer_works_answers_like_an_unknown_one(phone_of, table, owner, beto):
    with time_machine.travel("2026-11-20T21:00Z", tick=False) as clock:
        link = link_for(table, owner)
        clock.shift(timedelta(minutes=59))
        assert 200 == phone_of().get(link).status_code
        clock.shift(timedelta(minutes=1))
        before, late = stored(), phone_of()
        answers = [late.get(link), late.post(link)]

    assert [404, 404] == [answer.status_code for answer in answers]
    assert phone_of().get("/i/nobodyMadeThisOne/").content == answers[0].content
    assert before == stored()


# --- who opens it -----------------------------------------------------------------------------------------


def refused(client, link):
    """Return the reason that the page gives a phone which cannot be the new one; it has no button."""
    page, answer = read_page(client.get(link)), client.post(link)
    assert [] == page.every("button")
    assert (422, page.alerts) == (answer.status_code, read_page(answer).alerts)
    (reason,) = page.alerts
    return reason


def test_the_link_is_refused_on_the_members_old_phone(lost, table, beto, link):
    before = stored()

    assert "You are already Beto here: open the link on the new phone." == refused(lost, link)
    assert before == stored()


def test_the_link_is_refused_on_the_phone_of_its_maker(ana, table, beto, link):
    assert "You made this link: open it on the new phone of Beto." == refused(ana, link)
    assert is_beto(table, beto)


def test_the_link_is_refused_on_the_phone_of_another_member(phone_as, table, beto, link):
    assert "You are already Caro here. To change that, first say that you are not." == refused(
        phone_as("caro"), link
    )
    assert is_beto(table, beto)


def test_a_witness_who_opens_the_link_becomes_the_member_with_the_stronger_role(waldo, table, beto, link):
    before = User.objects.count()
    waldo.post(link)

    assert (True, Role.SCORER) == (is_beto(table, user_of(waldo)), role_at(user_of(waldo), table))
    assert (before, None) == (User.objects.count(), role_at(beto, table))


def test_an_owner_who_opens_the_link_becomes_the_member_and_stays_an_owner(
    phone_of, table, owner, beto, link
):
    eva = make_user("eva")
    Grant.objects.create(user=eva, table=table, role=Role.OWNER)
    phone = phone_of(eva)
    answers = [phone.post(link).status_code for _tap in range(2)]

    assert [302, 302] == answers
    assert (True, Role.OWNER) == (is_beto(table, eva), role_at(eva, table))
    assert (None, eva) == (role_at(beto, table), Invite.objects.get(member__slug="beto").used_by)


def test_a_user_of_another_table_becomes_the_member_with_their_own_account(stranger, table, link):
    stranger.post(link)

    assert is_beto(table, user_of(stranger))


# --- who may be replaced ----------------------------------------------------------------------------------


def test_an_owner_cannot_make_a_link_for_themselves_and_is_sent_to_make_a_spare_link(
    ana, owner, claims, table
):
    claims(owner, "ana")
    walker = Walker(ana)
    page = walker.open(reverse("new-phone", args=[table.code, "ana"]))

    assert ["You are Ana yourself: make a spare link for your own phone."] == page.alerts
    assert [] == page.every("button")
    assert 422 == ana.post(walker.address).status_code
    assert walker.follow("People with access").only("input", value="spare").attrs.keys() >= {"checked"}


def test_the_new_phone_of_an_unclaimed_member_becomes_a_witness_and_replaces_nobody(
    ana, phone_of, table, owner
):
    walker = Walker(ana)
    page = walker.open(reverse("new-phone", args=[table.code, "caro"]))
    assert "No phone here belongs to Caro now, so the new one can only watch" in page.only("main").text
    link = walker.press("Make the link").only("textarea", id="link").text
    phone = phone_of()
    phone.post(link)

    assert (Role.WITNESS, 0) == (role_at(user_of(phone), table), Removal.objects.count())
    assert table.members.get(slug="caro").is_of(user_of(phone))
    assert None is table.grants.get(user=user_of(phone)).expires_at


@pytest.mark.parametrize("who", ["retired", "merged", "nobody"])
def test_a_new_phone_for_a_retired_merged_or_unknown_member_is_a_404(ana, table, who):
    table.members.filter(slug="dani").update(
        **{
            "retired": {"retired_at": "2026-01-01T00:00Z"},
            "merged": {"merged_into": table.members.get(slug="ana")},
        }.get(who, {})
    )
    where = reverse("new-phone", args=[table.code, "nobody" if who == "nobody" else "dani"])

    assert [404, 404] == [ana.get(where).status_code, ana.post(where).status_code]
