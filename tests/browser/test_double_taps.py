"""The second tap of a double tap acts on nothing, whatever page it meets."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.nights import begin, play


def tap_element_twice(page: Page, selector: str, gap: int, *, across: float = 0.5) -> None:
    """Tap this element, and the same place again after `gap` milliseconds. `across` is a share of its width."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    place = box["x"] + box["width"] * across, box["y"] + box["height"] / 2
    began = time.monotonic()
    page.touchscreen.tap(*place)
    time.sleep(max(0.0, began + gap / 1000 - time.monotonic()))
    page.touchscreen.tap(*place)
    page.wait_for_timeout(500)


@pytest.mark.parametrize("gap", [150, 600])
def test_a_double_tap_saves_undoes_and_pays_once(scorer, owner, table, gap):
    page, game = scorer.page, begin(table, owner, stake=100)
    play(game, owner, *(f"round ana out beto={beto} caro=9 dani=8" for beto in (3, 4, 5)))
    page.goto(f"/g/{game.code}/")
    scorer.begin_round("ana")
    scorer.enters(7, 12, 40)
    tap_element_twice(page, "[data-go]", gap, across=0.4)  # where a face is on the next page
    expect(page.locator(".closers")).to_be_visible()  # and no next round was opened
    assert 4 == len(game.state().rounds)

    tap_element_twice(page, "form[action$='/undo/'] button", gap)
    assert 3 == len(game.state().rounds)

    play(game, owner, "stop lowest_wins")
    page.goto(f"/t/{table.code}/accounts/")
    tap_element_twice(page, "#tick-beto-ana", gap)
    expect(page.locator("#debts .pay.done")).to_have_count(1)
    assert [("beto", "ana", 100)] == [
        (payment.payer.slug, payment.payee.slug, payment.amount)
        for payment in table.payments.filter(ended_at=None)
    ]
