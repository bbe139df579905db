"""Settling a night on a phone: from the last result to everybody paid, also while the network is down."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Payment
from games.money.balances import balances_of
from tests.browser.nights import begin, play
from tests.tables import make_table

ROWS = "#payments .pay"


@pytest.fixture
def games(owner):
    """Two games of one night: the first won by Ana, the second by Beto; 100 from each loser."""
    table = make_table(owner)
    return [
        play(begin(table, owner, stake=100), owner, line)
        for line in (
            "round ana out beto=110 caro=120 dani=130",
            "round beto out ana=110 caro=120 dani=130",
        )
    ]


def test_a_night_is_settled_with_one_tap_per_payment_and_one_more(page, phone, owner, let_in, games):
    """Ana and Beto won 200 each, Caro and Dani lost as much."""
    let_in(phone, owner)
    page.goto(f"/g/{games[1].code}/settlement/")
    page.locator("#together").tap()
    expect(page.locator(ROWS)).to_have_count(2)
    for number in (1, 2):
        page.locator(f"{ROWS}:not(.done) button.tick").first.tap()
        expect(page.locator(f"{ROWS}.done")).to_have_count(number)
    page.locator(".dock a.go").tap()

    expect(page.locator("#there")).to_be_visible()
    assert not any(balances_of(games[0].table).values())


def test_a_payment_of_the_night_marked_offline_is_queued_and_recorded_once(
    cuttable_phone, road, owner, let_in, games
):
    let_in(cuttable_phone, owner)
    page = cuttable_phone.new_page()
    page.goto(f"{road.url}/g/{games[1].code}/settlement/")
    page.locator("#together").tap()
    expect(page.locator(ROWS)).to_have_count(2)
    road.cut()
    page.locator(f"{ROWS} button.tick").first.tap()
    expect(page.locator(f"{ROWS} button.tick").first).to_be_disabled()
    assert 0 == Payment.objects.count()
    road.mend()
    page.evaluate("dispatchEvent(new Event('online'))")

    expect(page.locator(f"{ROWS}.done")).to_have_count(1, timeout=60_000)
    (payment,) = Payment.objects.all()
    assert payment.night is not None
