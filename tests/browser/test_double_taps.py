"""The second tap of a double tap acts on nothing, whatever page it meets."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.nights import begin, play
from tests.engines.doubled import GAPS
from tests.engines.driver import twice


def tap_element_twice(page: Page, selector: str, gap: int, *, across: float = 0.5) -> None:
    """Tap this element, and the same place again after `gap` milliseconds. `across` is a share of its width."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    place = box["x"] + box["width"] * across, box["y"] + box["height"] / 2
    twice(lambda: page.touchscreen.tap(*place), gap)
    page.wait_for_timeout(500)


@pytest.fixture
def phone_page(page, phone, owner, let_in):
    """A page of the owner."""
    let_in(phone, owner)
    return page


@pytest.fixture
def game(owner, table):
    """A game of four after three rounds."""
    rounds = (f"round ana out beto={beto} caro=9 dani=8" for beto in (3, 4, 5))
    return play(begin(table, owner, stake=100), owner, *rounds)


@pytest.mark.parametrize("gap", GAPS)
def test_ticking_a_debt_twice_pays_that_debt_alone(phone_page, owner, table, gap):
    play(begin(table, owner, stake=1000), owner, "round ana out beto=3 caro=9 dani=8", "stop lowest_wins")
    phone_page.goto(f"/t/{table.code}/accounts/")
    tap_element_twice(phone_page, "#tick-beto-ana", gap)

    expect(phone_page.locator("#debts .pay.done")).to_have_count(1)
    assert [("beto", "ana", 1000)] == [
        (payment.payer.slug, payment.payee.slug, payment.amount) for payment in table.payments.counting()
    ]


@pytest.mark.parametrize("gap", GAPS)
def test_saving_a_round_opens_no_next_round(scorer, game, gap):
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round("ana")
    for points in (7, 12):
        scorer.counted(points)
        scorer.goes_on()
    scorer.counted(40)
    tap_element_twice(scorer.page, "[data-go]", gap, across=0.4)  # where a face is on the next page

    expect(scorer.page.locator(".closers")).to_be_visible()
    assert 4 == len(game.state().rounds)


@pytest.mark.parametrize("gap", GAPS)
def test_undoing_undoes_one_round(phone_page, game, gap):
    phone_page.goto(f"/g/{game.code}/")
    tap_element_twice(phone_page, "form[action$='/undo/'] button", gap)

    assert 2 == len(game.state().rounds)
