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


def test_one_tap_on_the_sheet_shows_the_code_and_a_button_that_sends_it(ana, table, game):
    owning = Walker(ana)
    owning.open(reverse("sheet", args=[game.code]))
    owning.press("Add a phone")
    (invite,) = table.invites.all()
    link = f"http://testserver/i/{night_token(invite)}/"

    assert [link] == [box.text.strip() for box in owning.page.every("textarea")]
    assert 1 == len(owning.page.every("svg"))
    assert ["Send"] == [button.text for button in owning.page.only("main").every("button")]
    assert reverse("invites", args=[table.code]) == owning.page.link("Other permissions")


def test_looking_makes_nothing_and_tapping_again_makes_no_other(ana, table, game):
    ana.get(address(table))
    assert 0 == table.invites.count()
    for _tap in range(2):
        ana.post(address(table))
    assert 1 == table.invites.count()


def test_the_tap_carries_the_faces_that_are_in(ana, table, game, who):
    for name in ("sofi", "otto"):
        user = make_user(name)
        let_in_as(user, table, Role.WITNESS)
        tap_face(who["beto"], user)
    page = read_page(ana.get(reverse("sheet", args=[game.code])))

    assert ["B"] == [face.text for face in page.form_with("B Add a phone")[0].every("span", class_="av")]


def test_a_scorer_has_the_tap_once_an_owner_has_shown_the_code(sonia, table, game, owner):
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


def test_a_witness_sees_no_code(waldo, table, owner):
    show_tonight(table, by=owner)

    assert [403, 403] == [waldo.get(address(table)).status_code, waldo.post(address(table)).status_code]


def test_a_game_that_is_over_offers_no_phone(ana, finished):
    page = read_page(ana.get(reverse("sheet", args=[finished.code])))

    assert "Add a phone" not in page.only("main").text
