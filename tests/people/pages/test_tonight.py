"""Tonight's invitation on the screen: one tap on the sheet shows the code."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Role
from games.people.faces import tap_face
from games.people.tonight import night_token, show_tonight
from tests.reader import Walker, read_page
from tests.tables import let_in_as, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def sonia(phone_of, table):
    user = make_user("sonia")
    let_in_as(user, table, Role.SCORER)
    return phone_of(user)


def address(table):
    return reverse("tonight", args=[table.code])


def test_one_tap_on_the_sheet_shows_tonights_link_as_a_qr_code_with_a_button_to_send_it(ana, table, game):
    owning = Walker(ana)
    owning.open(reverse("sheet", args=[game.code]))
    owning.press("Add a phone")
    (invite,) = table.invites.all()
    link = f"http://testserver/i/{night_token(invite)}/"

    assert [link] == [box.text.strip() for box in owning.page.every("textarea")]
    assert 1 == len(owning.page.every("svg"))
    assert ["Send the link"] == [button.text for button in owning.page.only("main").every("button")]
    assert reverse("invites", args=[table.code]) == owning.page.link("Other permissions")


def test_opening_the_page_makes_no_invitation_and_repeated_taps_make_one(ana, table, game):
    ana.get(address(table))
    assert 0 == table.invites.count()
    for _tap in range(2):
        ana.post(address(table))
    assert 1 == table.invites.count()


def test_the_button_shows_the_initials_of_the_members_who_have_a_phone_tonight(ana, table, game, who):
    for name in ("sofi", "otto"):
        user = make_user(name)
        let_in_as(user, table, Role.WITNESS)
        tap_face(who["beto"], user)
    page = read_page(ana.get(reverse("sheet", args=[game.code])))

    assert ["B"] == [face.text for face in page.form_with("B Add a phone")[0].every("span", class_="av")]


def test_a_scorer_can_show_the_qr_code_once_an_owner_has_shown_it(sonia, table, game, owner):
    sheet = reverse("sheet", args=[game.code])
    assert "Add a phone" not in read_page(sonia.get(sheet)).only("main").text
    response = sonia.post(address(table))
    assert 422 == response.status_code
    assert "An owner has to show the code first." in read_page(response).only("main").text

    show_tonight(table, by=owner)
    scoring = Walker(sonia)
    scoring.open(sheet)
    scoring.press("Add a phone")
    assert 1 == len(scoring.page.every("svg"))
    assert [] == [link for link in scoring.page.every("a") if link.text == "Other permissions"]


def test_the_sheet_of_a_finished_game_does_not_offer_to_add_a_phone(ana, finished):
    page = read_page(ana.get(reverse("sheet", args=[finished.code])))

    assert "Add a phone" not in page.only("main").text
