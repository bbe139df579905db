"""*Un gasto* as one sentence: who paid how much for what, who did not eat, and the taps that it takes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.models import SharedCost
from games.tables.services import membership
from tests.browser.scorer import Scorer
from tests.factories import confirm_as_member, make_user

CLOSER = "#expense .go"


@pytest.fixture
def open_accounts(open_phone, let_in, table):
    """`open_accounts(user)` opens the accounts on a phone of this user, and returns a Scorer."""

    def open_page(user):
        phone = open_phone()
        let_in(phone, user)
        page = phone.new_page()
        page.goto(f"/t/{table.code}/accounts/")
        return Scorer(page)

    return open_page


def enter_pizza(scorer):
    """Enter a pizza of $ 12.000 for all but Dani, paid by the reader."""
    page = scorer.page
    scorer.tap("[popovertarget=expense]:not(.close)")
    page.locator("#expense [name=amount]").fill("12000")
    scorer.tap("#expense .picks button:first-child")
    scorer.tap("#expense .chip:has([data-part]):has-text('Dani')")


def test_what_each_of_five_bears_is_read_in_one_line_on_a_small_phone(open_accounts, owner, table):
    """An amount broken in two, 17.00 and a 0 below it, reads as another one."""
    membership.add(table, "Eli")
    scorer = open_accounts(owner)
    page = scorer.page
    page.set_viewport_size({"width": 360, "height": 640})
    enter_pizza(scorer)
    for amount, each in (
        ("12000", "$\u00a03.000"),
        ("68000", "$\u00a017.000"),
        ("5000000", "$\u00a01.250.000"),
    ):
        page.locator("#expense [name=amount]").fill(amount)
        borne = page.locator("#expense .chip:has-text('Ana') [data-part]")
        expect(borne).to_have_text(each)
        text, chip = (
            borne.bounding_box(),
            page.locator("#expense .chip:has([data-part])").first.bounding_box(),
        )
        assert (True, True, True) == (
            text["height"] < 20,
            chip["x"] + 1 <= text["x"],
            text["x"] + text["width"] <= chip["x"] + chip["width"] - 1,
        ), (amount, text, chip)


def test_a_pizza_for_all_but_one_takes_four_taps_and_is_read_on_the_closer(open_accounts, owner, table):
    confirm_as_member(owner, table.members.get(slug="ana"))
    scorer = open_accounts(owner)
    page = scorer.page
    enter_pizza(scorer)
    expect(page.locator("#expense [data-note]")).to_have_text("entre 3, $ 4.000 cada persona")
    expect(page.locator("#expense fieldset:has([data-part])")).to_contain_text(
        re.compile(r"Caro\s*\$.4\.000\s*D\s*Dani\s*no")
    )
    expect(page.locator(CLOSER)).to_have_text("Puse $ 12.000 de pizza")
    scorer.tap(CLOSER)
    expect(page.locator("#moves")).to_contain_text("12.000")

    assert {"ana": 4000, "beto": 4000, "caro": 4000} == SharedCost.objects.get().borne
    assert 4 == scorer.taps


def test_a_proposal_takes_four_taps_and_one_of_a_keeper(open_accounts, owner, table):
    caro = make_user("caro")
    confirm_as_member(caro, table.members.get(slug="caro"))
    member = open_accounts(caro)
    enter_pizza(member)
    member.tap(CLOSER)
    expect(member.page.locator("#moves")).to_contain_text("en espera")
    keeper = open_accounts(owner)
    keeper.tap("#to-confirm .yes")
    expect(keeper.page.locator(".brief")).to_contain_text("Pizza")

    assert SharedCost.objects.get().counts
    assert (4, 1) == (member.taps, keeper.taps)


def test_what_is_left_over_runs_on_the_cloth_and_a_refusal_stands_above_the_closer(
    open_accounts, owner, table
):
    scorer = open_accounts(owner)
    page = scorer.page
    scorer.tap("[popovertarget=expense]:not(.close)")
    page.locator("#expense [name=amount]").fill("12000")
    scorer.tap("#expense [data-faces=payer] .chip:has-text('Beto')")
    expect(page.locator(CLOSER)).to_have_text("Beto puso $ 12.000")
    scorer.tap("#expense [data-split] summary")
    scorer.tap("#expense label:has([value=amounts])")
    for slug, amount in {"ana": "3000", "beto": "3000", "caro": "2000", "dani": "4500"}.items():
        page.locator(f"#expense [name=share-{slug}]").fill(amount)
    expect(page.locator("#expense [data-note]")).to_have_text("sobran $ 500")
    page.locator(CLOSER).tap()
    expect(page.locator("#expense footer .errors")).to_be_in_viewport()
    expect(page.locator("#expense footer .errors")).to_contain_text("Sobran $ 500.")
    expect(page.locator("#expense [name=share-dani]")).to_have_value("4500")
