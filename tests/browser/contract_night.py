"""What the nights of the three contract games share."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.scorer import Scorer

Hand = str | int


def plays(scorer: Scorer, contract: str, closer: str, *hands: Hand) -> None:
    """One round from the sheet and back: the contract it asks for, whoever went out, the other hands in seat order."""
    scorer.begin_round(closer)
    expect(scorer.page.locator("h1")).to_contain_text(contract)
    scorer.enters(*hands)
    scorer.saves()
