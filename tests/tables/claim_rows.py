"""The rows about pending claims on a page, with their questions and the answers that they offer."""

from __future__ import annotations


def claim_rows(page):
    """Return the rows of the pending claims on a page, and of the pen, which look the same."""
    return [row for row in page.every("div", role="status") if "says" in row.attrs["class"]]


def questions(page):
    """Return the questions about pending claims on a page."""
    return [row.only("p").text for row in claim_rows(page)]


def answers_offered(page):
    """Return the answers on a page that confirm or deny a claim, by their first words."""
    buttons = [button for row in claim_rows(page) for button in row.every("button")]
    return [button.attrs.get("aria-label", button.text).partition(":")[0] for button in buttons]
