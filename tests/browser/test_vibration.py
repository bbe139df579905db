"""Vibration for keys and for going bust, if the phone can vibrate and its user has it switched on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.nights import begin, play
from tests.browser.scorer import Scorer
from tests.worlds import make_table

FEELS = "window.felt = []; navigator.vibrate = (time) => window.felt.push(time);"
KEY, BUST = 12, 90  # milliseconds
SWITCH = "[data-vibration] input"


@pytest.fixture
def open_scorer(open_phone, owner, let_in):
    """`open_scorer(**options)` is the owner at the entry of a round, on a phone that can vibrate; Beto has
    95.
    """
    game = play(begin(make_table(owner), owner), owner, "round ana out beto=95 caro=4 dani=31")

    def open_one(**options):
        phone = open_phone(**options)
        let_in(phone, owner)
        page = phone.new_page()
        page.add_init_script(FEELS)
        page.goto(f"/g/{game.code}/round/")
        return Scorer(page)

    return open_one


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


def test_the_phone_vibrates_for_every_key_and_longer_for_going_bust_unless_switched_off(open_scorer):
    scorer = open_scorer()
    assert [KEY, KEY, BUST, KEY] == felt(scorer, "2 K 3")
    switch(scorer)
    assert [] == felt(scorer, "2 K 3")


def test_a_phone_with_reduced_motion_vibrates_only_if_switched_on(open_scorer):
    scorer = open_scorer(reduced_motion="reduce")
    assert [] == felt(scorer, "2 K")
    switch(scorer)
    assert [KEY, KEY, BUST] == felt(scorer, "2 K")
