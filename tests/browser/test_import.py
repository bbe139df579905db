"""A table's file that is imported again, or brought into a table: it stays chosen while the person decides."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from games.files.writing import write_table
from games.models import Table
from tests.browser.nights import begin
from tests.worlds import make_table, make_user, start, with_new_codes


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


def test_a_file_that_is_brought_in_stays_chosen_from_the_question_to_the_undo(
    page, phone, owner, let_in, tmp_path
):
    table = make_table(owner)
    cabin = make_table(somebody := make_user("cabin"), people=("Ana", "Béto", "Primo"), name="La cabaña")
    start(cabin, somebody)
    file = tmp_path / "table.json"
    file.write_text(with_new_codes(write_table(cabin)), encoding="utf-8")
    let_in(phone, owner)
    page.goto(f"/t/{table.code}/import/")
    page.set_input_files("input[type=file]", file)
    page.locator(".dock .btn[name=look]").tap()
    page.locator("#who-beto").select_option("beto")
    page.locator(".dock .btn[name=look]").tap()
    page.locator(".dock .btn[name=take]").tap()
    expect(page.locator(".undo")).to_be_visible()
    assert 1 == table.games.filter(discarded_at=None).count()
    page.locator(".undo button").tap()
    expect(page.locator(".undo")).to_be_hidden()
    assert 0 == table.games.filter(discarded_at=None).count()
