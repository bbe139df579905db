"""Over the rate limit of requests: a round is queued on the phone, another form keeps its values."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from games.common import rate_limits
from tests.browser.dead_spots import PANEL, enter, waiting
from tests.browser.scorer import until

HELD_BACK = "status of 429|htmx:responseError|htmx:afterRequest|Response Status Error Code 429"


@pytest.fixture
def few(limited, monkeypatch, forgive):
    """`few("FORMS", 2)` sets a limit to so many requests a minute."""
    forgive(HELD_BACK)
    return lambda name, most: monkeypatch.setattr(
        rate_limits, name, replace(getattr(rate_limits, name), most=most)
    )


def test_a_rate_limited_round_is_queued_and_recorded_once_afterwards(few, scorer, begun):
    few("FORMS", 0)
    scorer.page.goto(f"/g/{begun.code}/round/")
    enter(scorer, "ana", 45, 9, 8)

    assert 1 == len(waiting(scorer.page))
    scorer.page.wait_for_timeout(4000)  # the phone has retried meanwhile
    assert (1, 1) == (len(waiting(scorer.page)), len(begun.log()))
    few("FORMS", 300)
    until(scorer.page, lambda: len(begun.log()) == 2)
    expect(scorer.page.locator(PANEL)).to_be_hidden()


def test_a_rate_limited_form_that_cannot_be_queued_keeps_its_values(few, page, signed_in, table):
    page.goto(f"/t/{table.code}/people/")
    page.locator("[name=name]").last.fill("Tía Ñata")
    few("FORMS", 0)
    page.locator("[name=name]").last.press("Enter")

    expect(page.locator("#trouble")).to_contain_text("No se anotó nada. Esperá ")
    assert "Tía Ñata" == page.locator("[name=name]").last.input_value()
    few("FORMS", 300)
    page.locator("[name=name]").last.press("Enter")
    until(page, lambda: table.members.filter(name="Tía Ñata").exists())
