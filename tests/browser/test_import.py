"""Importing a table a second time: the file stays chosen while the person decides."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from games.models import Table
from games.notebook.writing import write_table
from tests.browser.nights import begin
from tests.tables import make_table


def test_a_confirmed_second_import_keeps_the_chosen_file(page, phone, owner, let_in, tmp_path):
    table = make_table(owner)
    begin(table, owner)
    file = tmp_path / "table.json"
    file.write_text(write_table(table), encoding="utf-8")
    let_in(phone, owner)
    page.goto("/import/")
    page.set_input_files("input[type=file]", file)
    page.locator(".dock .btn").tap()
    expect(page.locator(".errors")).to_contain_text(table.name)
    assert 1 == page.locator("input[type=file]").evaluate("field => field.files.length")
    page.locator(".dock .btn[name=again]").tap()

    expect(page).to_have_url(re.compile(r"/settings/\?imported=1$"))
    assert 2 == Table.objects.count()
