"""The list of payments after a game: settled and undone in place, and equal wherever it is shown or shared.

`money/test_debts.py` has the services and the ledger; `money/views/test_debts.py` has the forms of the list;
`scoring/test_debts.py` has the law of debts without a database.
"""

from __future__ import annotations

import json
from datetime import date

import pytest
from playwright.sync_api import Page, expect

from games.models import Game, Member, Method
from games.money.services import payments
from tests.browser.game_setup import begin, play
from tests.browser.scorer import plain, until
from tests.factories import confirm_as_member, make_user, new_key


@pytest.fixture
def game(table, owner, signed_in) -> Game:
    """A game on the owner's phone, in which Ana won 100 each from Beto, Caro and Dani."""
    return play(begin(table, owner, stake=100), owner, "round ana out beto=110 caro=120 dani=130")


def tick(page: Page, payer: str, payee: str) -> None:
    page.locator(f"#tick-{payer}-{payee}").tap()


def picture_rows(page: Page) -> list[str]:
    """Return the rows of the picture, with a tick if paid."""
    rows = json.loads(page.locator("[data-drawn]").get_attribute("data-drawn") or "")["debts"]["rows"]
    return sorted(
        plain(
            f"{'✓ ' if row['isPaid'] else ''}{row['payer']['name']} → {row['payee']['name']}: {row['amount']}"
        )
        for row in rows
    )


def text_rows(page: Page) -> list[str]:
    """Return the rows in the text for the group."""
    lines = plain(page.locator("#message").input_value().replace("\n", "|")).split("|")
    return sorted(line for line in lines if "→" in line)


def test_ticking_and_unticking_leaves_the_page_where_it_was(page, game):
    page.set_viewport_size({"width": 360, "height": 580})
    page.goto(f"/g/{game.code}/settlement/")
    body = page.locator("main > .body")
    body.evaluate("box => { box.scrollTop = 100; }")
    address = page.url
    tick(page, "dani", "ana")

    expect(page.locator("#tick-dani-ana")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#tick-dani-ana")).to_be_focused()
    expect(page.locator(".undo")).to_contain_text("Dani → Ana")
    assert (address, 100) == (page.url, body.evaluate("box => box.scrollTop"))
    assert (
        ["Beto → Ana: $ 100", "Caro → Ana: $ 100", "✓ Dani → Ana: $ 100"]
        == picture_rows(page)
        == text_rows(page)
    )
    page.wait_for_timeout(800)  # sooner it would be a double tap
    tick(page, "dani", "ana")
    expect(page.locator("#tick-dani-ana")).to_have_attribute("aria-pressed", "false")
    assert 3 == len(picture_rows(page))


def test_what_is_sent_says_who_has_paid_by_the_moment_of_sending(page, table, game, owner):
    night = date.fromordinal(game.night_number).isoformat()
    page.goto(f"/t/{table.code}/accounts/nights/{night}/")
    payer, payee = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    payments.create(table, payer, payee, 100, method=Method.CASH, key=new_key(), by=owner)
    page.locator("[popovertarget=group]:not(.close)").tap()

    rows = ["Caro → Ana: $ 100", "Dani → Ana: $ 100", "✓ Beto → Ana: $ 100"]
    until(page, lambda: rows == picture_rows(page) == text_rows(page))


def test_a_debt_ticked_after_copying_the_alias_was_paid_by_transfer(phone, page, let_in, game):
    game.table.members.filter(slug="ana").update(account="ana.loba.mp")
    beto = make_user("beto")
    confirm_as_member(beto, game.table.members.get(slug="beto"))
    let_in(phone, beto)
    page.goto("/")
    page.get_by_role("button", name="Ya pagué").tap()
    expect(page.locator(".undo")).to_contain_text("efectivo")
    page.get_by_role("button", name="Deshacer").tap()
    page.get_by_role("button", name="Copiar alias").tap()
    page.get_by_role("button", name="Ya pagué").tap()
    expect(page.locator(".undo")).to_contain_text("transferencia")


@pytest.mark.long
def test_a_folded_debtor_unfolds_in_place_to_rows_that_can_be_ticked(page, game, monkeypatch):
    monkeypatch.setattr("games.money.presenters.debt_list.MAX_UNFOLDED", 1)
    page.goto(f"/t/{game.table.code}/accounts/")
    page.locator("#debtor-caro summary").tap()
    tick(page, "caro", "ana")

    expect(page.locator(".undo")).to_contain_text("Caro → Ana")
    expect(page.locator("#debtor-dani")).not_to_have_attribute("open", "")


@pytest.mark.long
def test_the_debts_of_a_person_load_as_they_are_unfolded_below_the_foot_of_the_screen(
    page, table, game, monkeypatch
):
    monkeypatch.setattr("games.money.presenters.debt_list.MAX_UNFOLDED", 2)
    page.set_viewport_size({"width": 360, "height": 240})
    page.goto(f"/t/{table.code}/accounts/")
    debtor = page.locator("details.debtor").last
    expect(debtor).not_to_be_in_viewport()
    debtor.locator("summary").evaluate("one => one.click()")  # a tap would scroll

    expect(debtor.locator(".pay")).to_have_count(1)
    expect(debtor).not_to_be_in_viewport()


@pytest.mark.long
def test_what_is_folded_of_a_crowd_unfolds_in_place_and_so_do_its_debts(page, game, owner):
    table = game.table
    ana = table.members.get(slug="ana")
    more = [
        Member(table=table, slug=f"m{number}", name=f"Persona con nombre {number}", colour=1)
        for number in range(62)
    ]
    for member in Member.objects.bulk_create(more):
        payments.create(table, ana, member, 5, method=Method.CASH, key=new_key(), by=owner)
    page.goto(f"/t/{table.code}/accounts/")
    page.locator("#more-balances > summary").tap()
    expect(page.locator("#more-balances a")).to_have_count(66 - 60)
    page.locator("#more-debtors > summary").tap()
    debtor = page.locator("#more-debtors details.debtor").last
    debtor.locator("summary").tap()

    expect(debtor.locator("button.tick")).to_have_count(1)
    page.get_by_role("link", name="Otro pago").tap()
    expect(page.get_by_role("dialog")).to_contain_text("Persona con nombre 61")
