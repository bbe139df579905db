"""Tapping one's face: through tonight's link or on a phone with access; owners and scorers answer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Face, Grant, Invite, Newcomer, Role
from games.people.access import role_at
from games.people.faces import TAPPED, agree, face_of, tap_face
from games.people.invitations import ACCEPTED, WRONG
from games.people.tonight import night_token, show_tonight
from tests.reader import Walker, read_page
from tests.tables import let_in_as, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]


@pytest.fixture
def link(table, owner):
    return reverse("invitation", args=[night_token(show_tonight(table, by=owner))])


@pytest.fixture
def sonia(phone_of, table):
    user = make_user("sonia")
    let_in_as(user, table, Role.SCORER)
    return phone_of(user)


def sheet(game):
    return reverse("sheet", args=[game.code])


def user_on(client):
    return User.objects.get(pk=client.session["_auth_user_id"])


def stored():
    return [list(kind.objects.order_by("pk").values()) for kind in (User, Grant, Invite, Face, Newcomer)]


# --- the page of tonight's link ---------------------------------------------------------------------------------------


def test_the_page_of_tonights_link_shows_the_members_but_no_games(nobody, link, finished, table):
    response = nobody.get(link)
    page = read_page(response)

    assert (200, "noindex") == (response.status_code, response["X-Robots-Tag"])
    assert table.name in page.only("h1").text
    assert ["A Ana", "B Beto", "C Caro", "D Dani"] == [
        button.text for button in page.every("button", name="face")
    ]
    assert finished.code not in response.content.decode()


@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_opening_tonights_link_changes_nothing(nobody, link, method):
    before = stored()
    getattr(nobody, method)(link)

    assert before == stored()
    assert "sessionid" not in nobody.cookies


def test_one_tap_on_a_face_shows_the_sheet_of_the_game(nobody, link, game, table, who):
    phone = Walker(nobody)
    phone.open(link)
    phone.press("B Beto")

    assert sheet(game) == phone.address
    assert (Role.WITNESS, who["beto"]) == (
        role_at(user_on(nobody), table),
        face_of(user_on(nobody), table),
    )


def test_a_tap_replaces_the_links_address_in_the_browsers_history(nobody, link):
    forms = read_page(nobody.get(link)).only("main").every("form")

    assert ["true"] * 3 == [form.attrs.get("hx-replace-url") for form in forms]


def test_a_user_who_chooses_to_watch_becomes_a_witness_without_a_member(nobody, link, game, table):
    response = nobody.post(link, {"watch": "yes"})

    assert sheet(game) == response.url
    assert (Role.WITNESS, 0) == (role_at(user_on(nobody), table), Face.objects.count())


def test_a_user_who_is_none_of_the_members_enters_a_name(nobody, link, game):
    phone = Walker(nobody)
    phone.open(link)
    phone.press("That is me", name="Lucho")

    assert sheet(game) == phone.address
    assert ["Lucho"] == [newcomer.name for newcomer in Newcomer.objects.all()]


def test_a_taken_name_is_refused_beside_its_field_and_stays_in_the_form(nobody, link, table):
    response = nobody.post(link, {"name": "Beto"})
    page = read_page(response)

    assert 422 == response.status_code
    assert "Beto is already here: tap their face." == page.only("span", id="name-error").text
    assert "Beto" == page.only("input", id="name").attrs["value"]
    assert 1 == table.grants.count()


def test_an_invalid_choice_gives_no_access(subtests, nobody, link, table):
    for sent in [{}, {"face": "zoe"}, {"face": "ana\0"}, {"face": ""}]:
        with subtests.test(sent=sent):
            response = nobody.post(link, sent)

            assert 422 == response.status_code
            assert "Choose one of the people." in read_page(response).only("main").text
            assert 1 == table.grants.count()


def test_wrong_expired_and_revoked_links_get_the_same_404_as_an_unknown_one(phone_of, table, link):
    answers = set()
    for change in ({}, {"expires_at": "2100-01-01T00:00Z", "revoked_at": "2026-01-01T00:00Z"}, None):
        if change is None:
            made = Invite.objects.get().made_at
            Invite.objects.update(revoked_at=None, expires_at=made + timedelta(microseconds=1))
            change = {"role": "witness"}
        Invite.objects.update(**change)
        for method in ("get", "post"):
            where = link if change else reverse("invitation", args=["x" * 32])
            phone = phone_of()
            with CaptureQueriesContext(connection) as queries:
                answer = getattr(phone, method)(where, {"face": "beto"})
            answers.add((method, answer.status_code, len(queries)))
            assert table.name not in answer.content.decode()

    assert {"get", "post"} == {method for method, _status, _queries in answers}
    assert 2 == len(answers)
    assert {404} == {status for _method, status, _queries in answers}


def test_wrong_links_and_taps_have_a_rate_limit(phone_of, link, table):
    guesses = [phone_of().get(reverse("invitation", args=["y" * 32])) for _guess in range(WRONG.most + 1)]
    assert [404, 429] == [guess.status_code for guess in guesses[-2:]]
    phone = phone_of()
    for _tap in range(ACCEPTED.most):
        assert 302 == phone.post(link, {"face": "beto"}).status_code

    assert 429 == phone.post(link, {"face": "caro"}).status_code


# --- phones with access -----------------------------------------------------------------------------------------------


def test_a_witness_chooses_and_changes_their_member_from_the_sheet(waldo, table, game, who):
    phone = Walker(waldo)
    phone.open(sheet(game))
    phone.follow("Who are you?")
    phone.press("B Beto")
    phone.follow("B Beto")
    assert "You are Beto tonight" in phone.page.only("main").text
    phone.press("C Caro")
    assert who["caro"] == face_of(user_on(waldo), table)

    phone.follow("C Caro")
    phone.press("I only watch")
    assert face_of(user_on(waldo), table) is None


def test_taps_of_phones_with_access_have_a_rate_limit(waldo, table):
    where = reverse("faces", args=[table.code])
    for _tap in range(TAPPED.most):
        waldo.post(where, {"face": "beto"})

    assert 429 == waldo.post(where, {"face": "caro"}).status_code


def test_two_phones_that_tapped_the_same_member_and_the_owner_are_warned(phone_of, ana, link, game):
    phones = [phone_of(), phone_of()]
    for phone in phones:
        phone.post(link, {"face": "beto"})

    for phone in (*phones, ana):
        assert "2 phones say they are Beto." in read_page(phone.get(sheet(game))).only("main").text


# --- answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who_answers", "is_claim"), [("ana", True), ("sonia", False)])
def test_a_yes_on_the_sheet_accepts_a_tap_and_an_owners_yes_also_the_claim(
    request, nobody, link, table, game, who, who_answers, is_claim
):
    nobody.post(link, {"face": "beto"})
    answering = Walker(request.getfixturevalue(who_answers))
    answering.open(sheet(game))
    assert "Someone says they are Beto" in answering.page.only("main").text
    answering.press("Yes: Someone says they are Beto")

    assert sheet(game) == answering.address
    assert "says they are" not in answering.page.only("main").text
    beto = table.members.get(slug="beto")
    assert (is_claim, False) == (beto.is_of(user_on(nobody)), Face.objects.get().agreed_at is None)
    assert (200 if is_claim else 403) == nobody.get(reverse("accounts", args=[table.code])).status_code


def test_a_no_on_the_sheet_rejects_the_tap(sonia, nobody, link, game):
    nobody.post(link, {"face": "beto"})
    scoring = Walker(sonia)
    scoring.open(sheet(game))
    scoring.press("No: Someone says they are Beto")

    assert 0 == Face.objects.count()


def test_a_new_tap_appears_in_the_live_poll_of_an_owner_but_not_of_a_witness(ana, waldo, nobody, link, game):
    live = reverse("live-sheet", args=[game.code, 0])
    before = int(ana.get(live).context["live"].strip("/").split("/")[-1])
    nobody.post(link, {"face": "beto"})
    polled = reverse("live-sheet", args=[game.code, before])

    assert "says they are" in ana.get(polled).content.decode()
    assert "says they are" not in waldo.get(polled).content.decode()


def test_an_owner_adds_a_newcomer_in_one_tap(ana, nobody, link, table, game):
    nobody.post(link, {"name": "Lucho"})
    owning = Walker(ana)
    owning.open(sheet(game))
    owning.press("Add: Lucho")

    assert sheet(game) == owning.address
    assert table.members.get(name="Lucho").is_of(user_on(nobody))


def test_adding_a_newcomer_with_a_name_like_a_members_asks_for_confirmation(ana, nobody, link, table):
    nobody.post(link, {"name": "Béto"})
    owning = Walker(ana)
    owning.open(reverse("faces", args=[table.code]))
    owning.press("Add: Béto")
    assert "Beto is already here. Is Béto another person?" in owning.page.only("main").text
    owning.press("Add: Béto", apart="Béto")

    assert table.members.filter(name="Béto").exists()


def test_answering_a_tap_that_does_not_exist_is_refused(ana, table, stranger):
    for number in (1, 99):
        response = ana.post(reverse("answer-face", args=[table.code, number]), {"reply": "yes"})
        assert 422 == response.status_code
        assert "this has changed meanwhile." in read_page(response).only("main").text


def test_an_owner_frees_a_member_confirmed_for_another_phone(ana, owner, waldo, table, who):
    agree(tap_face(who["beto"], User.objects.get(username="waldo")), by=owner, role=Role.SCORER)
    owning = Walker(ana)
    owning.open(reverse("faces", args=[table.code]))
    owning.press("Free for another phone: Beto")

    assert 0 == Face.objects.count()
