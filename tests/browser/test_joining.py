"""Four phones join by the code on the owner's phone: each taps its face, and the owner confirms."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.scorer import Scorer
from tests.factories import confirm_as_member, make_table

SHEET = re.compile(r"/g/\w+/$")
KNOCK = ".says"
YES = f"{KNOCK} button[value=confirm]"


@pytest.fixture
def table(owner):
    table = make_table(owner, people=("Ana", "Beto", "Caro", "Sofi"))
    confirm_as_member(owner, table.members.get(slug="ana"))
    return table


@pytest.fixture
def ana(scorer, started_game):
    """The owner's phone, which shows the sheet of a new game."""
    scorer.page.goto(f"/g/{started_game.code}/")
    return scorer


@pytest.fixture
def scan(open_phone, ana):
    """`scan()` returns the scorer on a new phone that scanned the code.

    The owner's phone shows the code after one tap, and keeps showing it.
    """
    ana.tap(".sits button")
    expect(ana.page.locator(".qr svg")).to_be_visible()
    address = ana.page.locator("#link").input_value()

    def one():
        finger = Scorer(open_phone().new_page())
        finger.page.goto(address[address.index("/i/") :])  # as the camera does
        return finger

    return one


def tap_member(finger, slug):
    finger.tap(f".whois button[value={slug}]")
    finger.page.wait_for_url(SHEET)
    return finger


def highlighted_members(finger):
    return finger.page.locator(".lobby .here")


def test_four_phones_join_with_a_tap_each_and_one_of_them_records(scan, ana, table):
    others = [tap_member(scan(), slug) for slug in ("beto", "caro", "sofi")]
    expect(ana.page.locator(".lobby .asks")).to_have_count(3)  # by the live poll
    ana.tap("form[action$='/all/'] button:not([name])")
    expect(highlighted_members(ana)).to_have_count(4)
    ana.tap(".lobby a[href$='/beto/']")
    ana.tap("button[value=scorer]")
    expect(ana.page.locator("button[value=scorer]")).to_have_count(0)

    beto = others[0]
    expect(beto.page.locator("[data-closer=beto]")).to_be_visible()  # by the live poll
    beto.begin_round("beto")
    assert [1, 1, 1] == [others[0].taps - 1, others[1].taps, others[2].taps]
    assert 4 == ana.taps


def test_a_name_that_is_half_typed_survives_a_phone_that_joins(scan, ana):
    name = ana.page.locator("#name")
    name.fill("Nica")
    tap_member(scan(), "beto")
    expect(ana.page.locator(KNOCK)).to_have_count(1)
    expect(name).to_be_focused()
    name.press_sequentially("nor")
    assert "Nicanor" == name.input_value()


def test_an_ended_access_closes_the_open_sheet(scan, ana, table, forgive):
    forgive("status of 404")
    sofi = tap_member(scan(), "sofi")
    ana.tap(YES)
    expect(highlighted_members(ana)).to_have_count(2)
    ana.tap(".lobby a[href$='/sofi/']")
    ana.tap("button[value=end]")
    ana.page.wait_for_url(re.compile(r"/members/sofi/$"))

    expect(sofi.page.locator("h1")).to_contain_text("Tu acceso terminó")
    assert not table.accesses.valid().filter(member__slug="sofi").exists()
