"""A table where nobody has played: each page shows what will stand there, and one thing to do."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.screens import resize
from tests.browser.test_accessibility import axe_problems
from tests.browser.test_layout import measure
from tests.factories import confirm_as_member, make_table

STEPS = {"": "Partida nueva", "accounts/": "Un gasto", "season/": "Partida nueva"}
SIZES = ((360, 640), (740, 360), (1280, 800))


def test_an_empty_page_shows_its_one_step(page, signed_in, owner, axe_source, subtests):
    table = make_table(owner)
    confirm_as_member(owner, table.members.get(slug="ana"))
    for page_name, step in STEPS.items():
        page.goto(f"/t/{table.code}/{page_name}")
        page.evaluate(axe_source)
        for width, height in SIZES:
            with subtests.test(page=page_name, width=width):
                resize(page, width, height)
                assert [] == axe_problems(page)
                assert [] == measure(page, "main .btn", scrolled=True)
                expect(page.get_by_text(step, exact=True).first).to_be_visible()
