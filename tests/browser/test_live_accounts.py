"""A phone that leaves its accounts open sees what other phones record, and loses nothing that was typed.

`money/views/test_live_accounts.py` has the answers to polls.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.models import Method, Role
from games.money.services import payments
from tests.browser.game_setup import begin, play
from tests.factories import confirm_as_member, get_last_night, make_user, new_key

CHANGED = "Las cuentas cambiaron."
GAME = "round ana out beto=101 caro=102 dani=103"


@pytest.fixture
def lend(table, owner):
    """`lend("ana", "beto", 500)` records a payment that the payee then owes back."""

    def pay(payer, payee, amount):
        one, other = (table.members.get(slug=slug) for slug in (payer, payee))
        payments.create(
            table, one, other, amount, method=Method.CASH, key=new_key(), by=owner, role=Role.OWNER
        )

    return pay


@pytest.fixture
def beto(open_phone, table, let_in):
    user = make_user("beto")
    confirm_as_member(user, table.members.get(slug="beto"))
    phone = open_phone()
    let_in(phone, user)
    return phone.new_page()


def test_the_accounts_open_through_two_games_show_the_debt_after_each(beto, table, owner):
    beto.goto(f"/t/{table.code}/accounts/")
    for debt in (100, 200):
        play(begin(table, owner, stake=100), owner, GAME)

        expect(beto.locator("#payments")).to_contain_text(re.compile(rf"Beto → Ana\s*\$.{debt}"))


@pytest.mark.long
def test_a_night_and_a_persons_account_follow_too(beto, table, owner, lend):
    play(begin(table, owner, stake=100), owner, GAME)
    pages = beto, beto.context.new_page()
    for page, name in zip(pages, (f"nights/{get_last_night(table)}", "of/beto"), strict=True):
        page.goto(f"/t/{table.code}/accounts/{name}/")
        expect(page.locator("#payments, .owed")).to_contain_text(re.compile(r"\$.100"))
    lend("beto", "ana", 40)

    for page in pages:
        expect(page.locator("#payments, .owed")).to_contain_text(re.compile(r"\$.60"))


def test_a_payment_being_entered_stays_while_the_accounts_change_around_it(beto, table, lend):
    lend("ana", "beto", 500)
    beto.goto(f"/t/{table.code}/accounts/")
    beto.get_by_role("button", name="Otro pago").tap()
    form = beto.locator("#pay")
    form.locator("[name=payee][value=ana]").locator("..").tap()
    form.locator("[name=amount]").fill("12")
    lend("ana", "beto", 250)

    expect(form.locator("h2 + .notice")).to_have_text(CHANGED)
    expect(beto.locator("#payments")).to_contain_text(re.compile(r"\$.750"))
    form.locator("[name=amount]").press_sequentially("3")
    expect(form.locator("[name=amount]")).to_be_focused()
    expect(form.locator("[name=amount]")).to_have_value("123")
    expect(form.locator("[name=payee][value=ana]")).to_be_checked()
    form.locator(".close, [popovertargetaction=hide]").first.tap()
    lend("ana", "beto", 250)
    expect(beto.locator("#payments")).to_contain_text(re.compile(r"\$.1\.000"))
    beto.get_by_role("button", name="Otro pago").tap()
    expect(form.locator("[name=amount]")).to_have_value("123")
    form.locator("button.go").tap()
    expect(beto.locator("#moves")).to_contain_text(re.compile(r"\$.123"))


@pytest.mark.long
def test_a_page_with_an_open_form_stays_and_leads_to_the_accounts(beto, table, lend):
    lend("ana", "beto", 500)
    beto.goto(f"/t/{table.code}/accounts/?payer=beto&payee=ana&amount=500")
    beto.locator("#pay [name=amount]").fill("77")
    lend("ana", "beto", 250)

    link = beto.locator("#news a")
    expect(link).to_have_text(CHANGED)
    expect(beto.locator("#pay [name=amount]")).to_have_value("77")
    link.tap()
    expect(beto.locator("#payments")).to_contain_text(re.compile(r"\$.750"))
