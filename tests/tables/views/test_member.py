"""A member's sheet: their phone and what it may do, their personal link, their name and color."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Member, Role
from games.tables.services import confirmations, links, lobby
from tests.factories import confirm_as_member, grant_access, make_user
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(table):
    return reverse("member", args=[table.code, "beto"])


@pytest.fixture
def rosa(table, owner, members_by_slug):
    """Rosa, who entered by tonight's link and tapped Beto's face."""
    return lobby.enter(
        table,
        make_user("rosa"),
        until=links.get_or_create_tonight(table, by=owner).expires_at,
        face=members_by_slug["beto"],
    )


def test_an_owner_confirms_and_then_gives_a_role_with_one_tap_each(ana, address, rosa):
    phone = Walker(ana)
    phone.open(address)
    for button, role in [
        ("Yes: A phone says it's Beto", Role.WITNESS),
        ("Make scorekeeper", Role.SCORER),
        ("Make owner", Role.OWNER),
        ("Make viewer", Role.WITNESS),
    ]:
        phone.press(button)
        rosa.refresh_from_db()
        assert (address, role, True) == (phone.address, rosa.role, rosa.is_lasting)


def test_who_is_confirmed_for_tonight_is_confirmed_for_good(ana, address, rosa):
    phone = Walker(ana)
    phone.open(address)
    page = phone.press("Just for tonight: A phone says it's Beto")
    phone.press("Confirm for good Then they can see the accounts")
    rosa.refresh_from_db()

    assert "viewer · tonight" in page.only("main").text
    assert "Make owner" not in [button.text for button in page.buttons]
    assert rosa.is_lasting


def test_a_scorer_may_confirm_and_sees_no_roles(client_for, address, rosa, table):
    user = make_user("sonia")
    grant_access(user, table, Role.SCORER)
    phone = Walker(client_for(user))
    page = phone.open(address)
    after = phone.press("Yes: A phone says it's Beto")

    assert ["No", "Yes", "Just for tonight"] == [button.text for button in page.buttons]
    assert ["Undo"] == [button.text for button in after.buttons]


def test_a_link_for_the_phone_of_a_member_is_shown_once(ana, address, table):
    phone = Walker(ana, follows=False)
    phone.open(address)
    page = phone.press("A link for Beto's phone")

    assert "Beto" == table.links.get().member.name
    assert (1, 1) == (len(page.every("svg")), len(page.every("textarea", id="link")))


def test_a_form_with_an_unknown_act_saves_the_name_and_says_no_more(ana, address):
    data = {"act": "merged", "name": "Beto", "colour": "2"}
    assert ["The changes were saved."] == read_page(ana.post(address, data, follow=True)).notices


# --- who no longer plays ----------------------------------------------------------------------------------------------


def test_who_no_longer_plays_is_found_in_the_lobby_and_comes_back_by_one_button(ana, address, table):
    lobby_page, phone = reverse("lobby", args=[table.code]), Walker(ana)
    for button in ("Undo", "Beto plays again"):
        phone.open(address)
        phone.press("Remove Beto from future games")
        assert (lobby_page, ["Beto no longer plays"]) == (phone.address, phone.page.notices)
        assert not table.members.active().filter(slug="beto").exists()
        if button != "Undo":
            page = phone.follow("B Beto")
            assert [button, "Save"] == [known.text for known in page.buttons]
        assert ["Beto plays again"] == phone.press(button).notices
        assert lobby_page == phone.address
        assert table.members.active().filter(slug="beto").exists()


def test_who_plays_in_a_game_under_way_is_not_taken_out_and_the_sheet_says_why(ana, address, game):
    phone = Walker(ana)
    phone.open(address)
    page = phone.press("Remove Beto from future games")

    assert (422, address) == (phone.status, phone.address)
    assert ["Beto is in a game in progress. End it first."] == page.alerts


def test_the_sheet_of_a_merged_member_leads_to_the_one_whom_they_count_as(
    ana, address, table, members_by_slug
):
    merged = Member.objects.filter(slug="beto").update(merged_into=members_by_slug["caro"])
    phone = Walker(ana)
    phone.open(f"{address}?into=caro")

    assert (1, reverse("member", args=[table.code, "caro"])) == (merged, phone.address)


def test_a_sheet_offers_no_answer_and_no_link_that_would_be_refused(
    ana, client_for, address, rosa, table, owner, members_by_slug
):
    until = rosa.until
    tita = grant_access(make_user("tita"), table, Role.SCORER, until=until)
    confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"], is_tonight=True)
    assert [] == Walker(client_for(tita.user)).open(address).buttons

    olga = confirm_as_member(make_user("olga"), members_by_slug["caro"])
    lobby.set_role(olga, Role.OWNER, by=owner)
    otto = confirm_as_member(make_user("otto"), members_by_slug["dani"])
    lobby.set_role(otto, Role.OWNER, by=owner)
    page = Walker(client_for(otto.user)).open(reverse("member", args=[table.code, "caro"]))
    assert not [button.text for button in page.buttons if "phone" in button.text or "Make" in button.text]


def test_the_only_owner_is_not_offered_another_role(client_for, table, owner, members_by_slug):
    confirm_as_member(owner, members_by_slug["ana"])
    page = Walker(client_for(owner)).open(reverse("member", args=[table.code, "ana"]))

    assert not [button.text for button in page.buttons if button.text.startswith("Make")]
