"""Helpers shared by the nights of the three contract games."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.scorer import Scorer

Hand = str | int


def plays(scorer: Scorer, contract: str, closer: str, *hands: Hand) -> None:
    """Play one round from the sheet: check its contract, then enter who went out and the other hands."""
    scorer.begin_round(closer)
    expect(scorer.page.locator("h1")).to_contain_text(contract)
    scorer.enters(*hands)
    scorer.saves()
