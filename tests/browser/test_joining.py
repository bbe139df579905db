"""Joining with a phone: the owner shows tonight's code, Sofi taps her face, and the owner accepts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.models import Role
from games.people.access import role_at
from games.people.removals import put_out
from tests.browser.nights import begin
from tests.browser.scorer import Scorer
from tests.tables import make_table, make_user

SHEET = re.compile(r"/g/\w+/$")
BAR = ".says"


@pytest.fixture
def table(owner):
    return make_table(owner, people=("Ana", "Beto", "Caro", "Sofi"))


@pytest.fixture
def scorer(open_phone, owner, let_in, table):
    """The owner's phone, which shows the sheet of a game that begins."""
    phone = open_phone(locale="es-AR")
    let_in(phone, owner)
    scorer = Scorer(phone.new_page())
    scorer.page.goto(f"/g/{begin(table, owner).code}/")
    return scorer


@pytest.fixture
def link(scorer):
    """The path of the link that the owner's phone shows in one tap."""
    before = scorer.taps
    scorer.tap(".sits button")
    shown = scorer.page.locator("#link")
    expect(shown).to_have_count(1)
    assert 1 == scorer.taps - before
    address = shown.input_value()
    scorer.goes_back()
    return address[address.index("/i/") :]


def test_a_new_phone_joins_as_a_member_and_an_owner_accepts_the_claim(open_phone, scorer, link, table):
    sofi = Scorer(open_phone(locale="es-AR").new_page())
    sofi.page.goto(link)  # as the camera does
    sofi.tap("button[name=face][value=sofi]")
    sofi.page.wait_for_url(SHEET)
    assert 1 == sofi.taps

    expect(scorer.page.locator(BAR)).to_contain_text("Alguien dice que es Sofi")  # by the live poll
    scorer.tap(f"{BAR} button[value=yes]")
    expect(scorer.page.locator(BAR)).to_have_count(0)
    assert table.members.get(slug="sofi").claimed_at is not None


def test_a_second_phone_with_the_same_face_is_reported_and_can_be_refused(open_phone, scorer, link, table):
    phones = [Scorer(open_phone(locale="es-AR").new_page()) for _phone in range(2)]
    for phone in phones:
        phone.page.goto(link)
        phone.tap("button[name=face][value=sofi]")
        phone.page.wait_for_url(SHEET)
    for phone in (*phones, scorer):
        expect(phone.page.locator(BAR)).to_contain_text("2 celulares dicen que son Sofi.")

    scorer.tap(f"{BAR} a")
    scorer.tap(scorer.page.locator(f"{BAR} button[value=no]").last)
    expect(scorer.page.locator(f"{BAR} button[value=no]")).to_have_count(1)
    first = table.faces.get()
    wrong = table.grants.exclude(user=first.user).get(role=Role.WITNESS).user
    assert Role.WITNESS == role_at(wrong, table)
    phones[1].page.goto(link)
    phones[1].tap("button[name=face][value=caro]")
    phones[1].page.wait_for_url(SHEET)
    assert {"sofi", "caro"} == {face.member.slug for face in table.faces.all()}


def test_a_removed_phone_loses_access_and_its_claim_disappears(
    open_phone, scorer, link, table, owner, forgive
):
    forgive("status of 404")
    sofi = Scorer(open_phone(locale="es-AR").new_page())
    sofi.page.goto(link)
    sofi.tap("button[name=face][value=sofi]")
    sofi.page.wait_for_url(SHEET)
    expect(scorer.page.locator(BAR)).to_be_visible()
    second = make_user("oscar")
    table.grants.create(user=second, role=Role.OWNER)
    put_out(table.grants.get(role=Role.WITNESS), by=second)

    expect(sofi.page.locator("h1")).to_contain_text("Acá no hay nada")
    expect(scorer.page.locator(BAR)).to_have_count(0)
    assert table.members.get(slug="sofi").user is None
