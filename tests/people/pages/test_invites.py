"""The page of invitations: an owner makes them, sees each link once, and sees who accepted."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from games.models import Invite, Role
from games.people import invitations
from games.people.invitations import LASTS, only_ways_in
from games.people.owners import OwnsNoLonger
from games.people.removals import revoke_invite
from tests.reader import open_page, read_page
from tests.tables import make_user

pytestmark = pytest.mark.django_db


def _address(table):
    return reverse("invites", args=[table.code])


def _page(client, table):
    return open_page(client, _address(table))


def make(client, table, role="witness", lasts="day"):
    return client.post(_address(table), {"role": role, "lasts": lasts})


def people(page):
    return [row.every("b")[0].text for row in page.every("ul", class_="card rows")[0].every("li")]


def test_the_form_offers_three_roles_and_a_spare_link_and_opening_it_makes_no_invitation(ana, table):
    form, _button = _page(ana, table).form_with("Show the invitation")

    assert ["witness", "scorer", "owner", "spare"] == form.allowed("role")
    assert ("witness", "day") == (form.fields["role"], form.fields["lasts"])
    assert 0 == Invite.objects.count()


def test_the_query_parameter_role_preselects_the_role(ana, table):
    form, _button = read_page(ana.get(f"{_address(table)}?role=scorer")).form_with("Show the invitation")

    assert "scorer" == form.fields["role"]


@pytest.mark.parametrize("role", [Role.WITNESS, Role.SCORER])
@pytest.mark.parametrize("lasts", LASTS)
def test_an_invitation_has_the_chosen_role_and_expiry(ana, table, owner, role, lasts):
    make(ana, table, role, lasts)
    invite = Invite.objects.get()

    assert (role, owner, LASTS[lasts]) == (invite.role, invite.made_by, invite.expires_at - invite.made_at)


def test_each_invitation_is_listed_with_its_maker_and_a_spare_link_as_such(ana, table, owner):
    beto = make_user("guest-beto")
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)
    invitations.accept_invite(invite, beto, name="Beto")
    make(ana, table, "spare", "")
    invitations.make_invite(table, Role.SCORER, lasts=LASTS["day"], by=beto)
    rows = [row.text for row in _page(ana, table).every("ul", class_="card rows")[1].every("li")]

    assert ["recording made by Beto", "spare link made by you", "owner of the table made by you"] == [
        row.split(" · ")[0] for row in rows
    ]


def test_each_person_is_listed_with_the_origin_of_their_access(ana, table, owner):
    invite, _token = invitations.make_invite(table, Role.SCORER, lasts=LASTS["day"], by=owner)
    invitations.accept_invite(invite, make_user("guest-1"), name="Sonia")
    spare, _token = invitations.make_spare(table, by=owner)
    invitations.accept_invite(spare, make_user("guest-2"))
    rows = [row.text for row in _page(ana, table).every("ul", class_="card rows")[0].every("li")]

    assert ["the first owner" in row for row in rows] == [True, False, False]
    assert ["by a spare link", "", "invited by you"] == [
        next((words for words in ("by a spare link", "invited by you") if words in row), "") for row in rows
    ]


def test_a_spare_link_is_explained_where_it_is_shown(ana, table):
    page = read_page(make(ana, table, "spare", ""))

    assert (
        "If you lose this phone, this link opens the table on another one as its owner: once, until"
        in page.text
    )
    assert "Keep it off this phone and secret" in page.text


def test_the_link_of_an_invitation_is_shown_only_once(ana, table, nobody):
    response = make(ana, table)
    page = read_page(response)
    link = page.only("textarea", id="link").text

    assert (200, "private, no-store") == (response.status_code, response["Cache-Control"])
    assert re.fullmatch(r"http://testserver/i/[\w-]{32}/", link)
    assert 200 == nobody.get(link).status_code
    assert "/i/" not in ana.get(_address(table)).content.decode()


def test_the_qr_code_is_an_svg_without_inline_styles(ana, table):
    drawn = read_page(make(ana, table)).only("div", role="img").only("svg")

    assert drawn.attrs["viewbox"].startswith("0 0 ")
    assert [] == [node for node in drawn.every() if "style" in node.attrs]
    assert ["#fff", "#000"] == [
        path.attrs.get("fill", path.attrs.get("stroke")) for path in drawn.every("path")
    ]


def test_a_link_made_on_localhost_has_the_servers_address_in_the_local_network(
    ana, table, settings, monkeypatch
):
    monkeypatch.setattr("games.network.lan_addresses", lambda: ["10.0.0.9", "192.168.1.5"])
    settings.ALLOWED_HOSTS = ["localhost", "192.168.1.5"]
    ana.defaults["HTTP_HOST"] = "localhost:8000"
    link = read_page(make(ana, table)).only("textarea", id="link").text

    assert link.startswith("http://192.168.1.5:8000/i/")


def test_an_unknown_role_or_duration_is_refused_beside_its_field(subtests, ana, table):
    for role, lasts, field, sentence in [
        ("", "day", "role", "Choose a role."),
        ("king", "day", "role", "Choose a role."),
        ("witness", "", "lasts", "Choose how long it lasts."),
        ("witness", "for ever", "lasts", "Choose how long it lasts."),
    ]:
        with subtests.test(role=role, lasts=lasts):
            response = make(ana, table, role, lasts)

            assert (422, 0) == (response.status_code, Invite.objects.count())
            assert sentence == read_page(response).said_at(field)


def test_the_page_lists_the_people_with_access_with_buttons_to_keep_or_remove_them(ana, table, owner):
    invite, _token = invitations.make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)
    invitations.accept_invite(invite, make_user("guest-1"), name="Waldo")
    invitations.accept_invite(invite, make_user("guest-2"))
    page = _page(ana, table)

    assert ["You", "Waldo", "A person without a name"] == people(page)
    assert 2 == len([button for button in page.every("button") if button.text == "Keep their access"])
    assert 2 == len([link for link in page.every("a") if link.text == "Remove"])
    assert "2 used it" in page.only("main").text


def test_the_page_lists_the_people_with_access_with_their_roles(ana, table, owner):
    invite, _token = invitations.make_invite(table, Role.SCORER, lasts=LASTS["day"], by=owner)
    invitations.accept_invite(invite, make_user("guest-1"), name="Waldo")
    text = _page(ana, table).only("main").text

    assert "You · owner of the table" in text
    assert "Waldo · recording" in text


def test_an_unused_invitation_that_is_revoked_or_expired_is_not_listed(ana, table, owner):
    for _ in range(2):
        invitations.make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)
    first, second = Invite.objects.all()
    revoke_invite(first, by=owner)
    Invite.objects.filter(pk=second.pk).update(made_at="2026-01-01T00:00Z", expires_at="2026-01-02T00:00Z")

    assert [] == [link for link in _page(ana, table).every("a") if link.text == "Revoke"]


def test_an_old_owner_invitation_with_a_long_expiry_counts_as_another_way_in(table, owner):
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS["week"], by=owner)
    owner.set_unusable_password()
    assert {table.pk} == only_ways_in([table], owner)
    Invite.objects.filter(pk=invite.pk).update(expires_at=invite.made_at + LASTS["year"])

    assert set() == only_ways_in([table], owner)


def test_making_an_invitation_after_losing_ownership_is_a_404(ana, table, monkeypatch):
    def too_late(*_args, **_how):
        raise OwnsNoLonger

    monkeypatch.setattr("games.people.invitations.make_invite", too_late)

    assert 404 == make(ana, table).status_code
