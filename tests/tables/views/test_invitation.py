"""The page behind a link: tonight's, where a phone taps a face, and a personal one."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.timezone import now

from games.models import Role
from games.tables.services import links
from games.tables.services.lobby import LobbySnapshot
from games.tables.views import invitation
from tests.factories import make_table, make_user
from tests.reader import Walker, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]


@pytest.fixture
def tonight_path(table, owner):
    return reverse("invitation", args=[links.tonight_token(links.get_or_create_tonight(table, by=owner))])


@pytest.fixture
def personal_path(table, owner, members_by_slug):
    """`personal_path(Role.SCORER, "beto")` returns the path of a personal link."""

    def create(role=Role.WITNESS, member=""):
        made = links.create_personal(table, by=owner, role=role, member=members_by_slug.get(member))
        return reverse("invitation", args=[made[1]])

    return create


def signed_in_user(client):
    return User.objects.get(pk=client.session["_auth_user_id"])


def client_access(client, table):
    return table.accesses.select_related("member").get(user=signed_in_user(client))


# --- tonight's link ---------------------------------------------------------------------------------------


def test_tonights_link_shows_the_faces_but_no_games(nobody, tonight_path, finished, table):
    response = nobody.get(tonight_path)
    page = read_page(response)

    assert (200, "noindex") == (response.status_code, response["X-Robots-Tag"])
    assert table.name in page.only("h1").text
    assert ["A Ana", "B Beto", "C Caro", "D Dani"] == [
        button.text for button in page.every("button", name="face")
    ]
    assert finished.code not in response.content.decode()


def test_one_tap_on_a_face_leads_to_the_game_as_a_witness_until_somebody_confirms(
    nobody, tonight_path, game, table
):
    phone = Walker(nobody)
    phone.open(tonight_path)
    phone.press("B Beto")
    access = client_access(nobody, table)

    assert reverse("sheet", args=[game.code]) == phone.address
    assert ("beto", Role.WITNESS, False) == (access.person.slug, access.role, access.is_confirmed)


def test_last_nights_link_still_leads_to_the_table_whoever_has_access_and_nobody_else(
    nobody, client_for, tonight_path, table
):
    """The link in the group's chat is how people come back the next day."""
    phone = Walker(nobody)
    phone.open(tonight_path)
    phone.press("B Beto")
    table.links.update(made_at=now() - timedelta(days=2), expires_at=now() - timedelta(days=1))

    assert reverse("lobby", args=[table.code]) == nobody.get(tonight_path).headers.get("Location")
    assert 404 == client_for(make_user("stranger")).get(tonight_path).status_code
    table.accesses.filter(user=signed_in_user(nobody)).update(ended_at=now())
    assert 404 == nobody.get(tonight_path).status_code


def test_a_taken_face_is_grey_and_its_new_phone_asks_the_lobby(nobody, tonight_path, game, table, confirm_as):
    confirm_as(make_user("old"), "beto")
    phone = Walker(nobody)
    page = phone.open(tonight_path)
    (beto,) = page.every("button", name="face", disabled="")
    phone.press("B I'm Beto")

    assert "B Beto already here" == beto.text
    assert None is LobbySnapshot(table).find_member(signed_in_user(nobody))
    assert "beto" == client_access(nobody, table).person.slug


def test_somebody_else_gives_a_name_and_a_watcher_nothing(client_for, tonight_path, game, table):
    new, watcher = client_for(), client_for()
    for client, button, data in [(new, "That's me", {"name": "Nina"}), (watcher, "I'm just watching", {})]:
        phone = Walker(client)
        phone.open(tonight_path)
        phone.press(button, **data)

    assert ("Nina", None) == (client_access(new, table).name, client_access(new, table).member)
    assert ("", None) == (client_access(watcher, table).name, client_access(watcher, table).member)


def test_a_face_that_is_not_there_is_refused(nobody, tonight_path):
    response = nobody.post(tonight_path, {"face": "zoe"})

    assert (422, ["Choose a person."]) == (response.status_code, read_page(response).alerts)


def test_who_is_confirmed_comes_in_again_with_one_tap(tonight_path, game, client_as, table):
    client = client_as("beto")
    phone = Walker(client)
    page = phone.open(tonight_path)
    phone.press("Join")

    assert [] == page.every("button", name="watch")
    assert reverse("sheet", args=[game.code]) == phone.address
    assert client_access(client, table).is_lasting


# --- personal links ---------------------------------------------------------------------------------------


def test_a_personal_link_gives_its_role_once(client_for, personal_path, table, game):
    link, client = personal_path(Role.SCORER), client_for()
    phone = Walker(client)
    page = phone.open(link)
    phone.press("Join", name="Olga")

    assert "You can record games and see the accounts." in page.only("main").text
    assert (Role.SCORER, "Olga") == (client_access(client, table).role, signed_in_user(client).first_name)
    assert [302, 404] == [browser.post(link).status_code for browser in (client, client_for())]


# --- a club night -----------------------------------------------------------------------------------------


def test_sixty_phones_of_one_address_come_in_within_minutes(rate_limited, client_for, owner):
    club = make_table(owner, people=tuple(f"Nadie{number}" for number in range(60)), name="Club")
    path = reverse("invitation", args=[links.tonight_token(links.get_or_create_tonight(club, by=owner))])
    statuses = {client_for().post(path, {"face": member.slug}).status_code for member in club.members.all()}

    assert ({302}, 60) == (statuses, club.accesses.exclude(member=None).count())


@pytest.mark.parametrize("limit", ["USE_LIMIT", "CLAIM_LIMIT"])
def test_the_uses_of_a_link_and_the_claims_of_a_user_are_limited(
    client_for, tonight_path, monkeypatch, limit
):
    monkeypatch.setattr(invitation, limit, replace(getattr(invitation, limit), most=2))
    phone = client_for(make_user("insiste"))
    statuses = [phone.post(tonight_path, {"watch": "yes"}).status_code for _tap in range(3)]

    assert [302, 302, 429] == statuses
