"""The guide of the API in a browser: each step is run from the page, in order."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from games.api.common.guide import STEPS
from games.models import Game, Table

STATUSES = {"step-start": "201", "step-late": "409"}


def test_every_step_of_the_guide_can_be_run_from_the_page(open_phone, forgive, live_server):
    forgive("status of 409")
    page = open_phone(locale="en").new_page()
    page.goto("/api/")
    page.get_by_role("button", name="Try it with a table of your own").click()
    expect(page.locator("#step-round button")).to_be_disabled()  # no game was started yet
    for step in STEPS:
        part = page.locator(f"#{step.id}")
        part.get_by_role("button").click()
        expect(part.locator("output")).to_have_text(re.compile(f"^{STATUSES.get(step.id, '200')}\n"))

    expect(page.locator("#step-round output")).to_contain_text("Beto")
    expect(page.locator("#step-stream output")).to_contain_text("game_started")
    expect(page.locator("#step-money output")).to_contain_text("Beto pays Ana $\xa0100.")
    assert ["GameStarted", "RoundPlayed", "RoundPlayed", "Struck", "GameStopped"] == [
        type(event).__name__ for event in Game.objects.get().log()
    ]
    assert 1 == Table.objects.count()
