"""A table where nobody has played: each page shows what will stand there, and one thing to do."""

from __future__ import annotations

import pytest

from tests.browser.test_accessibility import axe_problems
from tests.browser.test_layout import measure
from tests.factories import confirm_as_member, make_table


@pytest.mark.parametrize(
    ("page_name", "step"),
    [("", "Partida nueva"), ("accounts/", "Un gasto"), ("season/", "Partida nueva")],
    ids=["home", "accounts", "season"],
)
@pytest.mark.parametrize("size", [(360, 640), (740, 360), (1280, 800)], ids=str)
def test_an_empty_page_shows_its_one_step(page, signed_in, owner, axe_source, page_name, step, size):
    table = make_table(owner)
    confirm_as_member(owner, table.members.get(slug="ana"))
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/t/{table.code}/{page_name}")
    page.evaluate(axe_source)
    assert [] == list(axe_problems(page))
    assert [] == measure(page, "main .btn", scrolled=True)
    assert page.get_by_text(step, exact=True).first.is_visible()
