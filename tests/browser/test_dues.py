"""Payments due after a game: marked and unmarked in place, and equal wherever they are shown or shared."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from tests.browser.nights import begin, play
from tests.browser.scorer import plain
from tests.tables import make_table

ROWS = "#payments .pay"


@pytest.fixture
def game(owner) -> Game:
    """A game in which Ana won 100 each from Beto, Caro and Dani."""
    game = begin(make_table(owner), owner, stake=100)
    return play(game, owner, "round ana out beto=110 caro=120 dani=130")


@pytest.fixture
def page(phone, owner, let_in) -> Page:
    let_in(phone, owner)
    page: Page = phone.new_page()
    return page


def opens(page: Page, game: Game, name: str = "settlement") -> Page:
    page.goto(f"/g/{game.code}/{name}/")
    return page


def tick(page: Page, payer: str, payee: str) -> None:
    page.locator(f"#tick-{payer}-{payee}").tap()


def lines(page: Page, selector: str) -> list[str]:
    return sorted(plain(text) for text in page.locator(selector).all_inner_texts())


def still_open(page: Page) -> list[str]:
    return lines(page, f"{ROWS}:not(.done) summary")


def drawn(page: Page) -> list[str]:
    """Return the open payments that the picture is drawn from."""
    payments = json.loads(page.locator("[data-drawn]").get_attribute("data-drawn") or "")["payments"]
    return sorted(
        plain(f"{paid['payer']['name']} → {paid['payee']['name']} {paid['amount']}") for paid in payments
    )


def asked_in_text(page: Page) -> list[str]:
    """Return the open payments in the text for the group."""
    lines = plain(page.locator("#message").input_value().replace("\n", "|")).split("|")
    start = lines.index("Quién le paga a quién:") + 1
    payments = []
    while "→" in lines[start] and "Una corrección" not in lines[start]:
        payments.append(lines[start].replace(": $", " $"))
        start += 1
    return sorted(payments)


def test_every_view_of_the_open_payments_agrees_after_two_payments_and_a_correction(page, game, owner):
    opens(page, game)
    tick(page, "beto", "ana")
    expect(page.locator(f"{ROWS}.done")).to_have_count(1)
    tick(page, "caro", "ana")
    expect(page.locator(f"{ROWS}.done")).to_have_count(2)
    play(game, owner, "correct 2 round beto out ana=110 caro=120 dani=130")
    opens(page, game)

    # Ana lost 100 and has received 200; Beto won 300 and has paid 100; Caro has paid the 100 that Caro lost.
    owed = ["Ana → Beto $ 300", "Dani → Beto $ 100"]
    assert owed == still_open(page)
    assert ["Beto → Ana $ 100", "Caro → Ana $ 100"] == lines(page, f"{ROWS}.done summary")
    expect(page.locator("#owed .note")).to_contain_text("Antes era: Dani → Ana $ 100.")
    assert owed == drawn(page)
    assert owed == asked_in_text(page)
    assert owed == still_open(opens(page, game, "dues"))


def test_marking_and_unmarking_a_payment_moves_nothing_on_the_page(page, game):
    page.set_viewport_size({"width": 360, "height": 640})
    opens(page, game)
    page.locator("#tick-dani-ana").scroll_into_view_if_needed()
    body = page.locator("main > .body")
    where = body.evaluate("box => box.scrollTop")
    address = page.url
    tick(page, "dani", "ana")

    expect(page.locator("#tick-dani-ana")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#tick-dani-ana")).to_be_focused()
    expect(page.locator("#done")).to_contain_text("Dani → Ana")
    assert (address, where) == (page.url, body.evaluate("box => box.scrollTop"))
    assert ["Beto → Ana $ 100", "Caro → Ana $ 100"] == drawn(page) == asked_in_text(page)
    page.locator("#done button").tap()
    expect(page.locator("#tick-dani-ana")).to_have_attribute("aria-pressed", "false")
    tick(page, "dani", "ana")
    expect(page.locator("#tick-dani-ana")).to_have_attribute("aria-pressed", "true")
    tick(page, "dani", "ana")
    expect(page.locator("#tick-dani-ana")).to_have_attribute("aria-pressed", "false")
    assert 3 == len(drawn(page))
