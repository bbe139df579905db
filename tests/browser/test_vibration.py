"""Vibration for keys, if the phone can vibrate and its user has it switched on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.nights import begin
from tests.browser.scorer import Scorer
from tests.worlds import make_table

FEELS = "window.felt = []; navigator.vibrate = (time) => window.felt.push(time);"
KEY = 12  # milliseconds
SWITCH = "[data-vibration] input"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_phone_vibrates_for_keys_as_its_user_switched(open_phone, owner, let_in, motion):
    """With reduced motion it begins switched off."""
    game = begin(make_table(owner), owner)
    phone = open_phone(reduced_motion=motion)
    let_in(phone, owner)
    scorer = Scorer(phone.new_page())
    scorer.page.add_init_script(FEELS)
    scorer.page.goto(f"/g/{game.code}/round/")
    both = [felt(scorer, "2 K 3")]
    switch(scorer)
    both.append(felt(scorer, "2 K 3"))
    assert ([KEY] * 3, []) == tuple(both if motion == "no-preference" else both[::-1])


def felt(scorer: Scorer, cards: str) -> list[int]:
    """Return the vibrations while Beto's cards are tapped after Ana went out."""
    scorer.page.evaluate(
        "localStorage.removeItem(Object.keys(localStorage).find(key => key.startsWith('draft:')))"
    )
    scorer.page.reload()
    scorer.went_out("ana")
    scorer.holds(cards)
    times: list[int] = scorer.page.evaluate("window.felt")
    return times


def switch(scorer: Scorer) -> None:
    """Switch vibration on the page of the account, and return."""
    scorer.page.goto("/you/")
    scorer.tap("#look summary")
    scorer.tap(SWITCH)
    scorer.page.go_back()
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
